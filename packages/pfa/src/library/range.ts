// Positions in arrays, strings and bytes: indexes as documents give them come in, plain offsets go out.

/** A negative index counts from the end; the result may still be out of range, which the caller checks. */
export function fromEnd(length: number, index: number): number {
  return index < 0 ? length + index : index
}

/** The start of a slice, cut to 0 ... length. */
export function sliceStart(length: number, start: number): number {
  const from = fromEnd(length, start)
  return Math.max(0, Math.min(from, length))
}

/** The end of a slice: as `sliceStart`, but never before the start. */
export function sliceEnd(length: number, start: number, end: number): number {
  return Math.max(start, sliceStart(length, end))
}
