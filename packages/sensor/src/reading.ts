// What a tap gives: one reading at a time.

/** Several values at once, each under its tag, such as `{ "kernel": 1.2, "user": 8.5 }`. */
export interface Tagged {
  readonly [tag: string]: unknown
}

/** A number, several tagged values, or anything else that JSON can carry: the text of a record, the value of a field. */
export type Reading = number | bigint | string | boolean | null | Tagged | readonly unknown[]

export function isTagged(reading: Reading): reading is Tagged {
  return typeof reading === 'object' && reading !== null && !Array.isArray(reading)
}

/** The number that a reading is, if it is one. */
export function numberOf(reading: unknown): number | undefined {
  if (typeof reading === 'number') return reading
  return typeof reading === 'bigint' ? Number(reading) : undefined
}
