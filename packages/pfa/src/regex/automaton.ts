// The longest match from a given place: a program comes in, once; it is turned into a deterministic automaton while it
// runs, one state at a time, so that a unit costs one look into a table.
import { type Alphabet, END } from './alphabet.ts'
import type { Program } from './program.ts'
import { holdsBetween } from './subject.ts'

/** What stands before a place, as far as assertions ask for it. */
const AFTER_NOTHING = 0
const AFTER_WORD = 1
const AFTER_OTHER = 2

interface State {
  /** Instructions to go on at, sorted. */
  readonly kernel: Uint32Array
  readonly before: number
  /** By class of the unit that follows: the next state, null where there is none, undefined where not yet known. */
  readonly next: (State | null | undefined)[]
  /** By class of the unit that follows: may a match end here? */
  readonly accepts: boolean[]
}

/** How much is kept of the states made so far, in instructions. */
const LARGEST = 500_000

export class Automaton {
  readonly #program: Program
  readonly #alphabet: Alphabet
  /** The set of word characters, where the pattern has assertions. */
  readonly #wordSet: number | undefined
  #states = new Map<string, State>()
  #size = 0
  /** By instruction: the turn in which it was last followed, and in which it was last gone to. */
  readonly #seen: Uint32Array
  readonly #entered: Uint32Array
  #turn = 0
  /** By what stands before. */
  readonly #startStates: (State | undefined)[] = []

  constructor(program: Program, alphabet: Alphabet, wordSet: number | undefined) {
    this.#program = program
    this.#alphabet = alphabet
    this.#wordSet = wordSet
    this.#seen = new Uint32Array(program.instructions.length)
    this.#entered = new Uint32Array(program.instructions.length)
  }

  /** What has been done so far, in units looked at and instructions followed, for the caller to see it get out of hand. */
  work = 0

  /** The end of the longest match that begins at `start`, or -1. */
  longest(units: ArrayLike<number>, start: number): number {
    const alphabet = this.#alphabet
    let state = this.#startState(units, start)
    let best = -1
    for (let at = start; ; at++) {
      const unitClass = at < units.length ? alphabet.classOf(units[at]!) : END
      let next = state.next[unitClass]
      if (next === undefined) next = this.#advance(state, unitClass)
      if (state.accepts[unitClass]) best = at
      if (next === null) {
        this.work += at - start + 1
        return best
      }
      state = next
    }
  }

  #startState(units: ArrayLike<number>, start: number): State {
    const isFirst = this.#wordSet === undefined || start === 0
    const before = isFirst ? AFTER_NOTHING : this.#after(this.#alphabet.classOf(units[start - 1]!))
    let state = this.#startStates[before]
    if (state === undefined) {
      state = { kernel: Uint32Array.of(this.#program.start), before, next: [], accepts: [] }
      this.#startStates[before] = state
    }
    return state
  }

  #after(unitClass: number): number {
    if (this.#wordSet === undefined) return AFTER_NOTHING
    return this.#alphabet.holds(this.#wordSet, unitClass) ? AFTER_WORD : AFTER_OTHER
  }

  #state(kernel: Uint32Array, before: number): State {
    const key = `${before}:${kernel.join()}`
    let state = this.#states.get(key)
    if (state === undefined) {
      // Old states stay alive only as long as a running search holds them.
      if (this.#size > LARGEST) {
        this.#states = new Map()
        this.#startStates.length = 0
        this.#size = 0
      }
      this.#size += kernel.length + 10
      state = { kernel, before, next: [], accepts: [] }
      this.#states.set(key, state)
    }
    return state
  }

  /** Fills in what follows a state where a unit of this class comes next. */
  #advance(state: State, unitClass: number): State | null {
    const { instructions } = this.#program
    const turn = ++this.#turn
    const pending = [...state.kernel]
    const kernel: number[] = []
    let accepts = false
    while (pending.length > 0) {
      const place = pending.pop()!
      if (this.#seen[place] === turn) continue
      this.#seen[place] = turn
      this.work++
      const instruction = instructions[place]!
      switch (instruction.kind) {
        case 'match':
          accepts = true
          break
        case 'set':
          if (unitClass === END || !this.#alphabet.holds(instruction.set, unitClass)) break
          if (this.#entered[instruction.next] === turn) break
          this.#entered[instruction.next] = turn
          kernel.push(instruction.next)
          break
        case 'fork':
          pending.push(instruction.first, instruction.second)
          break
        case 'assertion':
          if (this.#holds(instruction.test, state.before, unitClass)) pending.push(instruction.next)
          break
        default:
          pending.push(instruction.next)
      }
    }
    const next = kernel.length === 0 ? null : this.#state(Uint32Array.from(kernel).sort(), this.#after(unitClass))
    state.accepts[unitClass] = accepts
    state.next[unitClass] = next
    return next
  }

  #holds(test: Parameters<typeof holdsBetween>[0], before: number, unitClass: number): boolean {
    const wordAfter = unitClass !== END && this.#alphabet.holds(this.#wordSet!, unitClass)
    return holdsBetween(test, before === AFTER_NOTHING, unitClass === END, before === AFTER_WORD, wordAfter)
  }
}
