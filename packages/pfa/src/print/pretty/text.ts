// Names, strings and data as PrettyPFA writes them.
import { type DocumentValue, isList, isObject } from '../../forms/document.ts'
import { keywords } from '../../forms/pretty/cursor.ts'
import { inline, type Scalar, scalarText } from '../inline.ts'

/** Longer lines are broken, counted from where the expression begins. */
export const width = 88

const identifier = /^[A-Za-z_][A-Za-z_0-9]*$/
const dottedName = /^[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)*$/

export function isIdentifier(name: string): boolean {
  return identifier.test(name)
}

/** Names of functions and types: a dotted name is never a keyword. */
export function isDottedName(name: string): boolean {
  return dottedName.test(name) && !keywords.has(name)
}

/** Words that are no names where an expression is expected. */
export function isReserved(name: string): boolean {
  return keywords.has(name) || name === 'null' || name === 'true' || name === 'false'
}

export function quote(text: string): string {
  return JSON.stringify(text)
}

/** A key before a colon: any word can be one without quotes. */
export function keyText(key: string): string {
  return isIdentifier(key) ? key : quote(key)
}

export function indented(text: string): string {
  return `  ${text.replaceAll('\n', '\n  ')}`
}

export function fits(text: string): boolean {
  return text.length <= width && !text.includes('\n')
}

/** `open a, b close` on one line when it fits, else one item per line. */
export function bracketed(open: string, items: readonly string[], close: string): string {
  const line = `${open}${items.join(', ')}${close}`
  if (items.length === 0 || fits(line)) return line
  return `${open}\n${items.map(indented).join(',\n')}\n${close}`
}

/** Data in relaxed JSON: keys without quotes where they are words, strings always with them. */
export function dataText(value: DocumentValue): string {
  if (!isList(value) && !isObject(value)) return scalarText(value as Scalar, quote)
  // Numbers of a long list are packed into lines, so that a matrix stays readable.
  if (isList(value)) {
    const short = inline(value, width, quote)
    if (short !== undefined && !short.includes('{')) return short
    return bracketed('[', packed(value), ']')
  }
  return bracketed(
    '{',
    Object.keys(value).map((key) => `${keyText(key)}: ${dataText(value[key]!)}`),
    '}',
  )
}

function packed(values: readonly DocumentValue[]): string[] {
  if (values.some((value) => isList(value) || isObject(value))) return values.map(dataText)
  const lines: string[] = []
  for (const value of values) {
    const text = scalarText(value as Scalar, quote)
    const last = lines.at(-1)
    if (last !== undefined && last.length + text.length + 2 <= width) lines[lines.length - 1] = `${last}, ${text}`
    else lines.push(text)
  }
  return lines
}
