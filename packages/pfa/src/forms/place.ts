// Offsets into a text come in, line and column (both from 1) go out; and the JSON pointers that name values.
import { PfaError, type Place } from '../errors.ts'
import type { Document, DocumentValue } from './document.ts'

/** Depth and size that a reader accepts: deeper nesting would overflow the stack of whoever walks the document next. */
export interface Limits {
  readonly depth: number
  /** UTF-16 units of text. */
  readonly length: number
}

export const defaultLimits: Limits = { depth: 1500, length: 256 * 1024 * 1024 }
/** The YAML package spends several stack frames on a level, so it gives up sooner. */
export const yamlLimits: Limits = { ...defaultLimits, depth: 600 }

export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < offset; next = text.indexOf('\n', start)) {
    line += 1
    start = next + 1
  }
  return { line, column: offset - start + 1 }
}

export function syntaxErrorAt(text: string, offset: number, message: string): PfaError {
  const at = lineAndColumn(text, offset)
  return new PfaError('syntax', `Line ${at.line}, column ${at.column}: ${message}`, { at })
}

export function childPointer(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}/${key}`
  return `${parent}/${key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key}`
}

/** The token as a reader of a message should see it: short, on one line. */
export function describeFound(text: string, offset: number): string {
  if (offset >= text.length) return 'the end of the text'
  const word = /^(?:[\p{L}\p{N}_$.+-]+|.)/su.exec(text.slice(offset, offset + 40))?.[0] ?? ''
  return JSON.stringify(word)
}

/** A document whose places are worked out only when one is asked for: most documents have no error to place. */
export class ReadDocument implements Document {
  readonly root: DocumentValue
  readonly #text: string
  readonly #offsetsByPointer: () => ReadonlyMap<string, number>
  #offsets: ReadonlyMap<string, number> | undefined

  constructor(root: DocumentValue, text: string, offsetsByPointer: () => ReadonlyMap<string, number>) {
    this.root = root
    this.#text = text
    this.#offsetsByPointer = offsetsByPointer
  }

  place(pointer: string): Place | undefined {
    this.#offsets ??= this.#offsetsByPointer()
    const offset = this.#offsets.get(pointer)
    return offset === undefined ? undefined : { ...lineAndColumn(this.#text, offset), pointer }
  }
}

/** Sets an own property whatever its name: a plain assignment to `__proto__` would set the prototype instead. */
export function setOwn(object: Record<string, DocumentValue>, key: string, value: DocumentValue): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}
