// A PFA document as its three written forms share it: the JSON tree, with numbers as they were written and with places.
import type { Place } from '../errors.ts'

/** A number as written. The lexeme carries the type: `1` is an int, `2147483648` a long, `1.0` and `1e3` are doubles. */
export class NumberLexeme {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * A tree made by `JSON.parse` is one too: there a JavaScript number is an int or a long when it is a whole number, a
 * double when it is not, and a bigint is a long.
 */
export type DocumentValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | NumberLexeme
  | readonly DocumentValue[]
  | DocumentObject

/** Keys keep their order. Only own properties count: a key may be any string, `__proto__` too. */
export interface DocumentObject {
  readonly [key: string]: DocumentValue
}

export interface Document {
  readonly root: DocumentValue
  /** Where a value stands in the text it was read from; undefined when the document came as an object. */
  place(pointer: string): Place | undefined
}

export function isList(value: DocumentValue): value is readonly DocumentValue[] {
  return Array.isArray(value)
}

export function isObject(value: DocumentValue): value is DocumentObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberLexeme)
}
