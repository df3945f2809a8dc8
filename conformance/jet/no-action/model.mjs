export function react(x) {
  return x
}
