export function action(x) {
  return x * x
}
