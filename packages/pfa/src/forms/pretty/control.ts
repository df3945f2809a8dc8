// Forms that begin with a keyword: functions, conditions, loops, casts and declarations. One entry per keyword.
import type { DocumentValue } from '../document.ts'
import type { Cursor } from './cursor.ts'
import { keywords } from './cursor.ts'
import type { Draft, Operand } from './draft.ts'
import type { ExpressionReader } from './expressions.ts'
import type { Token } from './lexer.ts'

/** Called when the keyword has been taken. */
type KeywordForm = (reader: ExpressionReader, keyword: Token) => Operand

export const keywordForms: Readonly<Record<string, KeywordForm>> = {
  fcn: (reader, keyword) => ({ value: readFunction(reader, keyword), offset: keyword.start, kind: 'function' }),
  if: readIf,
  while: (reader, keyword) => {
    const predicate = condition(reader, 'while')
    return form(reader, keyword, { while: predicate.value, do: reader.body() }, { while: predicate.offset })
  },
  do: (reader, keyword) => {
    const body = reader.body()
    reader.cursor.expect('until', 'after the body of the loop')
    const predicate = condition(reader, 'until')
    return form(reader, keyword, { do: body, until: predicate.value }, { until: predicate.offset })
  },
  for: readFor,
  foreach: readForeach,
  cast: readCast,
  ifnotnull: (reader, keyword) => {
    const { cursor, scope } = reader
    cursor.expect('(', "after 'ifnotnull'")
    const entries = cursor.list(')', "in 'ifnotnull'", (): [string, Operand] => [
      cursor.key('a name'),
      reader.expression(),
    ])
    const names = scope.places.members(keyword.start, reader.refuseTwice(entries))
    return form(reader, keyword, { ifnotnull: names, ...branches(reader) })
  },
  unpack: (reader, keyword) => {
    const { cursor } = reader
    cursor.expect('(', "after 'unpack'")
    const bytes = reader.expression()
    cursor.expect(',', 'and the format after the bytes')
    const format = cursor.list(')', 'in the format', () => ({
      [cursor.key('a name')]: text(cursor, 'a format such as "int"'),
    }))
    return form(reader, keyword, { unpack: bytes.value, format, ...branches(reader) }, { unpack: bytes.offset })
  },
  try: readTry,
  var: (reader, keyword) => {
    const values = reader.scope.places.members(keyword.start, reader.assignments())
    return form(reader, keyword, { let: values })
  },
}

function form(
  reader: ExpressionReader,
  keyword: Token,
  members: Record<string, Draft | undefined>,
  at: Record<string, number> = {},
): Operand {
  return reader.plain(reader.scope.places.object(keyword.start, members, at), keyword.start)
}

function condition(reader: ExpressionReader, keyword: string): Operand {
  reader.cursor.expect('(', `after '${keyword}'`)
  const predicate = reader.expression()
  reader.cursor.expect(')', `after the condition of '${keyword}'`)
  return predicate
}

function branches(reader: ExpressionReader): { then: Draft; else: Draft | undefined } {
  const then = reader.body()
  return { then, else: reader.cursor.accept('else') ? reader.body() : undefined }
}

/** `fcn(x: int, y: double -> string) body` after its keyword. */
export function readFunction(reader: ExpressionReader, keyword: Token): Draft {
  const { cursor, scope } = reader
  cursor.expect('(', "after 'fcn'")
  const params: Draft[] = []
  while (!cursor.at('->')) {
    if (params.length > 0) cursor.expect(',', "or '->' and the type of the result")
    if (!cursor.atKey()) throw cursor.expected("a parameter ('name: type') or '->' and the type of the result")
    params.push({ [cursor.key('a parameter')]: scope.types.use(cursor) } as Draft)
  }
  cursor.next()
  const result = scope.types.use(cursor)
  cursor.expect(')', 'after the type of the result')
  return scope.places.object(keyword.start, { params, ret: result, do: reader.body() })
}

/** `else if` makes one flat `cond`, not an `if` inside an `if`. */
function readIf(reader: ExpressionReader, keyword: Token): Operand {
  const { cursor, scope } = reader
  const predicate = condition(reader, 'if')
  const then = reader.body()
  const first = { if: predicate.value, then }
  const at = { if: predicate.offset }
  if (!cursor.accept('else')) return { ...form(reader, keyword, first, at), kind: 'if' }
  const otherwise = reader.expression()
  if (otherwise.kind !== 'if') {
    return { ...form(reader, keyword, { ...first, else: reader.bodyOf(otherwise) }, at), kind: 'if' }
  }
  const { cond: conditions, if: test, then: consequence, else: fallback } = otherwise.value as Record<string, Draft>
  const others = (conditions as Draft[] | undefined) ?? [conditional(reader, otherwise.offset, test, consequence)]
  const cond = [scope.places.object(keyword.start, first, at), ...others]
  return { ...form(reader, keyword, { cond, else: fallback }), kind: 'if' }
}

function conditional(reader: ExpressionReader, at: number, test: Draft | undefined, then: Draft | undefined): Draft {
  return reader.scope.places.object(at, { if: test, then })
}

function readFor(reader: ExpressionReader, keyword: Token): Operand {
  const { cursor, scope } = reader
  cursor.expect('(', "after 'for'")
  const start = scope.places.members(cursor.peek().start, reader.assignments())
  cursor.expect(';', "after the first part of 'for'")
  const predicate = reader.expression()
  cursor.expect(';', "after the condition of 'for'")
  const step = scope.places.members(cursor.peek().start, reader.assignments())
  cursor.expect(')', "after the steps of 'for'")
  const members = { for: start, while: predicate.value, step, do: reader.body() }
  return form(reader, keyword, members, { while: predicate.offset })
}

/** `foreach (x: array)`, `foreach (x: array, seq: true)`, `foreach (key, value: map)`. */
function readForeach(reader: ExpressionReader, keyword: Token): Operand {
  const { cursor } = reader
  cursor.expect('(', "after 'foreach'")
  if (!cursor.atKey()) {
    const key = cursor.next()
    if ((key.kind !== 'word' && key.kind !== 'string' && key.kind !== 'quoted') || !cursor.accept(',')) {
      throw cursor.expected("'name: array' or 'key, value: map'", key)
    }
    const value = cursor.key('the name of the value')
    const map = reader.expression()
    cursor.expect(')', "to close 'foreach'")
    return form(
      reader,
      keyword,
      { forkey: key.text, forval: value, in: map.value, do: reader.body() },
      { in: map.offset },
    )
  }
  const name = cursor.key('a name')
  const array = reader.expression()
  const seq = cursor.accept(',') ? flag(cursor, 'seq') : false
  cursor.expect(')', "to close 'foreach'")
  return form(reader, keyword, { foreach: name, in: array.value, do: reader.body(), seq }, { in: array.offset })
}

function readCast(reader: ExpressionReader, keyword: Token): Operand {
  const { cursor, scope } = reader
  cursor.expect('(', "after 'cast'")
  const value = reader.expression()
  const partial = cursor.accept(',') ? flag(cursor, 'partial') : false
  cursor.expect(')', "after the value of 'cast'")
  cursor.expect('{', 'before the cases')
  const cases: Draft[] = []
  while (!cursor.at('}')) {
    const at = cursor.expect('as', "or '}' among the cases of 'cast'").start
    cursor.expect('(', "after 'as'")
    const named = cursor.key('a name')
    const type = scope.types.use(cursor)
    cursor.expect(')', 'after the type of the case')
    cases.push(scope.places.object(at, { as: type, named, do: reader.body() }))
    cursor.accept(';')
  }
  cursor.next()
  return form(reader, keyword, { cast: value.value, cases, partial }, { cast: value.offset })
}

/** `try (filters) body` when an expression follows the parentheses, else `try body` with a body in parentheses. */
function readTry(reader: ExpressionReader, keyword: Token): Operand {
  const { cursor } = reader
  if (!cursor.at('(') || !startsExpression(cursor.afterGroup())) return form(reader, keyword, { try: reader.body() })
  cursor.next()
  const filter = cursor.list(')', "in the filter of 'try'", () => filterItem(reader))
  return form(reader, keyword, { try: reader.body(), filter })
}

function filterItem(reader: ExpressionReader): DocumentValue {
  const { cursor } = reader
  const token = cursor.peek()
  if (token.kind === 'word' || token.kind === 'string') return cursor.next().text
  if (token.kind === 'number' || cursor.at('-')) return reader.data()
  throw cursor.expected('the text or the code of an error (or nothing after the parenthesis: then it is what is tried)')
}

const notFirst: ReadonlySet<string> = new Set(['idiv', 'else', 'until', 'as', 'to', 'init'])

function startsExpression(token: Token): boolean {
  if (token.kind === 'word') return !(keywords.has(token.text) && notFirst.has(token.text))
  if (token.kind === 'symbol') return ['(', '{', '-', '~', '!'].includes(token.text)
  return token.kind !== 'end' && token.kind !== 'section'
}

function flag(cursor: Cursor, name: string): boolean {
  const token = cursor.peek()
  if (!cursor.atKey() || cursor.key(name) !== name) throw cursor.expected(`'${name}: true' or '${name}: false'`, token)
  return boolean(cursor)
}

export function boolean(cursor: Cursor): boolean {
  const token = cursor.peek()
  if (token.kind !== 'word' || (token.text !== 'true' && token.text !== 'false'))
    throw cursor.expected("'true' or 'false'")
  return cursor.next().text === 'true'
}

/** A text with or without quotes. */
export function text(cursor: Cursor, what: string): string {
  const token = cursor.peek()
  if (token.kind !== 'word' && token.kind !== 'string' && token.kind !== 'quoted') throw cursor.expected(what)
  return cursor.next().text
}
