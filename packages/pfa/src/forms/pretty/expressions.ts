// Expressions of PrettyPFA come in, expressions of PFA go out: a Pratt parser, operators by binding power.
import { type DocumentValue, isObject, NumberLexeme } from '../document.ts'
import { callForms } from './calls.ts'
import { keywordForms } from './control.ts'
import { Cursor, keywords } from './cursor.ts'
import { readData } from './data.ts'
import type { Draft, Operand } from './draft.ts'
import { type Token, tokenize } from './lexer.ts'
import type { Scope } from './scope.ts'

interface Operator {
  readonly power: number
  readonly call: string
  /** Comparisons do not chain: `a < b < c` is refused. */
  readonly chains: boolean
}

/** From the loosest to the tightest. Every operator that chains groups to the left. */
const levels: readonly (readonly [symbols: Readonly<Record<string, string>>, chains: boolean])[] = [
  [{ '||': '||' }, true],
  [{ '^^': '^^' }, true],
  [{ '&&': '&&' }, true],
  [{}, true], // the prefix '!'
  [{ '==': '==', '!=': '!=', '<': '<', '<=': '<=', '>': '>', '>=': '>=' }, false],
  [{ '|': '|' }, true],
  [{ '^': '^' }, true],
  [{ '&': '&' }, true],
  [{ '+': '+', '-': '-' }, true],
  [{ '*': '*', '/': '/', idiv: '//', '%': '%', '%%': '%%' }, true],
  [{}, true], // the prefixes '-' and '~'
  [{ '**': '**' }, true],
]

export const infixOperators: ReadonlyMap<string, Operator> = new Map(
  levels.flatMap(([symbols, chains], level) =>
    Object.entries(symbols).map(([symbol, call]) => [symbol, { power: level + 1, call, chains }] as const),
  ),
)

export const prefixOperators: ReadonlyMap<string, { readonly power: number; readonly call: string }> = new Map([
  ['!', { power: 4, call: '!' }],
  ['-', { power: 11, call: 'u-' }],
  ['~', { power: 11, call: '~' }],
])

/** Deeper nesting would overflow the stack here or in the compiler. */
const maximumDepth = 500

export class ExpressionReader {
  readonly cursor: Cursor
  readonly scope: Scope
  #depth: number

  constructor(cursor: Cursor, scope: Scope, depth = 0) {
    this.cursor = cursor
    this.scope = scope
    this.#depth = depth
  }

  plain(value: Draft, offset: number): Operand {
    return { value, offset, kind: 'plain' }
  }

  /** Expressions between semicolons, up to the end of the section or the closing brace. */
  sequence(closed: () => boolean): Operand[] {
    const expressions = [this.expression()]
    while (this.cursor.accept(';')) {
      if (closed()) return expressions
      expressions.push(this.expression())
    }
    return expressions
  }

  expression(power = 0): Operand {
    this.#depth += 1
    if (this.#depth > maximumDepth) {
      throw this.cursor.error(this.cursor.peek().start, `expressions are nested more than ${maximumDepth} deep`)
    }
    let left = this.#postfix(this.#prefix())
    for (;;) {
      const token = this.cursor.peek()
      const operator = token.kind === 'symbol' || token.kind === 'word' ? infixOperators.get(token.text) : undefined
      if (operator === undefined || operator.power <= power) break
      this.cursor.next()
      const right = this.expression(operator.power)
      const args = this.scope.places.list(token.start, [left, right])
      left = this.plain(this.scope.places.object(left.offset, { [operator.call]: args }), left.offset)
      const next = infixOperators.get(this.cursor.peek().text)
      if (!operator.chains && next?.power === operator.power && this.cursor.peek().kind === 'symbol') {
        throw this.cursor.expected("the end of the comparison (join comparisons with '&&', or use parentheses)")
      }
    }
    this.#depth -= 1
    return left
  }

  #prefix(): Operand {
    const { cursor, scope } = this
    const token = cursor.peek()
    switch (token.kind) {
      case 'number':
        cursor.next()
        return this.plain(new NumberLexeme(token.text), token.start)
      case 'string':
        cursor.next()
        return this.plain(scope.places.object(token.start, { string: token.text }), token.start)
      case 'replacement':
        return this.#replacement(cursor.next())
      case 'quoted':
        cursor.next()
        return this.#named(token, token.text, token.text)
      case 'word':
        return this.#word(token)
      case 'symbol':
        return this.#symbol(token)
    }
    throw cursor.expected('an expression')
  }

  #word(token: Token): Operand {
    const { cursor, scope } = this
    if (keywords.has(token.text)) {
      const form = Object.hasOwn(keywordForms, token.text) ? keywordForms[token.text] : undefined
      if (form === undefined) throw cursor.expected('an expression')
      cursor.next()
      return form(this, token)
    }
    cursor.next()
    if (cursor.at('(')) return this.#call(token)
    if (cursor.at('@') && cursor.peek(1).kind !== 'symbol') {
      cursor.next()
      const symbol = cursor.next().text
      return this.plain(
        scope.places.object(token.start, { type: scope.types.named(token.text), value: symbol }),
        token.start,
      )
    }
    if (token.text === 'null') return this.plain(null, token.start)
    if (token.text === 'true' || token.text === 'false') return this.plain(token.text === 'true', token.start)
    if (scope.isFunction(token.text) && !cursor.at('=')) {
      return { value: scope.places.object(token.start, { fcn: token.text }), offset: token.start, kind: 'function' }
    }
    return this.#named(token, token.text.split('.')[0]!, token.text)
  }

  #symbol(token: Token): Operand {
    const { cursor, scope } = this
    const operator = prefixOperators.get(token.text)
    if (operator !== undefined) {
      cursor.next()
      // A minus right before digits belongs to the number: -2**2 is (-2)**2, as the number is one token.
      const number = cursor.peek()
      if (token.text === '-' && number.kind === 'number' && number.start === token.end) {
        cursor.next()
        return this.plain(new NumberLexeme(`-${number.text}`), token.start)
      }
      const operand = this.expression(operator.power)
      const args = scope.places.list(token.start, [operand])
      return this.plain(scope.places.object(token.start, { [operator.call]: args }), token.start)
    }
    if (cursor.accept('(')) {
      const inner = this.expression()
      cursor.expect(')', 'to close the parenthesis')
      return inner
    }
    if (cursor.at('{')) return this.#block()
    throw cursor.expected('an expression')
  }

  #block(): Operand {
    const { cursor, scope } = this
    const opening = cursor.next()
    if (cursor.at('}')) throw cursor.expected('an expression: a block holds at least one')
    const expressions = this.sequence(() => cursor.at('}'))
    cursor.expect('}', "or ';' after the expression in the block")
    const list = scope.places.list(opening.start, expressions)
    return { value: scope.places.object(opening.start, { do: list }), offset: opening.start, kind: 'block' }
  }

  /** The expressions of a body: a block gives what is in it, anything else is the only one. */
  body(): Draft {
    return this.bodyOf(this.expression())
  }

  bodyOf(operand: Operand): Draft {
    if (operand.kind === 'block') return (operand.value as { do: Draft }).do
    return this.scope.places.list(operand.offset, [operand])
  }

  #replacement(token: Token): Operand {
    const value = this.scope.replacements.value(this.cursor, token)
    if (typeof value !== 'string') return this.#given(value, token.start)
    const inner = new ExpressionReader(new Cursor(value, tokenize(value, false)), this.scope, this.#depth)
    const operand = inner.expression()
    if (!inner.cursor.atEnd) throw inner.cursor.expected(`the end of the replacement <<${token.text}>>`)
    return { ...operand, offset: token.start }
  }

  /** PFA written out: a function when it has the keys of one. */
  #given(value: Draft, offset: number): Operand {
    const keys = isObject(value as DocumentValue) ? Object.keys(value as object) : []
    const isFunction = keys.includes('fcn') || keys.includes('params')
    return { value, offset, kind: isFunction ? 'function' : 'plain' }
  }

  /** A name with what may follow it: an index, an assignment, a `to`. */
  #named(token: Token, base: string, name: string): Operand {
    const { cursor, scope } = this
    const start = token.start
    if (cursor.at('=') && token.text === base && !this.#isState(token)) return this.#assignments(token)
    const path = name
      .split('.')
      .slice(1)
      .map((step) => this.plain(scope.places.object(start, { string: step }), start))
    if (cursor.at('[')) path.push(...this.#path())
    return this.#access(token, base, path)
  }

  #isState(token: Token): boolean {
    return token.kind === 'word' && (this.scope.cells.has(token.text) || this.scope.pools.has(token.text))
  }

  #access(token: Token, base: string, path: readonly Operand[]): Operand {
    const { places } = this.scope
    const list = path.length > 0 ? places.list(token.start, path) : undefined
    let value: Draft
    if (token.kind === 'word' && this.scope.cells.has(base))
      value = places.object(token.start, { cell: base, path: list })
    else if (token.kind === 'word' && this.scope.pools.has(base))
      value = places.object(token.start, { pool: base, path: list ?? [] })
    else value = list === undefined ? base : places.object(token.start, { attr: base, path: list })
    return { value, offset: token.start, kind: 'access' }
  }

  #path(): Operand[] {
    this.cursor.expect('[', 'before the index')
    const items = this.cursor.list(']', 'after the index', () => this.expression())
    if (items.length === 0) throw this.cursor.error(this.cursor.peek().start, 'an index names at least one step')
    return items
  }

  #postfix(operand: Operand): Operand {
    const { cursor, scope } = this
    let left = operand
    for (;;) {
      if (cursor.at('[')) {
        const path = scope.places.list(cursor.peek().start, this.#path())
        const object = scope.places.object(left.offset, { attr: left.value, path })
        left = { value: object, offset: left.offset, kind: 'access' }
      } else if (cursor.at('.') && cursor.peek(1).kind === 'word') {
        const at = cursor.next().start
        const steps = cursor.next().text.split('.')
        const path = scope.places.list(
          at,
          steps.map((step) => this.plain(scope.places.object(at, { string: step }), at)),
        )
        left = {
          value: scope.places.object(left.offset, { attr: left.value, path }),
          offset: left.offset,
          kind: 'access',
        }
      } else if (cursor.at('=') && left.kind === 'access') {
        cursor.next()
        left = this.#update(left, this.expression(), false)
      } else if (cursor.at('to') && left.kind === 'access') {
        cursor.next()
        left = this.#update(left, this.expression(), true)
      } else {
        return left
      }
    }
  }

  /** `x[i] = value` and `x[i] to function`, for what is read from a symbol, a cell or a pool. */
  #update(target: Operand, to: Operand, indirect: boolean): Operand {
    const { cursor, scope } = this
    if (to.kind === 'function' && !indirect)
      throw cursor.error(to.offset, "a function is applied with 'to', not with '='")
    if (to.kind !== 'function' && indirect)
      throw cursor.error(to.offset, "expected a function after 'to': a value is set with '='")
    let initial: Draft | undefined
    const at = cursor.peek().start
    if (cursor.accept('init')) initial = this.expression().value
    const object = isObject(target.value as never)
      ? (target.value as Record<string, Draft>)
      : { attr: target.value, path: [] }
    const isPool = Object.hasOwn(object, 'pool')
    if (initial !== undefined && !isPool) throw cursor.error(at, "'init' belongs to pools only")
    if (initial === undefined && isPool) {
      if (indirect) throw cursor.expected("'init' and a value: the key may not be in the pool yet")
      initial = to.value
    }
    const value = scope.places.object(target.offset, { ...object, init: initial, to: to.value }, { to: to.offset })
    return this.plain(value, target.offset)
  }

  /** `a = 1, b = 2` after its first name has been read. */
  #assignments(first: Token): Operand {
    const { cursor, scope } = this
    if (first.text.includes('.')) throw cursor.expected('an assignment to a plain name')
    const entries: [string, Operand][] = []
    cursor.expect('=', 'in the assignment')
    entries.push([first.text, this.expression()])
    while (cursor.at(',') && this.atAssignment(1)) {
      cursor.next()
      entries.push(this.assignment())
    }
    this.refuseTwice(entries)
    return this.plain(
      scope.places.object(first.start, { set: scope.places.members(first.start, entries) }),
      first.start,
    )
  }

  atAssignment(ahead = 0): boolean {
    const kind = this.cursor.peek(ahead).kind
    return (kind === 'word' || kind === 'quoted') && this.cursor.at('=', ahead + 1)
  }

  assignment(): [name: string, value: Operand] {
    const { cursor } = this
    if (!this.atAssignment()) throw cursor.expected("an assignment ('name = value')")
    const token = cursor.next()
    if (token.text.includes('.'))
      throw cursor.error(token.start, 'expected a plain name: only one path is assigned at a time')
    if (token.kind === 'word' && keywords.has(token.text)) throw cursor.expected('a name', token)
    cursor.next()
    return [token.text, this.expression()]
  }

  assignments(): [name: string, value: Operand][] {
    const entries = [this.assignment()]
    while (this.cursor.accept(',')) entries.push(this.assignment())
    return this.refuseTwice(entries)
  }

  refuseTwice<Value extends { readonly offset: number }>(entries: [name: string, value: Value][]): [string, Value][] {
    const names = new Set<string>()
    for (const [name, value] of entries) {
      if (names.has(name)) throw this.cursor.error(value.offset, `the name ${JSON.stringify(name)} stands twice`)
      names.add(name)
    }
    return entries
  }

  #call(token: Token): Operand {
    const form = Object.hasOwn(callForms, token.text) ? callForms[token.text] : undefined
    this.cursor.next()
    if (form !== undefined) return this.#given(form(this, token), token.start)
    const { cursor, scope } = this
    const filled: [string, Operand][] = []
    const given: Operand[] = []
    cursor.list(')', `in the arguments of ${token.text}`, () => {
      if (cursor.atKey()) filled.push([cursor.key('a parameter'), this.expression()])
      else given.push(this.expression())
    })
    if (filled.length === 0) {
      const args = scope.places.list(token.start, given)
      return this.plain(scope.places.object(token.start, { [token.text]: args }), token.start)
    }
    if (given.length > 0) {
      const message = `expected only named arguments: ${token.text} with some arguments filled in is a function, not a call`
      throw cursor.error(given[0]!.offset, message)
    }
    const fill = scope.places.members(token.start, this.refuseTwice(filled))
    return { value: scope.places.object(token.start, { fcn: token.text, fill }), offset: token.start, kind: 'function' }
  }

  data(): DocumentValue {
    return readData(this.cursor, this.scope.replacements)
  }
}
