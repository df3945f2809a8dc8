let count = 0
let total = 0

export function* begin() {
  yield -1
  yield -2
  yield -3
}

export function action(x) {
  count += 1
  total += x
  return count
}

export function* end() {
  yield count
  yield total
}
