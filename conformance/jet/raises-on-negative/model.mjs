export function* action(x) {
  // What is emitted before it throws is dropped with the record.
  yield x
  if (x < 0) throw new Error('negative')
}
