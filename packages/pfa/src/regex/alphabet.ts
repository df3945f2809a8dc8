// What a pattern can tell apart: the character sets of a pattern come in, units (code points or bytes) go out as classes.
//
// Two units are in the same class where every set of the pattern holds both or neither. A matcher then looks at classes
// only: a few, whatever the size of Unicode.

export interface CharacterSet {
  readonly negated: boolean
  /** Pairs of first and last, both included. */
  readonly ranges: readonly (readonly [number, number])[]
  readonly predicates: readonly ((unit: number) => boolean)[]
}

function contains(set: CharacterSet, unit: number): boolean {
  for (const [first, last] of set.ranges) if (unit >= first && unit <= last) return !set.negated
  for (const predicate of set.predicates) if (predicate(unit)) return !set.negated
  return set.negated
}

/** The class of what follows the last unit. */
export const END = 0

const DIRECT = 256
const MOST_REMEMBERED = 4096

export class Alphabet {
  readonly #sets: readonly CharacterSet[]
  /** By class, then by set. */
  readonly #members: boolean[][] = [[]]
  readonly #classBySignature = new Map<string, number>()
  readonly #direct = new Int32Array(DIRECT)
  readonly #others = new Map<number, number>()

  constructor(sets: readonly CharacterSet[]) {
    this.#sets = sets
    for (let unit = 0; unit < DIRECT; unit++) this.#direct[unit] = this.#classify(unit)
  }

  classOf(unit: number): number {
    if (unit < DIRECT) return this.#direct[unit]!
    let known = this.#others.get(unit)
    if (known === undefined) {
      known = this.#classify(unit)
      if (this.#others.size >= MOST_REMEMBERED) this.#others.clear()
      this.#others.set(unit, known)
    }
    return known
  }

  holds(set: number, unitClass: number): boolean {
    return this.#members[unitClass]![set]!
  }

  #classify(unit: number): number {
    const members = this.#sets.map((set) => contains(set, unit))
    const signature = members.map(Number).join('')
    let known = this.#classBySignature.get(signature)
    if (known === undefined) {
      known = this.#members.push(members) - 1
      this.#classBySignature.set(signature, known)
    }
    return known
  }
}
