// Bracket expressions: the units after `[` come in, a character set goes out.
import type { CharacterSet } from './alphabet.ts'
import { BadPattern, type UnitKind } from './syntax.ts'

const HYPHEN = 0x2d
const CLOSE = 0x5d
const OPEN = 0x5b

/** `[:name:]`, `[=c=]` and `[.c.]`. */
const ENCLOSED: ReadonlySet<number> = new Set([0x3a, 0x3d, 0x2e])

export class BracketReader {
  readonly #units: ArrayLike<number>
  readonly #kind: UnitKind
  #at: number
  readonly #ranges: [number, number][] = []
  readonly #predicates: ((unit: number) => boolean)[] = []

  constructor(units: ArrayLike<number>, at: number, kind: UnitKind) {
    this.#units = units
    this.#at = at
    this.#kind = kind
  }

  /** After the closing bracket. */
  get end(): number {
    return this.#at
  }

  read(): CharacterSet {
    const negated = this.#units[this.#at] === 0x5e
    if (negated) this.#at++
    const first = this.#at
    while (this.#at === first || this.#units[this.#at] !== CLOSE) this.#element(this.#at === first)
    this.#at++
    return { negated, ranges: this.#ranges, predicates: this.#predicates }
  }

  /** One member, or a range of them. A hyphen stands for itself only at the beginning and at the end. */
  #element(isFirst: boolean): void {
    if (!isFirst && this.#units[this.#at] === HYPHEN && this.#units[this.#at + 1] !== CLOSE) throw new BadPattern()
    const low = this.#member()
    if (this.#units[this.#at] !== HYPHEN || this.#units[this.#at + 1] === CLOSE) {
      if (low !== undefined) this.#ranges.push([low, low])
      return
    }
    this.#at++
    const high = this.#member()
    if (low === undefined || high === undefined || low > high) throw new BadPattern()
    this.#ranges.push([low, high])
  }

  /** Undefined after a class, which is no end of a range. */
  #member(): number | undefined {
    const unit = this.#units[this.#at]
    if (unit === undefined) throw new BadPattern()
    const delimiter = this.#units[this.#at + 1]
    if (unit !== OPEN || delimiter === undefined || !ENCLOSED.has(delimiter)) {
      this.#at++
      return unit
    }
    const name = this.#enclosed(delimiter)
    if (delimiter !== 0x3a) {
      if (name.length !== 1) throw new BadPattern()
      return name[0]!
    }
    const predicate = this.#kind.classes.get(String.fromCodePoint(...name))
    if (predicate === undefined) throw new BadPattern()
    this.#predicates.push(predicate)
    return undefined
  }

  #enclosed(delimiter: number): number[] {
    this.#at += 2
    const name: number[] = []
    while (this.#units[this.#at] !== delimiter || this.#units[this.#at + 1] !== CLOSE) {
      const unit = this.#units[this.#at++]
      if (unit === undefined) throw new BadPattern()
      name.push(unit)
    }
    this.#at += 2
    return name
  }
}
