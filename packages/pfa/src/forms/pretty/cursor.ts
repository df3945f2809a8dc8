// The tokens of one section come in; the parser takes them one by one, and gets messages that name what it expected.
import type { PfaError } from '../../errors.ts'
import { syntaxErrorAt } from '../place.ts'
import type { Token } from './lexer.ts'

/** Words with a meaning of their own; as a key before ':' and in backquotes they are names like others. */
export const keywords: ReadonlySet<string> = new Set([
  'idiv',
  'fcn',
  'if',
  'else',
  'while',
  'do',
  'until',
  'for',
  'foreach',
  'cast',
  'as',
  'ifnotnull',
  'unpack',
  'try',
  'var',
  'to',
  'init',
])

export class Cursor {
  readonly text: string
  readonly #tokens: readonly Token[]
  #position = 0

  /** The last token must be of kind `end` or `section`: the parser never goes past it. */
  constructor(text: string, tokens: readonly Token[]) {
    this.text = text
    this.#tokens = tokens
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#position + ahead, this.#tokens.length - 1)]!
  }

  next(): Token {
    const token = this.peek()
    if (this.#position < this.#tokens.length - 1) this.#position += 1
    return token
  }

  get atEnd(): boolean {
    return this.#position === this.#tokens.length - 1
  }

  /** Is the token a symbol or a keyword with this text? */
  at(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.text === text && (token.kind === 'symbol' || (token.kind === 'word' && keywords.has(text)))
  }

  accept(text: string): boolean {
    if (!this.at(text)) return false
    this.next()
    return true
  }

  expect(text: string, purpose: string): Token {
    if (!this.at(text)) throw this.expected(`'${text}' ${purpose}`)
    return this.next()
  }

  expected(what: string, token = this.peek()): PfaError {
    return syntaxErrorAt(this.text, token.start, `expected ${what}, found ${this.#describe(token)}`)
  }

  error(offset: number, message: string): PfaError {
    return syntaxErrorAt(this.text, offset, message)
  }

  #describe(token: Token): string {
    if (token.kind === 'end') return 'the end of the text'
    if (token.kind === 'section') return `the section '${token.text}:'`
    if (token.kind === 'word') return keywords.has(token.text) ? `the keyword '${token.text}'` : `'${token.text}'`
    if (token.kind === 'string') return `the string ${JSON.stringify(token.text)}`
    return `'${this.text.slice(token.start, token.end)}'`
  }

  /** Items between separators up to the closing symbol, which is taken too. */
  list<Item>(closing: string, purpose: string, item: () => Item): Item[] {
    const items: Item[] = []
    if (this.accept(closing)) return items
    for (;;) {
      items.push(item())
      if (this.accept(closing)) return items
      if (!this.accept(',')) throw this.expected(`',' or '${closing}' ${purpose}`)
    }
  }

  /** The token after the parenthesis that opens here and its partner. */
  afterGroup(): Token {
    let depth = 0
    for (let ahead = 0; ; ahead += 1) {
      const token = this.peek(ahead)
      if (token.kind === 'end' || token.kind === 'section') return token
      if (token.kind !== 'symbol') continue
      if ('([{'.includes(token.text)) depth += 1
      if (')]}'.includes(token.text)) depth -= 1
      if (depth === 0) return this.peek(ahead + 1)
    }
  }

  /** What stands between the brace that is next and the one that ends the section. */
  insideBraces(): Cursor {
    const opening = this.expect('{', 'at the beginning')
    const closing = this.#tokens.length - 2
    if (this.#tokens[closing]?.text !== '}')
      throw this.error(opening.start, 'this brace is not closed at the end of the section')
    const end = { ...this.#tokens[closing]!, kind: 'end' as const }
    return new Cursor(this.text, [...this.#tokens.slice(this.#position, closing), end])
  }

  /** Is a key and a colon next, as in `name: value`? */
  atKey(): boolean {
    const kind = this.peek().kind
    return (kind === 'word' || kind === 'string' || kind === 'quoted') && this.at(':', 1)
  }

  key(what: string): string {
    if (!this.atKey()) throw this.expected(`${what} and ':'`)
    const key = this.next().text
    this.next()
    return key
  }
}
