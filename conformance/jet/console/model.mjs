export function action(x) {
  console.log('seen', x)
  return x
}
