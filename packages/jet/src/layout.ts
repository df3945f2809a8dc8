// Where things stand in the messages of runners/PROTOCOL.md that are not JSON. Numbers are written and read through typed
// arrays, which are little-endian on every platform that runners exist for.

/** Length of the numbers before the bounds of `score`; a multiple of 8, as everything that numbers stand behind. */
export const SCORE_HEAD = 24
/** Length of the numbers before the indexes of `scored`. */
export const SCORED_HEAD = 56
/** In the flags of `score`: the batch is one record set. */
export const IS_RECORDSET = 1

/** Length of everything before the bytes of a `scored`: so that they begin at a multiple of 4. */
export function scoredFront(count: number): number {
  return SCORED_HEAD + 14 * count + 2 * (count % 2)
}
