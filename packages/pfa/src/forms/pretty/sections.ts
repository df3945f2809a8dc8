// A whole PrettyPFA document comes in, PFA's JSON goes out. One entry per section.
//
// The language is that of Titus and Hadrian. So that every document can be said, it has a few words more:
//
//   `name`              a local name, even if it is a keyword, a cell, a pool or a function
//   pfa({...})          an expression as PFA's JSON
//   {type: ..., ...}    a type as an Avro schema, with defaults and docs
//   x[k] = v init w     sets an entry of a pool that may be missing to something other than v
//   f(x).field          a field of any expression
//   # comment           to the end of the line, as after //
import type { Document, DocumentValue } from '../document.ts'
import { isObject, NumberLexeme } from '../document.ts'
import { syntaxErrorAt } from '../place.ts'
import { boolean, readFunction, text as readText } from './control.ts'
import { Cursor } from './cursor.ts'
import { type Draft, PrettyDocument, type TypeUse } from './draft.ts'
import { ExpressionReader } from './expressions.ts'
import { type SectionName, type Token, tokenize } from './lexer.ts'
import { Replacements, Scope } from './scope.ts'
import { TypeTable } from './types.ts'

export interface PrettyOptions {
  /** What stands for `<<name>>` in the text. */
  readonly replacements?: Readonly<Record<string, DocumentValue>>
}

export function parsePretty(text: string, options: PrettyOptions = {}): Document {
  const sections = splitSections(text, tokenize(text, true))
  const scope = scopeOf(text, sections, options)
  const root: Record<string, Draft> = {}
  for (const [key, read, fallback] of order) {
    const cursor = sections.get(key)
    if (cursor !== undefined) {
      root[key] = read(new ExpressionReader(cursor, scope))
      cursor.accept(';')
      if (!cursor.atEnd) throw cursor.expected(`the end of the section '${key}:' or a separator`)
    } else if (fallback !== undefined) {
      root[key] = fallback
    }
  }
  const missing = ['input', 'output', 'action'].filter((key) => !Object.hasOwn(root, key))
  if (missing.length > 0)
    throw syntaxErrorAt(text, 0, `the document has no section ${missing.map((key) => `'${key}:'`).join(', ')}`)
  return finished(text, root, scope)
}

/** A list of expressions without sections around it, as `action` holds them. */
export function parsePrettyExpressions(text: string, options: PrettyOptions = {}): Document {
  const tokens = tokenize(text, false)
  const replacements = new Replacements(options.replacements ?? {})
  const scope = new Scope({ cells: [], pools: [], functions: [] }, new TypeTable(replacements, new Set()), replacements)
  const reader = new ExpressionReader(new Cursor(text, tokens), scope)
  const list = readExpressions(reader)
  if (!reader.cursor.atEnd) throw reader.cursor.expected("';' or the end of the text")
  return finished(text, list, scope)
}

function finished(text: string, draft: Draft, scope: Scope): Document {
  try {
    return new PrettyDocument(scope.types.writeOut(draft), text, scope.places)
  } catch (error) {
    if (error instanceof RangeError) throw syntaxErrorAt(text, 0, 'the document is nested too deep')
    throw error
  }
}

type Sections = ReadonlyMap<SectionName, Cursor>

function splitSections(text: string, tokens: readonly Token[]): Sections {
  const sections = new Map<SectionName, Cursor>()
  if (tokens[0]!.kind !== 'section') {
    throw new Cursor(text, tokens).expected("a section such as 'input:' at the beginning of a line")
  }
  let start = 0
  while (tokens[start]!.kind === 'section') {
    const header = tokens[start]!
    let end = start + 1
    while (tokens[end]!.kind !== 'section' && tokens[end]!.kind !== 'end') end += 1
    const name = header.text as SectionName
    if (sections.has(name)) throw syntaxErrorAt(text, header.start, `the section '${name}:' stands twice`)
    sections.set(name, new Cursor(text, tokens.slice(start + 1, end + 1)))
    start = end
  }
  return sections
}

/** Names are needed before the expressions that use them are read, whatever the order of the sections. */
function scopeOf(text: string, sections: Sections, options: PrettyOptions): Scope {
  const replacements = new Replacements(options.replacements ?? {})
  const taken = new Set([...text.matchAll(/\b(?:Record|Enum|Fixed)_\d+\b/g)].map((match) => match[0]))
  const types = new TypeTable(replacements, taken)
  const typeCursor = sections.get('types')
  if (typeCursor !== undefined) readTypes(typeCursor, types)
  const functions = names(sections, 'fcns').map((name) => `u.${name}`)
  const method = sections.get('method')?.peek().text
  if (method === 'emit') functions.push('emit')
  return new Scope({ cells: names(sections, 'cells'), pools: names(sections, 'pools'), functions }, types, replacements)
}

function names(sections: Sections, section: SectionName): string[] {
  const cursor = sections.get(section)
  return cursor === undefined ? [] : items(cursor).map((item) => item.peek().text)
}

/** The parts between semicolons, each with an end of its own. Looks only, takes nothing. */
function items(cursor: Cursor): Cursor[] {
  const found: Cursor[] = []
  let part: Token[] = []
  let depth = 0
  for (let ahead = 0; ; ahead += 1) {
    const token = cursor.peek(ahead)
    const last = token.kind === 'end' || token.kind === 'section'
    if (token.kind === 'symbol' && '([{'.includes(token.text)) depth += 1
    if (token.kind === 'symbol' && ')]}'.includes(token.text)) depth -= 1
    if (last || (depth === 0 && token.kind === 'symbol' && token.text === ';')) {
      if (part.length > 0) found.push(new Cursor(cursor.text, [...part, token]))
      if (last) return found
      part = []
    } else {
      part.push(token)
    }
  }
}

function readTypes(cursor: Cursor, types: TypeTable): void {
  const unnamed: Cursor[] = []
  // The definitions may stand in braces, like any sequence; a key after the brace means a schema in JSON instead.
  const isBlock = cursor.at('{') && !cursor.at(':', 2)
  for (const item of items(isBlock ? cursor.insideBraces() : cursor)) {
    if (item.at('=', 1)) {
      const name = readText(item, 'the name of a type')
      item.next()
      types.alias(name, item)
    } else {
      unnamed.push(item)
    }
  }
  types.readAliases()
  for (const item of unnamed) {
    types.read(item)
    if (!item.atEnd) throw item.expected("';' after the type")
  }
}

type SectionReader = (reader: ExpressionReader) => Draft

const readType: SectionReader = (reader) => reader.scope.types.use(reader.cursor)
const readData: SectionReader = (reader) => reader.data()
const readWord: SectionReader = (reader) => readText(reader.cursor, 'a name or a text')

const readInteger: SectionReader = (reader) => {
  const token = reader.cursor.peek()
  const value = reader.data()
  if (value instanceof NumberLexeme && /^-?\d+$/.test(value.text)) return value
  throw reader.cursor.expected('a whole number', token)
}

function readExpressions(reader: ExpressionReader): Draft {
  const expressions = reader.sequence(() => reader.cursor.atEnd)
  return expressions.length === 1
    ? reader.bodyOf(expressions[0]!)
    : reader.scope.places.list(expressions[0]!.offset, expressions)
}

const readMethod: SectionReader = (reader) => {
  const token = reader.cursor.peek()
  const method = readText(reader.cursor, 'map, emit or fold')
  if (!['map', 'emit', 'fold'].includes(method)) throw reader.cursor.expected('map, emit or fold', token)
  return method
}

/** `name = fcn(...) body; ...` */
const readFunctions: SectionReader = (reader) =>
  readItems(reader, 'a function', (name) => {
    reader.cursor.expect('=', `after the name of the function ${name}`)
    const keyword = reader.cursor.expect('fcn', `and its parameters for the function ${name}`)
    return readFunction(reader, keyword)
  })

/** `name(type, shared: true) = value; ...` */
const readState: SectionReader = (reader) =>
  readItems(reader, 'a cell or pool', (name, at) => {
    const { cursor, scope } = reader
    cursor.expect('(', `and the type after ${name}`)
    let type: TypeUse | undefined
    const flags: Record<string, Draft> = { shared: false, rollback: false }
    cursor.list(')', `in the declaration of ${name}`, () => {
      const token = cursor.peek()
      const key = cursor.atKey() ? cursor.key('a property') : 'type'
      if (key === 'type' && type === undefined) type = scope.types.use(cursor)
      else if (key === 'shared' || key === 'rollback') flags[key] = boolean(cursor)
      else if (key === 'source') flags.source = readText(cursor, 'embedded, json or avro')
      else throw cursor.expected("one type, and 'shared:', 'rollback:' or 'source:'", token)
    })
    if (type === undefined) throw cursor.error(at, `${name} needs a type: ${name}(type) = value`)
    cursor.expect('=', `and the first value after the declaration of ${name}`)
    const init = reader.data()
    if (flags.source === 'embedded') delete flags.source
    return scope.places.object(at, { type, init, ...flags })
  })

const readPools: SectionReader = (reader) => {
  const start = reader.cursor.peek().start
  const pools = readState(reader) as Record<string, { init: DocumentValue; source?: string }>
  for (const [name, pool] of Object.entries(pools)) {
    if (!isObject(pool.init) && pool.source === undefined)
      throw reader.cursor.error(start, `the pool ${name} needs an object of first values, such as {}`)
  }
  return pools
}

function readItems(reader: ExpressionReader, what: string, read: (name: string, at: number) => Draft): Draft {
  const { cursor } = reader
  const found: Record<string, Draft> = {}
  while (!cursor.atEnd) {
    const token = cursor.next()
    if (token.kind !== 'word' && token.kind !== 'quoted') throw cursor.expected(`the name of ${what}`, token)
    if (Object.hasOwn(found, token.text)) throw cursor.error(token.start, `${token.text} is defined twice`)
    Object.defineProperty(found, token.text, {
      value: read(token.text, token.start),
      enumerable: true,
      writable: true,
      configurable: true,
    })
    if (!cursor.accept(';') && !cursor.atEnd) throw cursor.expected(`';' between one ${what} and the next`)
  }
  return found
}

/** In the order in which the document is written and in which its named types are declared. */
const order: readonly (readonly [key: SectionName, read: SectionReader, fallback?: Draft])[] = [
  ['name', readWord],
  ['input', readType],
  ['output', readType],
  ['method', readMethod, 'map'],
  ['begin', readExpressions],
  ['action', readExpressions],
  ['end', readExpressions],
  ['fcns', readFunctions],
  ['cells', readState],
  ['pools', readPools],
  ['zero', readData],
  ['merge', readExpressions],
  ['randseed', readInteger],
  ['doc', readWord],
  ['version', readInteger],
  ['metadata', readData],
  ['options', readData],
]
