// POSIX extended regular expressions: a pattern comes in, once; leftmost longest matches in any number of subjects go out.
//
// Matching takes time in proportion to the subject, except for patterns with back references. Assertions see the whole
// subject: `^` holds at its beginning only, not where a later search begins.
import { Alphabet } from './alphabet.ts'
import { Automaton } from './automaton.ts'
import { Backtracker } from './backtrack.ts'
import { GroupFinder } from './groups.ts'
import { leftmostLongest, type Span } from './leftmost.ts'
import { parsePattern } from './parse.ts'
import { makeProgram, type Program } from './program.ts'
import type { Subject } from './subject.ts'
import type { Pattern, UnitKind } from './syntax.ts'

export type { Span } from './leftmost.ts'

/** What most searches need to begin with, while the automaton grows. */
const ENOUGH = 10_000

/** Undefined where the units are no pattern. */
export function makeRegex(units: ArrayLike<number>, kind: UnitKind): Regex | undefined {
  const pattern = parsePattern(units, kind)
  return pattern && new Regex(pattern, kind)
}

export class Regex {
  readonly #pattern: Pattern
  readonly #kind: UnitKind
  readonly #alphabet: Alphabet
  readonly #program: Program
  readonly #automaton: Automaton
  readonly #groups: GroupFinder
  readonly #backtracker: Backtracker | undefined

  constructor(pattern: Pattern, kind: UnitKind) {
    this.#pattern = pattern
    this.#kind = kind
    this.#alphabet = new Alphabet(pattern.sets)
    this.#program = makeProgram(pattern.root, { withGroups: pattern.references.size > 0 })
    const wordSet = pattern.hasAssertions ? pattern.sets.length - 1 : undefined
    this.#automaton = new Automaton(this.#program, this.#alphabet, wordSet)
    this.#groups = new GroupFinder(pattern.root, this.#alphabet)
    if (pattern.references.size > 0) {
      this.#backtracker = new Backtracker(this.#program, this.#alphabet, pattern.groups, pattern.references)
    }
  }

  /** The leftmost longest match that begins at `from` or later. */
  search(units: ArrayLike<number>, from: number, tick: () => void): Span | undefined {
    const subject = this.#subject(units)
    if (this.#backtracker !== undefined) return this.#backtracker.search(subject, from, tick)?.[0]
    return this.#find(subject, from)
  }

  /** As `search`, with the groups: the first is the whole match, undefined are those that took no part. */
  searchGroups(units: ArrayLike<number>, from: number, tick: () => void): (Span | undefined)[] | undefined {
    const subject = this.#subject(units)
    if (this.#backtracker !== undefined) return this.#backtracker.search(subject, from, tick)
    const whole = this.#find(subject, from)
    return whole && this.#groups.find(subject, whole, this.#pattern.groups)
  }

  #subject(units: ArrayLike<number>): Subject {
    return { units, isWord: this.#kind.isWord }
  }

  /**
   * Tries beginnings one by one, which is fast where most fail at once. Where they do not, the work could grow with the
   * square of the length: then all remaining beginnings are tried together.
   */
  #find(subject: Subject, from: number): Span | undefined {
    const { units } = subject
    const automaton = this.#automaton
    const limit = automaton.work + 4 * (units.length - from) + ENOUGH
    for (let start = from; start <= units.length; start++) {
      const end = automaton.longest(units, start)
      if (end >= 0) return { start, end }
      if (automaton.work > limit) return leftmostLongest(this.#program, this.#alphabet, subject, start + 1)
    }
    return undefined
  }
}
