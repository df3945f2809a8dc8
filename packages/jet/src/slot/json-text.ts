// Records as JSON for models in other languages: values go in, texts come out, and the other way round.
//
// It is the JSON a model's author expects: no tags where a value tells its branch, bytes as in Avro's JSON, integers with all
// their digits, and the bare words NaN, Infinity and -Infinity, which JSON lacks but the readers of other languages know.
// JSON.stringify does it wherever it can; the sign of a zero is what that costs.
import { type AvroType, Branch, isPlainUnion, parseExact, typesIn } from '@pitot/avro'

export type WriteText = (value: unknown) => string

/** For values of the type, or for any JSON values when there is none. */
export function compileText(type: AvroType | null): WriteText {
  return type === null || [...typesIn(type)].every(isPlainJson) ? writePlain : writeText
}

/** Kinds whose values JSON.stringify writes as they should be. */
function isPlainJson(type: AvroType): boolean {
  if (type.kind === 'union') return isPlainUnion(type)
  return type.kind !== 'map' && type.kind !== 'bytes' && type.kind !== 'fixed'
}

function writePlain(value: unknown): string {
  try {
    const text = JSON.stringify(value)
    // Numbers that JSON does not have would be written as null.
    if (text !== undefined && !text.includes('null')) return text
  } catch {
    // A bigint is the usual reason.
  }
  return writeText(value)
}

function writeText(value: unknown): string {
  switch (typeof value) {
    case 'number':
      return Object.is(value, -0) ? '-0.0' : String(value)
    case 'bigint':
      return String(value)
    case 'object':
      return value === null ? 'null' : writeObject(value)
    default: {
      const text = JSON.stringify(value)
      if (text === undefined) throw new TypeError(`expected a value that JSON has, found a ${typeof value}`)
      return text
    }
  }
}

function writeObject(value: object): string {
  if (Array.isArray(value)) return `[${value.map(writeText).join()}]`
  if (value instanceof Uint8Array) return JSON.stringify(latin1(value))
  if (value instanceof Branch) return value.type === 'null' ? 'null' : writeMembers([[value.type, value.value]])
  return writeMembers(value instanceof Map ? value : Object.entries(value))
}

function writeMembers(members: Iterable<[string, unknown]>): string {
  const texts: string[] = []
  for (const [key, member] of members) texts.push(`${JSON.stringify(key)}:${writeText(member)}`)
  return `{${texts.join()}}`
}

/**
 * What JSON.stringify writes as JSON says: maps as objects, bytes as in Avro's JSON, tags for what needs them. The value
 * itself where that is nothing to it.
 */
export function plainJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return plainMembers(value, () => value.slice())
  if (value instanceof Uint8Array) return latin1(value)
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, member]) => [key, plainJson(member)]))
  if (value instanceof Branch) return value.type === 'null' ? null : { [value.type]: plainJson(value.value) }
  return plainMembers(value, () => ({ ...value }))
}

/** Copies only what has a member that changes. */
function plainMembers(value: object, copy: () => object): object {
  let changed: object | undefined
  for (const key of Object.keys(value)) {
    const member = Reflect.get(value, key)
    const plain = plainJson(member)
    if (plain === member || Number.isNaN(member)) continue
    changed ??= copy()
    Reflect.set(changed, key, plain)
  }
  return changed ?? value
}

function latin1(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

/** An integer that a number may not hold exactly. Digits behind a point are no integer's. */
const MANY_DIGITS = /(?<![\d.])\d{16}/
const WORDS_AND_STRINGS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN/gs

/** What a model has written. Throws a SyntaxError when it is no JSON. */
export function readText(text: string): unknown {
  try {
    return MANY_DIGITS.test(text) ? parseExact(text) : JSON.parse(text)
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error
    return readWithWords(text)
  }
}

/** The words become strings that stand nowhere else in the text, and those become numbers. */
function readWithWords(text: string): unknown {
  let mark = '#'
  while (text.includes(`"${mark}`)) mark += '#'
  const marked = text.replace(WORDS_AND_STRINGS, (found) => (found.startsWith('"') ? found : `"${mark}${found}"`))
  const unmark = (value: unknown): unknown => {
    if (typeof value === 'string') return value.startsWith(mark) ? Number(value.slice(mark.length)) : value
    if (typeof value !== 'object' || value === null) return value
    for (const [key, member] of Object.entries(value)) Reflect.set(value, key, unmark(member))
    return value
  }
  return unmark(parseExact(marked))
}
