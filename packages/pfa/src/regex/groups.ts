// What the groups of a pattern matched: the tree and the span of the whole match come in, spans by group go out.
//
// The rule of POSIX: consistent with the whole match, each part from left to right takes the longest it can, a part before
// the parts inside it. So a span is divided from the outside in: the first part of a sequence takes the longest beginning
// that leaves what the rest can match, and so on. What can match where is found by running the parts' own programs.
import type { Alphabet } from './alphabet.ts'
import type { Span } from './leftmost.ts'
import { makeProgram, type Program } from './program.ts'
import { holdsAt, type Subject } from './subject.ts'
import type { Node } from './syntax.ts'

/** Marks of places from `first` on. */
interface Places {
  readonly first: number
  readonly marks: Uint8Array
}

function has(places: Places, at: number): boolean {
  return places.marks[at - places.first] === 1
}

export class GroupFinder {
  readonly #root: Node
  readonly #alphabet: Alphabet
  readonly #forward = new Map<Node, Program>()
  readonly #backward = new Map<Node, Program>()

  constructor(root: Node, alphabet: Alphabet) {
    this.#root = root
    this.#alphabet = alphabet
  }

  /** By group; undefined where a group took no part. The first is the whole match. */
  find(subject: Subject, { start, end }: Span, groups: number): (Span | undefined)[] {
    const found = new Array<Span | undefined>(groups + 1).fill(undefined)
    found[0] = { start, end }
    if (groups > 0) this.#divide(this.#root, subject, start, end, found)
    return found
  }

  #divide(node: Node, subject: Subject, start: number, end: number, found: (Span | undefined)[]): void {
    switch (node.kind) {
      case 'group':
        found.fill(undefined, node.index + 1, node.last + 1) // of what it matched before, nothing is reported
        found[node.index] = { start, end }
        this.#divide(node.body, subject, start, end, found)
        break
      case 'choice': {
        const option = node.options.find((candidate) => has(this.#ends(candidate, subject, start, end), end))
        this.#divide(option!, subject, start, end, found)
        break
      }
      case 'optional':
        if (start === end && !node.mayBeEmpty) break
        if (has(this.#ends(node.body, subject, start, end), end)) this.#divide(node.body, subject, start, end, found)
        break
      case 'sequence':
        this.#divideSequence(node.parts, subject, start, end, found)
        break
      case 'repeat':
        this.#divideRepeat(node, subject, start, end, found)
        break
      default:
    }
  }

  #divideSequence(
    parts: readonly Node[],
    subject: Subject,
    start: number,
    end: number,
    found: (Span | undefined)[],
  ): void {
    // From the right: where may each part begin, so that it and those after it reach the end exactly?
    const reach: Places[] = [marked(start, end, end)]
    for (let i = parts.length - 1; i > 0; i--) reach.push(this.#starts(parts[i]!, subject, start, end, reach.at(-1)!))
    reach.reverse()
    let at = start
    parts.forEach((part, i) => {
      const ends = this.#ends(part, subject, at, end)
      let to = end
      while (!has(ends, to) || !has(reach[i]!, to)) to--
      this.#divide(part, subject, at, to, found)
      at = to
    })
  }

  /** Only the last time round is reported. */
  #divideRepeat(
    node: Extract<Node, { kind: 'repeat' }>,
    subject: Subject,
    start: number,
    end: number,
    found: (Span | undefined)[],
  ): void {
    if (start === end) {
      const matchesEmpty = node.mayBeEmpty && has(this.#ends(node.body, subject, start, end), end)
      if (matchesEmpty) this.#divide(node.body, subject, start, end, found)
      return
    }
    const reach = this.#starts(node, subject, start, end, marked(start, end, end))
    let from = start
    let to = start
    while (to < end) {
      from = to
      const ends = this.#ends(node.body, subject, from, end)
      to = end
      while (!has(ends, to) || !has(reach, to)) to--
    }
    this.#divide(node.body, subject, from, to, found)
  }

  /** Where matches of `node` that begin at `start` may end, up to `end`. */
  #ends(node: Node, subject: Subject, start: number, end: number): Places {
    const program = programFor(this.#forward, node, false)
    const ends: Places = { first: start, marks: new Uint8Array(end - start + 1) }
    let front = [program.start]
    for (let at = start; front.length > 0; at++) {
      const { sets, matches } = this.#settle(program, front, subject, at)
      if (matches) ends.marks[at - start] = 1
      front = at < end ? this.#step(program, sets, subject.units[at]!) : []
    }
    return ends
  }

  /** Where matches of `node` that end at one of `targets` may begin, down to `start`. */
  #starts(node: Node, subject: Subject, start: number, end: number, targets: Places): Places {
    const program = programFor(this.#backward, node, true)
    const starts: Places = { first: start, marks: new Uint8Array(end - start + 1) }
    let front: number[] = []
    for (let at = end; at >= start; at--) {
      if (has(targets, at)) front.push(program.start)
      const { sets, matches } = this.#settle(program, front, subject, at)
      if (matches) starts.marks[at - start] = 1
      front = at > start ? this.#step(program, sets, subject.units[at - 1]!) : []
    }
    return starts
  }

  /** Follows what takes no unit: the places that take one, and whether a match is complete. */
  #settle(program: Program, front: number[], subject: Subject, at: number): { sets: number[]; matches: boolean } {
    const seen = new Set<number>()
    const sets: number[] = []
    let matches = false
    const pending = front
    while (pending.length > 0) {
      const place = pending.pop()!
      if (seen.has(place)) continue
      seen.add(place)
      const instruction = program.instructions[place]!
      if (instruction.kind === 'set') sets.push(place)
      else if (instruction.kind === 'fork') pending.push(instruction.first, instruction.second)
      else if (instruction.kind === 'match') matches = true
      else if (instruction.kind === 'assertion') {
        if (holdsAt(instruction.test, subject, at)) pending.push(instruction.next)
      }
    }
    return { sets, matches }
  }

  #step(program: Program, sets: number[], unit: number): number[] {
    const unitClass = this.#alphabet.classOf(unit)
    const next: number[] = []
    for (const place of sets) {
      const instruction = program.instructions[place]!
      if (instruction.kind === 'set' && this.#alphabet.holds(instruction.set, unitClass)) next.push(instruction.next)
    }
    return next
  }
}

function programFor(known: Map<Node, Program>, node: Node, backward: boolean): Program {
  let program = known.get(node)
  if (program === undefined) {
    program = makeProgram(node, { backward })
    known.set(node, program)
  }
  return program
}

function marked(start: number, end: number, at: number): Places {
  const marks = new Uint8Array(end - start + 1)
  marks[at - start] = 1
  return { first: start, marks }
}
