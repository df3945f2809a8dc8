export function* action(x: number): Generator<number> {
  yield x * x
}
