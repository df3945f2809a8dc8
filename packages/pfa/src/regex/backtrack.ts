// Patterns with back references, which no automaton can match: all ways are tried, but none twice.
//
// A way is told by its place in the program and in the subject and by what the groups hold that are referred to. So the
// time is bounded by a power of the length of the subject, and `tick` is called on the way.
import type { Alphabet } from './alphabet.ts'
import type { Span } from './leftmost.ts'
import type { Program } from './program.ts'
import { holdsAt, type Subject } from './subject.ts'

const TICK_EVERY = 1024

interface Way {
  readonly place: number
  readonly at: number
  /** Begin and end of each group, two by two; -1 where it has none. */
  readonly groups: readonly number[]
}

export class Backtracker {
  readonly #program: Program
  readonly #alphabet: Alphabet
  readonly #groups: number
  readonly #references: readonly number[]

  constructor(program: Program, alphabet: Alphabet, groups: number, references: Iterable<number>) {
    this.#program = program
    this.#alphabet = alphabet
    this.#groups = groups
    this.#references = [...references]
  }

  /** The leftmost longest match from `from` on, with its groups. */
  search(subject: Subject, from: number, tick: () => void): (Span | undefined)[] | undefined {
    for (let start = from; start <= subject.units.length; start++) {
      const found = this.#longest(subject, start, tick)
      if (found !== undefined) return found
    }
    return undefined
  }

  #longest(subject: Subject, start: number, tick: () => void): (Span | undefined)[] | undefined {
    const seen = new Set<string>()
    const none = new Array<number>(2 * this.#groups + 2).fill(-1)
    const pending: Way[] = [{ place: this.#program.start, at: start, groups: none }]
    let best: Way | undefined
    let steps = 0
    while (pending.length > 0) {
      if (++steps % TICK_EVERY === 0) tick()
      const way = pending.pop()!
      const key = this.#key(way)
      if (seen.has(key)) continue
      seen.add(key)
      if (this.#program.instructions[way.place]!.kind !== 'match') this.#follow(subject, way, pending)
      else if (best === undefined || way.at > best.at) best = way
      if (best?.at === subject.units.length) break
    }
    return best && spans(start, best)
  }

  #key({ place, at, groups }: Way): string {
    let key = `${place},${at}`
    for (const group of this.#references) key += `,${groups[2 * group]},${groups[2 * group + 1]}`
    return key
  }

  /** The preferred way is pushed last: it is tried first. */
  #follow(subject: Subject, { place, at, groups }: Way, pending: Way[]): void {
    const { units } = subject
    const instruction = this.#program.instructions[place]!
    switch (instruction.kind) {
      case 'set':
        if (at < units.length && this.#alphabet.holds(instruction.set, this.#alphabet.classOf(units[at]!))) {
          pending.push({ place: instruction.next, at: at + 1, groups })
        }
        break
      case 'assertion':
        if (holdsAt(instruction.test, subject, at)) pending.push({ place: instruction.next, at, groups })
        break
      case 'fork':
        pending.push({ place: instruction.second, at, groups }, { place: instruction.first, at, groups })
        break
      case 'open':
      case 'close': {
        const index = 2 * instruction.group + (instruction.kind === 'open' ? 0 : 1)
        pending.push({ place: instruction.next, at, groups: groups.with(index, at) })
        break
      }
      case 'reference': {
        const begin = groups[2 * instruction.group]!
        const end = groups[2 * instruction.group + 1]!
        if (begin < 0 || end < begin) break // a group that has matched nothing cannot be matched again
        for (let i = begin; i < end; i++) if (units[i] !== units[at + i - begin]) return
        pending.push({ place: instruction.next, at: at + end - begin, groups })
        break
      }
      case 'match':
        break
    }
  }
}

function spans(start: number, { at, groups }: Way): (Span | undefined)[] {
  const found: (Span | undefined)[] = [{ start, end: at }]
  for (let i = 2; i < groups.length; i += 2) {
    const begin = groups[i]!
    const end = groups[i + 1]!
    found.push(begin >= 0 && end >= begin ? { start: begin, end } : undefined)
  }
  return found
}
