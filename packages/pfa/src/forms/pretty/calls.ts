// Forms that look like calls but are none of the library: literals, new, update, errors, logs. One entry per name.
import { type DocumentValue, isList, isObject, NumberLexeme } from '../document.ts'
import { text } from './control.ts'
import type { Cursor } from './cursor.ts'
import { type Draft, type Operand, TypeUse } from './draft.ts'
import type { ExpressionReader } from './expressions.ts'
import type { Token } from './lexer.ts'

/** Called when the opening parenthesis has been taken; takes the closing one. */
type CallForm = (reader: ExpressionReader, name: Token) => Draft

export const callForms: Readonly<Record<string, CallForm>> = {
  int: literal,
  long: literal,
  float: literal,
  double: literal,
  string: literal,
  bytes: literal,
  json: (reader, name) => {
    const at = reader.cursor.peek().start
    const type = reader.scope.types.use(reader.cursor)
    reader.cursor.expect(',', 'and the value after the type')
    const value = reader.data()
    close(reader.cursor, name)
    return typedLiteral(reader, at, type, value)
  },
  new: readNew,
  upcast: (reader, name) => {
    const type = reader.scope.types.use(reader.cursor)
    reader.cursor.expect(',', 'and the value after the type')
    const value = reader.expression()
    close(reader.cursor, name)
    return reader.scope.places.object(name.start, { upcast: value.value, as: type }, { upcast: value.offset })
  },
  apply: (reader, name) => {
    const { cursor, scope } = reader
    const called = reader.expression()
    const args = cursor.accept(',') ? cursor.list(')', "in 'apply'", () => reader.expression()) : []
    if (args.length === 0) close(cursor, name)
    const members = { call: called.value, args: scope.places.list(name.start, args) }
    return scope.places.object(name.start, members, { call: called.offset })
  },
  update: (reader, name) => {
    const { cursor, scope } = reader
    const target = reader.expression()
    cursor.expect(',', "and 'field: value' after the record")
    const at = cursor.peek().start
    const path = [scope.places.object(at, { string: cursor.key('a field') })]
    const value = reader.expression()
    close(cursor, name)
    return scope.places.object(name.start, { attr: target.value, path, to: value.value }, { to: value.offset })
  },
  pack: (reader) => {
    const { cursor } = reader
    const pack = cursor.list(')', "in 'pack'", (): Draft => {
      return { [cursor.key('a format such as "little int"')]: reader.expression().value } as Draft
    })
    return reader.scope.places.object(cursor.peek().start, { pack })
  },
  doc: (reader, name) => {
    const doc = text(reader.cursor, 'a text')
    close(reader.cursor, name)
    return reader.scope.places.object(name.start, { doc })
  },
  error: (reader, name) => {
    const { cursor } = reader
    let error: string | undefined
    let code: DocumentValue | undefined
    cursor.list(')', "in 'error'", () => {
      const token = cursor.peek()
      if (!cursor.atKey()) {
        if (error !== undefined) throw cursor.expected("'code: number': the error has a message already")
        error = text(cursor, 'the message of the error')
      } else if (cursor.key('code') !== 'code') {
        throw cursor.expected("'code: number'", token)
      } else {
        code = reader.data()
      }
    })
    if (error === undefined) throw cursor.error(name.start, "'error' needs a message")
    return reader.scope.places.object(name.start, { error, code })
  },
  log: (reader, name) => {
    const { cursor, scope } = reader
    let namespace: string | undefined
    const values: Operand[] = []
    cursor.list(')', "in 'log'", () => {
      const token = cursor.peek()
      if (!cursor.atKey()) values.push(reader.expression())
      else if (cursor.key('namespace') !== 'namespace') throw cursor.expected("'namespace: text'", token)
      else namespace = text(cursor, 'the namespace of the log')
    })
    return scope.places.object(name.start, { log: scope.places.list(name.start, values), namespace })
  },
  // What PrettyPFA has no words for is written as PFA's JSON.
  pfa: (reader, name) => {
    const value = reader.data()
    close(reader.cursor, name)
    return value
  },
}

function close(cursor: Cursor, name: Token): void {
  cursor.expect(')', `to close '${name.text}('`)
}

function literal(reader: ExpressionReader, name: Token): Draft {
  const at = reader.cursor.peek().start
  const value = reader.data()
  close(reader.cursor, name)
  return typedLiteral(reader, at, new TypeUse(name.text), value)
}

const wanted: Readonly<Record<string, string>> = {
  int: 'a whole number',
  long: 'a whole number',
  float: 'a number',
  double: 'a number',
  string: 'a text',
  bytes: 'a text in base64',
}

/** Primitive types have short forms; a number that its lexeme shows to be int or double stands for itself. */
function typedLiteral(reader: ExpressionReader, offset: number, type: TypeUse, value: DocumentValue): Draft {
  const { places } = reader.scope
  const kind = type.type
  if (kind === 'null' && value === null) return null
  if (typeof kind !== 'string' || !Object.hasOwn(wanted, kind)) return places.object(offset, { type, value })
  const number = numberText(value)
  const whole = number !== undefined && /^-?\d+$/.test(number)
  const fits = kind === 'string' || kind === 'bytes' ? typeof value === 'string' : number !== undefined
  if (!fits || (kind.match(/int|long/) && !whole))
    throw reader.cursor.error(offset, `expected ${wanted[kind]} for ${kind}`)
  if (kind === 'bytes') return places.object(offset, { base64: value })
  if (kind === 'int' && isInt(number!)) return new NumberLexeme(number!)
  if (kind === 'double') return new NumberLexeme(whole ? `${number}.0` : number!)
  return places.object(offset, { [kind]: value })
}

function numberText(value: DocumentValue): string | undefined {
  if (value instanceof NumberLexeme) return value.text
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : undefined
}

function isInt(text: string): boolean {
  const number = Number(text)
  return number >= -(2 ** 31) && number < 2 ** 31
}

function readNew(reader: ExpressionReader, name: Token): Draft {
  const { cursor, scope } = reader
  const type = scope.types.use(cursor)
  const isArray = isObject(type.type) && type.type.type === 'array'
  const items: Operand[] = []
  const members: [string, Operand][] = []
  if (cursor.accept(',')) {
    cursor.list(')', "in 'new'", () => {
      if (cursor.atKey() && !isArray) members.push([cursor.key('a key'), reader.expression()])
      else if (members.length > 0 || (!isArray && !isList(type.type) && typeof type.type !== 'string')) {
        throw cursor.expected("a key and ':' before the value")
      } else items.push(reader.expression())
    })
    if (items.length > 0 && members.length > 0) throw cursor.error(name.start, 'mixes values with and without keys')
  } else {
    close(cursor, name)
  }
  const content =
    isArray || items.length > 0
      ? scope.places.list(name.start, items)
      : scope.places.members(name.start, reader.refuseTwice(members))
  return scope.places.object(name.start, { type, new: content })
}
