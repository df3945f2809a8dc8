// The recorded behaviour of the reference, where it is present beside the project: files come in, cases go out.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type DocumentObject, type DocumentValue, NumberLexeme } from '../../src/forms/document.ts'
import { parse } from '../../src/forms/index.ts'

const folder = fileURLToPath(new URL('../../../../../shared/pfa', import.meta.url))

export const isPresent = existsSync(folder)
if (!isPresent) process.stdout.write(`skipped: no recorded behaviour at ${folder}\n`)

export const list = (path: string): string[] => (isPresent ? readdirSync(`${folder}/${path}`).sort() : [])
export const text = (path: string): string => readFileSync(`${folder}/${path}`, 'utf8')

/** With numbers as they were written: `1` and `1.0` differ. */
export const json = (path: string): DocumentValue => parse(text(path), 'json').root

export type Json = DocumentValue
export const get = (object: Json | undefined, key: string): Json | undefined =>
  typeof object === 'object' && object !== null && !Array.isArray(object) && Object.hasOwn(object, key)
    ? (object as DocumentObject)[key]
    : undefined
export const items = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : []
export const number = (value: Json | undefined): number | undefined =>
  value instanceof NumberLexeme ? Number(value.text) : typeof value === 'number' ? value : undefined

/** The same JSON with plain numbers, for messages and for what has no type. */
export function plain(value: Json | undefined): unknown {
  if (value instanceof NumberLexeme) {
    const double = Number(value.text)
    return /^-?\d+$/.test(value.text) && !Number.isSafeInteger(double) ? BigInt(value.text) : double
  }
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value as DocumentObject).map(([key, member]) => [key, plain(member)]))
  }
  return value
}
