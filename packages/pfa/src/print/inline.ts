// A value comes in, its text on one line goes out, or undefined when it is longer than the room there is.
// JSON and the flow style of YAML differ only in which strings need quotes.
import { PfaError } from '../errors.ts'
import { type DocumentObject, type DocumentValue, isList, isObject, NumberLexeme } from '../forms/document.ts'
import type { Limits } from '../forms/place.ts'

export type Quote = (text: string) => string

export type Scalar = Exclude<DocumentValue, readonly DocumentValue[] | DocumentObject>

export function inline(value: DocumentValue, room: number, quote: Quote): string | undefined {
  if (isList(value)) return between('[', ']', value.length, room, (index, left) => inline(value[index]!, left, quote))
  if (!isObject(value)) {
    const text = scalarText(value as Scalar, quote)
    return text.length <= room ? text : undefined
  }
  const keys = Object.keys(value)
  return between('{', '}', keys.length, room, (index, left) => {
    const key = `${quote(keys[index]!)}: `
    const text = inline(value[keys[index]!]!, left - key.length, quote)
    return text === undefined ? undefined : key + text
  })
}

function between(
  open: string,
  close: string,
  count: number,
  room: number,
  item: (index: number, left: number) => string | undefined,
): string | undefined {
  // Each item takes at least three characters with its comma: a long list is given up at once.
  if (count * 3 > room + 2) return undefined
  let text = open
  for (let index = 0; index < count; index += 1) {
    if (index > 0) text += ', '
    const part = item(index, room - text.length - 1)
    if (part === undefined) return undefined
    text += part
  }
  text += close
  return text.length <= room ? text : undefined
}

export function scalarText(value: Scalar, quote: Quote): string {
  if (typeof value === 'string') return quote(value)
  if (value instanceof NumberLexeme) return value.text
  if (typeof value === 'number') return numberText(value)
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  throw new PfaError('syntax', `A document holds JSON values only: ${typeof value} is none.`)
}

/** A whole number stands for an int or a long; past their range only a double can be meant. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) {
    throw new PfaError('syntax', `${value} is no number of a document: in data write it as the string "${value}".`)
  }
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return BigInt(value).toString()
  return String(value)
}

/** What could not be read back is not printed; an object that holds itself ends here too. */
export function checkDepth(depth: number, limits: Limits): void {
  if (depth > limits.depth)
    throw new PfaError('syntax', `Objects and arrays are nested more than ${limits.depth} deep.`)
}
