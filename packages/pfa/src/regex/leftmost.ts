// The leftmost longest match in time that grows with the subject alone, whatever the pattern: all beginnings at once.
import type { Alphabet } from './alphabet.ts'
import type { Program } from './program.ts'
import { holdsAt, type Subject } from './subject.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

/** A set of instructions, each with the earliest beginning that led to it, in rising order of beginnings. */
class Front {
  readonly places: number[] = []
  readonly starts: number[] = []
  readonly #seen: Uint8Array

  constructor(size: number) {
    this.#seen = new Uint8Array(size)
  }

  clear(): void {
    for (const place of this.places) this.#seen[place] = 0
    this.places.length = 0
    this.starts.length = 0
  }

  add(place: number, start: number): boolean {
    if (this.#seen[place] === 1) return false
    this.#seen[place] = 1
    this.places.push(place)
    this.starts.push(start)
    return true
  }
}

export function leftmostLongest(
  program: Program,
  alphabet: Alphabet,
  subject: Subject,
  from: number,
): Span | undefined {
  const { instructions } = program
  const { units } = subject
  let front = new Front(instructions.length)
  let following = new Front(instructions.length)
  let best: Span | undefined

  const pending: number[] = []
  const follow = (into: Front, place: number, start: number, at: number): void => {
    pending.push(place)
    while (pending.length > 0) {
      const next = pending.pop()!
      if (!into.add(next, start)) continue
      const instruction = instructions[next]!
      if (instruction.kind === 'fork') pending.push(instruction.second, instruction.first)
      else if (instruction.kind === 'assertion') {
        if (holdsAt(instruction.test, subject, at)) pending.push(instruction.next)
      } else if (instruction.kind === 'match') best = { start, end: at }
    }
  }

  for (let at = from; at <= units.length; at++) {
    if (best === undefined) follow(front, program.start, at, at)
    else if (front.places.length === 0) break
    if (at === units.length) break
    const unitClass = alphabet.classOf(units[at]!)
    for (let i = 0; i < front.places.length; i++) {
      const start = front.starts[i]!
      if (best !== undefined && start > best.start) break // an earlier beginning has matched
      const instruction = instructions[front.places[i]!]!
      if (instruction.kind === 'set' && alphabet.holds(instruction.set, unitClass)) {
        follow(following, instruction.next, start, at + 1)
      }
    }
    front.clear()
    const emptied = front
    front = following
    following = emptied
  }
  return best
}
