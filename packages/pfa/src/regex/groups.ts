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

type Repeat = Extract<Node, { kind: 'repeat' }>

function containsGroup(node: Node): boolean {
  switch (node.kind) {
    case 'group':
      return true
    case 'sequence':
      return node.parts.some(containsGroup)
    case 'choice':
      return node.options.some(containsGroup)
    case 'repeat':
      return containsGroup(node.body)
    default:
      return false
  }
}

export class GroupFinder {
  readonly #root: Node
  readonly #alphabet: Alphabet
  readonly #forward = new Map<Node, Runner>()
  readonly #backward = new Map<Node, Runner>()
  readonly #groupful = new Map<Node, boolean>()
  /** By repeat, then by turns done. */
  readonly #rests = new Map<Node, Node[]>()

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
    if (!this.#hasGroups(node)) return
    switch (node.kind) {
      case 'group':
        found.fill(undefined, node.index + 1, node.last + 1) // of what it matched before, nothing is reported
        found[node.index] = { start, end }
        this.#divide(node.body, subject, start, end, found)
        break
      case 'choice': {
        const option = node.options.find((candidate) => this.#matches(candidate, subject, start, end))
        this.#divide(option!, subject, start, end, found)
        break
      }
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
      const to = this.#farthest(part, subject, at, end, reach[i]!)
      this.#divide(part, subject, at, to, found)
      at = to
    })
  }

  /** Only the last time round is reported. */
  #divideRepeat(node: Repeat, subject: Subject, start: number, end: number, found: (Span | undefined)[]): void {
    if (start === end) {
      const takesPart = node.mayBeEmpty && this.#matches(node.body, subject, start, end)
      if (takesPart) this.#divide(node.body, subject, start, end, found)
      return
    }
    const last = marked(start, end, end)
    const isEndless = !Number.isFinite(node.most)
    let reach = this.#starts(this.#afterTurns(node, 1), subject, start, end, last)
    let from = start
    let to = this.#farthest(node.body, subject, from, end, reach)
    for (let turn = 2; to < end; turn++) {
      from = to
      if (!isEndless) reach = this.#starts(this.#afterTurns(node, turn), subject, from, end, last)
      to = this.#farthest(node.body, subject, from, end, reach)
    }
    this.#divide(node.body, subject, from, to, found)
  }

  /** What is left of a repeat after so many turns. */
  #afterTurns(node: Repeat, turns: number): Node {
    if (!Number.isFinite(node.most)) return node
    let rests = this.#rests.get(node)
    if (rests === undefined) {
      rests = []
      this.#rests.set(node, rests)
    }
    rests[turns] ??= { ...node, most: node.most - turns }
    return rests[turns]
  }

  #hasGroups(node: Node): boolean {
    let known = this.#groupful.get(node)
    if (known === undefined) {
      known = containsGroup(node)
      this.#groupful.set(node, known)
    }
    return known
  }

  #matches(node: Node, subject: Subject, start: number, end: number): boolean {
    return this.#farthest(node, subject, start, end, marked(end, end, end)) === end
  }

  /** The last of the `targets` at which a match of `node` that begins at `start` may end; -1 where there is none. */
  #farthest(node: Node, subject: Subject, start: number, end: number, targets: Places): number {
    const run = this.#runner(this.#forward, node, false)
    let farthest = -1
    run.clear()
    run.enter()
    for (let at = start; run.isAlive(); at++) {
      if (run.settle(subject, at) && has(targets, at)) farthest = at
      if (at === end) break
      run.step(subject.units[at]!)
    }
    return farthest
  }

  /** Where matches of `node` that end at one of `targets` may begin, down to `start`. */
  #starts(node: Node, subject: Subject, start: number, end: number, targets: Places): Places {
    const run = this.#runner(this.#backward, node, true)
    const starts: Places = { first: start, marks: new Uint8Array(end - start + 1) }
    run.clear()
    for (let at = end; at >= start; at--) {
      if (has(targets, at)) run.enter()
      if (run.settle(subject, at)) starts.marks[at - start] = 1
      if (at > start) run.step(subject.units[at - 1]!)
    }
    return starts
  }

  #runner(known: Map<Node, Runner>, node: Node, backward: boolean): Runner {
    let runner = known.get(node)
    if (runner === undefined) {
      runner = new Runner(makeProgram(node, { backward }), this.#alphabet)
      known.set(node, runner)
    }
    return runner
  }
}

/** Runs a program over units, all ways at once. Keeps its arrays, so that running allocates nothing. */
class Runner {
  readonly #program: Program
  readonly #alphabet: Alphabet
  /** Where to go on, and, after settling, the places that take a unit. */
  #front: number[] = []
  #settled: number[] = []
  /** By place: the turn in which it was last seen. */
  readonly #seen: Uint32Array
  #turn = 0

  constructor(program: Program, alphabet: Alphabet) {
    this.#program = program
    this.#alphabet = alphabet
    this.#seen = new Uint32Array(program.instructions.length)
  }

  clear(): void {
    this.#front.length = 0
  }

  enter(): void {
    this.#front.push(this.#program.start)
  }

  isAlive(): boolean {
    return this.#front.length > 0
  }

  /** Follows what takes no unit; true where a match is complete. */
  settle(subject: Subject, at: number): boolean {
    const { instructions } = this.#program
    const pending = this.#front
    const seen = this.#seen
    const turn = ++this.#turn
    let matches = false
    this.#settled.length = 0
    while (pending.length > 0) {
      const place = pending.pop()!
      if (seen[place] === turn) continue
      seen[place] = turn
      const instruction = instructions[place]!
      if (instruction.kind === 'set') this.#settled.push(place)
      else if (instruction.kind === 'fork') pending.push(instruction.first, instruction.second)
      else if (instruction.kind === 'match') matches = true
      else if (instruction.kind === 'assertion') {
        if (holdsAt(instruction.test, subject, at)) pending.push(instruction.next)
      }
    }
    return matches
  }

  step(unit: number): void {
    const unitClass = this.#alphabet.classOf(unit)
    for (const place of this.#settled) {
      const instruction = this.#program.instructions[place]!
      if (instruction.kind === 'set' && this.#alphabet.holds(instruction.set, unitClass)) {
        this.#front.push(instruction.next)
      }
    }
  }
}

function marked(start: number, end: number, at: number): Places {
  const marks = new Uint8Array(end - start + 1)
  marks[at - start] = 1
  return { first: start, marks }
}
