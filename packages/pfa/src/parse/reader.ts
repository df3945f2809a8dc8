// Reads the plain parts of a document: a JSON value and its pointer come in; a string, number, list or field list goes out.
import { type DocumentObject, type DocumentValue, NumberLexeme } from '../forms/document.ts'
import { step, syntaxProblem } from '../problems.ts'

const smallestLong = -(2n ** 63n)
const largestLong = 2n ** 63n - 1n

export type NumberLiteral =
  | { readonly type: 'int'; readonly value: number }
  | { readonly type: 'long'; readonly value: number | bigint }
  | { readonly type: 'double'; readonly value: number }

export const isNumber = (json: DocumentValue): json is number | bigint | NumberLexeme =>
  typeof json === 'number' || typeof json === 'bigint' || json instanceof NumberLexeme

export const isList = (json: DocumentValue): json is readonly DocumentValue[] => Array.isArray(json)

export const isObject = (json: DocumentValue): json is DocumentObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof NumberLexeme)

/** The lexeme decides: digits alone are an int, or a long when it does not fit; a point or an exponent makes a double. */
export function readNumber(json: number | bigint | NumberLexeme, at: string): NumberLiteral {
  const text = json instanceof NumberLexeme ? json.text : undefined
  if (text === undefined ? typeof json === 'number' && !Number.isSafeInteger(json) : !/^-?\d+$/.test(text)) {
    return { type: 'double', value: Number(text ?? json) }
  }
  const whole = Number(text ?? json) + 0
  if (whole >= -2147483648 && whole <= 2147483647) return { type: 'int', value: whole }
  if (Number.isSafeInteger(whole)) return { type: 'long', value: whole }
  const exact = BigInt(text ?? (json as number | bigint))
  if (exact < smallestLong || exact > largestLong) {
    throw syntaxProblem(at, `integer out of range: ${exact} does not fit in a long; write ${exact}.0 for a double`)
  }
  return { type: 'long', value: exact }
}

/** What a value is called in messages. */
export function describeJson(json: DocumentValue): string {
  if (json === null) return 'null'
  if (isNumber(json)) return `the number ${json instanceof NumberLexeme ? json.text : json}`
  if (isList(json)) return 'an array'
  if (typeof json === 'string') return `the string ${JSON.stringify(json.length > 40 ? `${json.slice(0, 40)}…` : json)}`
  return typeof json === 'boolean' ? String(json) : 'an object'
}

const expected = (what: string, json: DocumentValue, at: string) =>
  syntaxProblem(at, `expected ${what}, found ${describeJson(json)}`)

export function readString(json: DocumentValue, at: string): string {
  if (typeof json !== 'string') throw expected('a string', json, at)
  return json
}

export function readBoolean(json: DocumentValue, at: string): boolean {
  if (typeof json !== 'boolean') throw expected('true or false', json, at)
  return json
}

export function readInt(json: DocumentValue, at: string): number {
  const literal = isNumber(json) ? readNumber(json, at) : undefined
  if (literal?.type !== 'int') throw expected('an integer between -2147483648 and 2147483647', json, at)
  return literal.value
}

export function readLong(json: DocumentValue, at: string): number | bigint {
  const literal = isNumber(json) ? readNumber(json, at) : undefined
  if (literal === undefined || literal.type === 'double') throw expected('an integer', json, at)
  return literal.value
}

export function readDouble(json: DocumentValue, at: string): number {
  if (!isNumber(json)) throw expected('a number', json, at)
  return Number(json instanceof NumberLexeme ? json.text : json)
}

export function readList(json: DocumentValue, at: string): readonly DocumentValue[] {
  if (!isList(json)) throw expected('an array', json, at)
  return json
}

/** Reads each item of an array with its own pointer. */
export function readEach<Item>(
  json: DocumentValue,
  at: string,
  read: (json: DocumentValue, at: string) => Item,
): Item[] {
  return readList(json, at).map((item, index) => read(item, step(at, index)))
}

/** The members of an object in order, without its `@` locator mark (which must be a string). */
export function readMembers(json: DocumentValue, at: string): { key: string; json: DocumentValue; at: string }[] {
  if (!isObject(json)) throw expected('an object', json, at)
  const members: { key: string; json: DocumentValue; at: string }[] = []
  for (const key of Object.keys(json)) {
    const value = json[key] as DocumentValue
    if (key === '@') readString(value, step(at, '@'))
    else members.push({ key, json: value, at: step(at, key) })
  }
  return members
}

const symbolName = /^[A-Za-z_][A-Za-z0-9_]*$/
const functionName = /^[A-Za-z_](?:[A-Za-z0-9_]|\.[A-Za-z][A-Za-z0-9_]*)*$/

export const isSymbolName = (text: string): boolean => symbolName.test(text)
export const isFunctionName = (text: string): boolean => functionName.test(text)

export function readSymbolName(json: DocumentValue, at: string): string {
  const name = readString(json, at)
  if (!isSymbolName(name))
    throw syntaxProblem(
      at,
      `${JSON.stringify(name)} is not a valid name: use letters, digits and _, and no digit first`,
    )
  return name
}
