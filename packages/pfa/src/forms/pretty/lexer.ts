// PrettyPFA text comes in, its tokens go out, in order and with offsets. Comments and space are left out.
import { describeFound, syntaxErrorAt } from '../place.ts'

export interface Token {
  /** A `word` is a dotted name, `quoted` one in backquotes: a name that is no keyword, cell, pool or function. */
  readonly kind: 'word' | 'quoted' | 'number' | 'string' | 'replacement' | 'section' | 'symbol' | 'end'
  /** The name, the digits, the content of the string, the symbol. */
  readonly text: string
  readonly start: number
  readonly end: number
}

const sectionNames = [
  'name',
  'version',
  'doc',
  'metadata',
  'options',
  'randseed',
  'method',
  'types',
  'input',
  'output',
  'cells',
  'pools',
  'begin',
  'action',
  'end',
  'zero',
  'merge',
  'fcns',
] as const

export type SectionName = (typeof sectionNames)[number]

interface Pattern {
  readonly kind: Token['kind']
  readonly pattern: RegExp
  readonly content: (found: RegExpExecArray, text: string) => string
}

const whole = (found: RegExpExecArray) => found[0]
const group = (found: RegExpExecArray) => found[1]!

const patterns: readonly Pattern[] = [
  { kind: 'word', pattern: /[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)*/y, content: whole },
  { kind: 'number', pattern: /(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?/y, content: jsonNumber },
  { kind: 'string', pattern: /"(?:[^"\\\n]|\\.)*"/y, content: withoutEscapes },
  { kind: 'string', pattern: /'([^']*)'/y, content: group },
  { kind: 'replacement', pattern: /<<([A-Za-z_][A-Za-z_0-9]*)>>/y, content: group },
  { kind: 'quoted', pattern: /`([A-Za-z_][A-Za-z_0-9]*)`/y, content: group },
  {
    kind: 'symbol',
    pattern: /->|\*\*|%%|==|!=|<=|>=|&&|\|\||\^\^|[-+*/%<>!&|^~()[\]{},;:=@.]/y,
    content: whole,
  },
]

/** A section begins a line; inside brackets a field may bear any other name. */
const section = /([a-z]+):/y
const space = /(?:[\s\ufeff]+|\/\/.*|#.*)+/y

export function tokenize(text: string, withSections: boolean): Token[] {
  const tokens: Token[] = []
  let position = 0
  let depth = 0
  for (;;) {
    position += match(space, text, position)?.[0].length ?? 0
    if (position >= text.length) break
    const token = (withSections && sectionAt(text, position, depth)) || tokenAt(text, position)
    if (token.kind === 'section') depth = 0
    if (token.kind === 'symbol' && '([{'.includes(token.text)) depth += 1
    if (token.kind === 'symbol' && ')]}'.includes(token.text)) depth -= 1
    tokens.push(token)
    position = token.end
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length })
  return tokens
}

function match(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(text)
}

function tokenAt(text: string, start: number): Token {
  for (const { kind, pattern, content } of patterns) {
    const found = match(pattern, text, start)
    if (found !== null) return { kind, text: content(found, text), start, end: start + found[0].length }
  }
  throw noToken(text, start)
}

function sectionAt(text: string, start: number, depth: number): Token | undefined {
  const found = isLineStart(text, start) ? match(section, text, start) : null
  if (found === null) return undefined
  const name = found[1]!
  if ((sectionNames as readonly string[]).includes(name)) {
    return { kind: 'section', text: name, start, end: start + found[0].length }
  }
  if (depth > 0) return undefined
  const message = `no section is called ${JSON.stringify(name)}: expected one of ${sectionNames.join(', ')}`
  throw syntaxErrorAt(text, start, message)
}

function isLineStart(text: string, offset: number): boolean {
  return (
    offset === 0 || text[offset - 1] === '\n' || text[offset - 1] === '\r' || (offset === 1 && text[0] === '\ufeff')
  )
}

/** JSON writes at least one digit after the point. */
function jsonNumber(found: RegExpExecArray): string {
  return found[0].replace(/\.(?![0-9])/, '.0')
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
}

/** An escape that means nothing stays as it is, backslash included: patterns such as "\d" are common. */
function withoutEscapes(found: RegExpExecArray, text: string): string {
  const escaped = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{1,3})|(.))/g
  return found[0].slice(1, -1).replace(escaped, (whole, hex2, hex4, hex8, octal, letter, at: number) => {
    const hex: string | undefined = hex2 ?? hex4 ?? hex8
    if (hex === undefined && octal === undefined) return Object.hasOwn(escapes, letter) ? escapes[letter]! : whole
    const code = hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16)
    if (code <= 0x10ffff) return String.fromCodePoint(code)
    throw syntaxErrorAt(text, found.index + 1 + at, `${whole} is no character: expected at most \\U0010ffff`)
  })
}

function noToken(text: string, offset: number): Error {
  const next = text[offset]
  if (next === '"') {
    const message = 'the string opened here has no closing double quote on its line (write \\n for a new line)'
    return syntaxErrorAt(text, offset, message)
  }
  if (next === "'") return syntaxErrorAt(text, offset, 'the string opened here has no closing single quote')
  return syntaxErrorAt(text, offset, `expected a name, a value or an operator, found ${describeFound(text, offset)}`)
}
