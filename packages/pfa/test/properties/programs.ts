// Random documents that compute: a seed comes in, a document with cells, pools, loops, functions and arithmetic goes out.

// biome-ignore-all lint/suspicious/noThenProperty: `then` is a word of the language
type Kind = 'int' | 'long' | 'float' | 'double' | 'boolean'
type Json = unknown

/** Numbers that follow from the seed alone. */
class Dice {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0 || 1
  }

  below(limit: number): number {
    this.state ^= this.state << 13
    this.state ^= this.state >>> 17
    this.state ^= this.state << 5
    return (this.state >>> 0) % limit
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }
}

const literals: Readonly<Record<Kind, readonly Json[]>> = {
  int: [0, 1, -1, 2, 7, -3, 100, 46341, 2147483647, -2147483648],
  long: [
    { long: 0 },
    { long: 1 },
    { long: -5 },
    { long: 3000000000 },
    { long: 9007199254740991n },
    { long: 9223372036854775807n },
    { long: -9223372036854775808n },
  ],
  float: [{ float: 0.5 }, { float: -1.25 }, { float: 16777217 }, { float: 1e30 }],
  double: [
    { double: 0 },
    { double: -0.5 },
    { double: 1.5 },
    { double: 1e300 },
    { '/': [0, 0] },
    { '/': [1, 0] },
    { '/': [-1, 0] },
  ],
  boolean: [true, false],
}

const numeric: readonly Kind[] = ['int', 'long', 'float', 'double']
const narrower: Readonly<Record<string, readonly Kind[]>> = {
  int: ['int'],
  long: ['int', 'long'],
  float: ['int', 'long', 'float'],
  double: numeric,
}

export class ProgramMaker {
  private readonly dice: Dice
  private names = 0
  /** Inside a loop nothing may grow: lists that double in every turn would never end. */
  private looping = 0

  constructor(seed: number) {
    this.dice = new Dice(seed)
  }

  document(): Json {
    const { dice } = this
    const output = dice.pick(numeric)
    const params = [{ p: 'int' }, { q: 'double' }]
    const scope = { input: 'int' as Kind }
    return {
      input: 'int',
      output,
      cells: {
        total: { type: 'long', init: 0 },
        counts: { type: { type: 'map', values: 'int' }, init: { a: 1, b: 2 } },
        list: { type: { type: 'array', items: 'int' }, init: [1, 2, 3] },
        table: { type: { type: 'array', items: { type: 'array', items: 'double' } }, init: [[1, 2], [3]] },
        kept: { type: 'int', init: 5, rollback: true },
      },
      pools: { pool: { type: 'int', init: { a: 3 } }, rolled: { type: 'long', rollback: true } },
      fcns: { f: { params, ret: 'double', do: [this.expression('double', 3, { p: 'int', q: 'double' }, false)] } },
      action: [
        ...this.statements(scope, 1 + dice.below(5), true),
        { upcast: this.expression(output, 4, scope, true), as: output },
      ],
    }
  }

  private name(): string {
    return `v${this.names++}`
  }

  /** Statements that declare symbols in `scope`, change cells and pools, and loop a few times. */
  private statements(scope: Record<string, Kind>, count: number, mayCall: boolean): Json[] {
    return Array.from({ length: count }, () => this.statement(scope, mayCall))
  }

  private body(scope: Record<string, Kind>, mayCall: boolean): Json[] {
    this.looping++
    const statements = this.statements(scope, 1, mayCall)
    this.looping--
    return statements
  }

  private statement(scope: Record<string, Kind>, mayCall: boolean): Json {
    const { dice } = this
    const value = (kind: Kind) => this.expression(kind, 3, scope, mayCall)
    const change = (type: Json, kind: Kind, old: string) => ({
      params: [{ [old]: type }],
      ret: type,
      do: [this.expression(kind, 2, { ...scope, [old]: kind }, false)],
    })
    switch (dice.below(13)) {
      case 0:
      case 1: {
        const kind = dice.pick(numeric)
        const expression = value(kind)
        const name = this.name()
        const statement = { let: { [name]: { upcast: expression, as: kind } } }
        scope[name] = kind
        return statement
      }
      case 2: {
        const settable = Object.keys(scope).filter((name) => name.startsWith('v'))
        if (settable.length === 0) return null
        const name = dice.pick(settable)
        return { set: { [name]: this.expression(scope[name] as Kind, 3, scope, mayCall) } }
      }
      case 3:
        return { cell: 'total', to: change('long', 'long', this.name()) }
      case 4:
        return { cell: 'counts', path: [{ string: dice.pick(['a', 'b', 'c']) }], to: change('int', 'int', this.name()) }
      case 5: {
        if (this.looping > 0) return null
        const old = this.name()
        const items = { type: 'array', items: 'int' }
        return { cell: 'list', to: { params: [{ [old]: items }], ret: items, do: { 'a.append': [old, value('int')] } } }
      }
      case 6:
        return {
          cell: 'table',
          path: [value('int'), dice.below(3)],
          to: dice.below(2) === 0 ? value('double') : change('double', 'double', this.name()),
        }
      case 7:
        return {
          pool: 'pool',
          path: [{ string: dice.pick(['a', 'b']) }],
          to: change('int', 'int', this.name()),
          init: value('int'),
        }
      case 8:
        return { pool: 'rolled', path: [{ string: 'k' }], to: change('long', 'long', this.name()), init: { long: 1 } }
      case 9:
        return { cell: 'kept', to: value('int') }
      case 10: {
        // Not settable: a loop whose variable is set in its body may never end.
        const name = `i${this.names++}`
        const inside = { ...scope, [name]: 'int' as Kind }
        return {
          for: { [name]: 0 },
          while: { '<': [name, dice.below(5)] },
          step: { [name]: { '+': [name, 1] } },
          do: this.statements(inside, 1, mayCall),
        }
      }
      case 11:
        return {
          if: value('boolean'),
          then: this.statements({ ...scope }, 2, mayCall),
          else: this.statements({ ...scope }, 1, mayCall),
        }
      default: {
        if (this.looping > 2) return null
        const name = this.name()
        const inside = { ...scope, [name]: 'int' as Kind }
        return { foreach: name, in: { cell: 'list' }, do: this.body(inside, mayCall) }
      }
    }
  }

  private expression(kind: Kind, depth: number, scope: Readonly<Record<string, Kind>>, mayCall: boolean): Json {
    const { dice } = this
    const fitting = Object.keys(scope).filter((name) => narrower[kind]?.includes(scope[name] as Kind))
    if (depth === 0 || dice.below(6) === 0) {
      return fitting.length > 0 && dice.below(3) > 0 ? dice.pick(fitting) : dice.pick(literals[kind])
    }
    const below = (of: Kind): Json => this.expression(of, depth - 1, scope, mayCall)
    return kind === 'boolean' ? this.test(below) : this.number(kind, depth, scope, mayCall, below)
  }

  private attempt(value: Json, otherwise: Json): Json {
    const name = this.name()
    return { ifnotnull: { [name]: { try: value } }, then: name, else: otherwise }
  }

  private test(below: (kind: Kind) => Json): Json {
    const { dice } = this
    if (dice.below(3) === 0)
      return dice.pick([
        { '&&': [below('boolean'), below('boolean')] },
        { '||': [below('boolean'), below('boolean')] },
        { '!': [below('boolean')] },
      ])
    const kind = dice.pick(numeric)
    return { [dice.pick(['<', '<=', '>', '>=', '==', '!='])]: [below(kind), below(dice.pick(numeric))] }
  }

  private number(
    kind: Kind,
    depth: number,
    scope: Readonly<Record<string, Kind>>,
    mayCall: boolean,
    below: (kind: Kind) => Json,
  ): Json {
    const { dice } = this
    const other = () => dice.pick(narrower[kind] as readonly Kind[])
    switch (dice.below(12)) {
      case 0:
        return { if: below('boolean'), then: below(kind), else: below(other()) }
      case 1: {
        const name = this.name()
        const inside = { ...scope, [name]: kind }
        return {
          do: [
            { let: { [name]: { upcast: below(kind), as: kind } } },
            this.expression(kind, depth - 1, inside, mayCall),
          ],
        }
      }
      case 2:
        return { [dice.pick(['min', 'max'])]: [below(kind), below(other())] }
      case 3:
        return { 'u-': [below(kind)] }
      case 4:
        if (kind === 'double')
          return mayCall ? { 'u.f': [below('int'), below('double')] } : { '/': [below('double'), below('int')] }
        return { attr: { type: { type: 'array', items: kind }, new: [below(kind), below(kind)] }, path: [below('int')] }
      case 5:
        if (kind === 'int') return { 'a.len': [{ cell: 'list' }] }
        return this.attempt(below(kind), below(kind))
      case 6: {
        const name = this.name()
        const body = this.expression(kind, depth - 1, { ...scope, [name]: 'int' }, false)
        return {
          attr: { 'a.map': [{ cell: 'list' }, { params: [{ [name]: 'int' }], ret: kind, do: body }] },
          path: [0],
        }
      }
      case 7:
        if (kind !== 'int' && kind !== 'long') return { '%': [below(kind), below(other())] }
        return { [dice.pick(['//', '%', '%%'])]: [below(kind), below(other())] }
      default:
        return { [dice.pick(['+', '-', '*'])]: [below(kind), below(other())] }
    }
  }
}
