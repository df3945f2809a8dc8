// Patterns into trees: the units of a POSIX extended regular expression come in, a `Pattern` goes out, or undefined where
// they are none.
//
// Beyond POSIX, as in the GNU C library: back references, `\w \W \s \S`, and the assertions `\b \B \< \> \` \'`. A
// backslash before any other character means that character. Operators with nothing to operate on are refused.
import type { CharacterSet } from './alphabet.ts'
import { BracketReader } from './bracket.ts'
import { type Assertion, BadPattern, type Node, type Pattern, type UnitKind } from './syntax.ts'

const MOST_REPEATS = 32767
/** Repeats are written out, so their product is bounded. */
const MOST_NODES = 20_000
const DEEPEST = 250

export function parsePattern(units: ArrayLike<number>, kind: UnitKind): Pattern | undefined {
  try {
    return new PatternReader(units, kind).read()
  } catch (error) {
    if (error instanceof BadPattern) return undefined
    throw error
  }
}

const EMPTY: Node = { kind: 'empty' }

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ['b', 'boundary'],
  ['B', 'no boundary'],
  ['<', 'word start'],
  ['>', 'word end'],
  ['`', 'start'],
  ["'", 'end'],
])

class PatternReader {
  readonly #units: ArrayLike<number>
  readonly #kind: UnitKind
  readonly #sets: CharacterSet[] = []
  readonly #literals = new Map<number, Node>()
  readonly #finishedGroups = new Set<number>()
  readonly #references = new Set<number>()
  #at = 0
  #groups = 0
  #depth = 0
  #nodes = 0
  #hasAssertions = false

  constructor(units: ArrayLike<number>, kind: UnitKind) {
    this.#units = units
    this.#kind = kind
  }

  read(): Pattern {
    const root = this.#choice()
    if (this.#at < this.#units.length) throw new BadPattern() // only an unmatched parenthesis inside a group leads here
    if (this.#hasAssertions) this.#set({ negated: false, ranges: [], predicates: [this.#kind.isWord] })
    return {
      root,
      sets: this.#sets,
      groups: this.#groups,
      hasAssertions: this.#hasAssertions,
      references: this.#references,
    }
  }

  /** The character here, or an empty text at the end; units that are no ASCII are no operators. */
  #peek(): string {
    const unit = this.#units[this.#at]
    return unit === undefined ? '' : unit < 128 ? String.fromCharCode(unit) : '\uffff'
  }

  #isBranchEnd(): boolean {
    const next = this.#peek()
    return next === '' || next === '|' || (next === ')' && this.#depth > 0)
  }

  #choice(): Node {
    const options = [this.#sequence()]
    while (this.#peek() === '|') {
      this.#at++
      options.push(this.#sequence())
    }
    return options.length === 1 ? options[0]! : { kind: 'choice', options }
  }

  #sequence(): Node {
    const parts: Node[] = []
    while (!this.#isBranchEnd()) parts.push(this.#repeated())
    return parts.length === 0 ? EMPTY : parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
  }

  #repeated(): Node {
    const start = this.#nodes
    let node = this.#atom()
    if (node.kind === 'assertion') return node // what follows it cannot repeat it, and is refused as an atom
    for (;;) {
      const size = this.#nodes - start
      switch (this.#peek()) {
        case '*':
          this.#at++
          node = { kind: 'repeat', body: node, most: Number.POSITIVE_INFINITY, mayBeEmpty: true }
          break
        case '+':
          this.#at++
          node = this.#times(node, size, 1, Number.POSITIVE_INFINITY)
          break
        case '?':
          this.#at++
          node = { kind: 'repeat', body: node, most: 1, mayBeEmpty: true }
          break
        case '{': {
          this.#at++
          const [least, most] = this.#bounds()
          node = this.#times(node, size, least, most)
          break
        }
        default:
          return node
      }
    }
  }

  /** `{least,most}`: that many copies, then those that may be missing. */
  #times(body: Node, size: number, least: number, most: number): Node {
    this.#count(size * (Number.isFinite(most) ? most : least))
    const parts = Array.from({ length: least }, () => body)
    if (most > least) parts.push({ kind: 'repeat', body, most: most - least, mayBeEmpty: least === 0 })
    return parts.length === 0 ? EMPTY : parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
  }

  #bounds(): [number, number] {
    const least = this.#number()
    let most = least
    if (this.#peek() === ',') {
      this.#at++
      most = this.#number() ?? Number.POSITIVE_INFINITY
    }
    if (most === undefined || most < (least ?? 0) || this.#peek() !== '}') throw new BadPattern()
    this.#at++
    return [least ?? 0, most]
  }

  #number(): number | undefined {
    let value: number | undefined
    for (let digit = this.#peek(); digit >= '0' && digit <= '9'; digit = this.#peek()) {
      value = (value ?? 0) * 10 + Number(digit)
      if (value > MOST_REPEATS) throw new BadPattern()
      this.#at++
    }
    return value
  }

  #atom(): Node {
    this.#count(1)
    const next = this.#peek()
    switch (next) {
      case '*':
      case '+':
      case '?':
      case '{':
        throw new BadPattern()
      case '(':
        return this.#group()
      case '[': {
        const bracket = new BracketReader(this.#units, this.#at + 1, this.#kind)
        const set = bracket.read()
        this.#at = bracket.end
        return this.#set(set)
      }
      case '.':
        this.#at++
        return this.#set({ negated: true, ranges: [[0, 0]], predicates: [] })
      case '^':
        this.#at++
        return this.#assertion('start')
      case '$':
        this.#at++
        return this.#assertion('end')
      case '\\':
        this.#at++
        return this.#escape()
      default:
        return this.#character()
    }
  }

  #group(): Node {
    if (++this.#depth > DEEPEST) throw new BadPattern()
    this.#at++
    const index = ++this.#groups
    const body = this.#choice()
    if (this.#peek() !== ')') throw new BadPattern()
    this.#at++
    this.#depth--
    this.#finishedGroups.add(index)
    return { kind: 'group', index, last: this.#groups, body }
  }

  #escape(): Node {
    const next = this.#peek()
    if (next === '') throw new BadPattern()
    const test = ASSERTIONS.get(next)
    if (test !== undefined) {
      this.#at++
      return this.#assertion(test)
    }
    if (next >= '1' && next <= '9') {
      this.#at++
      const index = Number(next)
      if (!this.#finishedGroups.has(index)) throw new BadPattern()
      this.#references.add(index)
      return { kind: 'reference', index }
    }
    const lower = next.toLowerCase()
    if (lower === 'w' || lower === 's') {
      this.#at++
      const predicate = lower === 'w' ? this.#kind.isWord : this.#kind.classes.get('space')!
      return this.#set({ negated: next !== lower, ranges: [], predicates: [predicate] })
    }
    return this.#character()
  }

  /** A character that stands for itself; in bytes it may take several. */
  #character(): Node {
    const width = this.#kind.width(this.#units, this.#at)
    const parts: Node[] = []
    for (let i = 0; i < width; i++) parts.push(this.#literal(this.#units[this.#at++]!))
    return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
  }

  #literal(unit: number): Node {
    let node = this.#literals.get(unit)
    if (node === undefined) {
      node = this.#set({ negated: false, ranges: [[unit, unit]], predicates: [] })
      this.#literals.set(unit, node)
    }
    return node
  }

  #set(set: CharacterSet): Node {
    return { kind: 'set', set: this.#sets.push(set) - 1 }
  }

  #assertion(test: Assertion): Node {
    this.#hasAssertions = true
    return { kind: 'assertion', test }
  }

  #count(more: number): void {
    this.#nodes += more
    if (this.#nodes > MOST_NODES) throw new BadPattern()
  }
}
