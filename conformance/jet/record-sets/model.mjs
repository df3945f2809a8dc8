export function action(given) {
  return given.map(({ x, y }) => ({ sum: x + y }))
}
