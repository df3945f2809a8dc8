// Objects of R as the host sees them: what the reader makes and what `convert.ts` turns into records.

/** An element of a vector; null is NA. */
export type RScalar = boolean | number | bigint | string | null

/**
 * NULL is null. A vector of one element without attributes is the element itself, since nearly all are; raw vectors are
 * bytes. NA alone is an `RVector`, to be told from NULL.
 */
export type RValue = Exclude<RScalar, null> | null | Uint8Array | RVector | RList | RForeign

export type RAttributes = Readonly<Record<string, RValue>>

const NONE: RAttributes = {}

export class RVector {
  readonly values: readonly RScalar[]
  readonly attributes: RAttributes

  constructor(values: readonly RScalar[], attributes: RAttributes = NONE) {
    this.values = values
    this.attributes = attributes
  }
}

export class RList {
  readonly values: readonly RValue[]
  readonly names: readonly string[] | undefined
  readonly attributes: RAttributes

  constructor(values: readonly RValue[], names?: readonly string[], attributes: RAttributes = NONE) {
    this.values = values
    this.names = names
    this.attributes = attributes
  }
}

/** What is no data: a function, an environment, code. */
export class RForeign {
  readonly noun: string

  constructor(noun: string) {
    this.noun = noun
  }
}

export const NA = new RVector([null])

export function hasClass(value: RVector | RList, name: string): boolean {
  const given = value.attributes.class
  return given === name || (given instanceof RVector && given.values.includes(name))
}

/** Names of a list or a vector. */
export function namesOf(value: RVector | RList): readonly string[] | undefined {
  return value instanceof RList ? value.names : textsOf(value.attributes.names)
}

export function textsOf(value: RValue | undefined): readonly string[] | undefined {
  if (typeof value === 'string') return [value]
  return value instanceof RVector ? value.values.map((text) => (text === null ? 'NA' : String(text))) : undefined
}

/** Lengths of the dimensions of a matrix or an array. */
export function dimensionsOf(value: RVector | RList): readonly number[] | undefined {
  const { dim } = value.attributes
  return dim instanceof RVector ? dim.values.map(Number) : typeof dim === 'number' ? [dim] : undefined
}
