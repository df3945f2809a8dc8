// JSON text comes in, a document goes out: strict, bounded in depth and size, numbers kept as they were written.
import { type Document, type DocumentValue, NumberLexeme } from './document.ts'
import {
  childPointer,
  defaultLimits,
  describeFound,
  type Limits,
  lineAndColumn,
  ReadDocument,
  setOwn,
  syntaxErrorAt,
} from './place.ts'

export function parseJson(text: string, limits: Limits = defaultLimits): Document {
  const root = new JsonReader(text, limits).document()
  return new ReadDocument(root, text, () => {
    const offsets = new Map<string, number>()
    new JsonReader(text, limits, offsets).document()
    return offsets
  })
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

class JsonReader {
  readonly #text: string
  readonly #limits: Limits
  /** Filled only when somebody asks for places: pointers are strings, and making them would double the time of reading. */
  readonly #offsets: Map<string, number> | undefined
  #position = 0

  constructor(text: string, limits: Limits, offsets?: Map<string, number>) {
    this.#text = text
    this.#limits = limits
    this.#offsets = offsets
  }

  document(): DocumentValue {
    const length = this.#text.length
    if (length > this.#limits.length) {
      throw syntaxErrorAt('', 0, `the document has ${length} characters, more than the ${this.#limits.length} allowed`)
    }
    if (this.#text.charCodeAt(0) === 0xfeff) this.#position = 1
    this.#space()
    const value = this.#value(0, '')
    this.#space()
    if (this.#position < length) throw this.#expected('the end of the text after the document')
    return value
  }

  #expected(what: string, offset = this.#position): Error {
    return syntaxErrorAt(this.#text, offset, `expected ${what}, found ${describeFound(this.#text, offset)}`)
  }

  #space(): void {
    const text = this.#text
    let position = this.#position
    for (;;) {
      const code = text.charCodeAt(position)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break
      position += 1
    }
    this.#position = position
  }

  #value(depth: number, pointer: string): DocumentValue {
    this.#offsets?.set(pointer, this.#position)
    const code = this.#text.charCodeAt(this.#position)
    switch (code) {
      case 0x22:
        return this.#string()
      case 0x7b:
        return this.#object(depth + 1, pointer)
      case 0x5b:
        return this.#array(depth + 1, pointer)
      case 0x74:
        return this.#word('true', true)
      case 0x66:
        return this.#word('false', false)
      case 0x6e:
        return this.#word('null', null)
    }
    if (code === 0x2d || isDigit(code)) return this.#number()
    throw this.#expected('a JSON value (an object, array, string, number, true, false or null)')
  }

  #enter(depth: number): void {
    if (depth > this.#limits.depth) {
      const message = `objects and arrays are nested more than ${this.#limits.depth} deep`
      throw syntaxErrorAt(this.#text, this.#position, message)
    }
    this.#position += 1
    this.#space()
  }

  #object(depth: number, pointer: string): DocumentValue {
    const opening = this.#position
    this.#enter(depth)
    const text = this.#text
    const object: Record<string, DocumentValue> = {}
    if (text.charCodeAt(this.#position) === 0x7d) {
      this.#position += 1
      return object
    }
    for (;;) {
      const keyAt = this.#position
      if (text.charCodeAt(keyAt) !== 0x22) throw this.#expected('a key in double quotes')
      const key = this.#string()
      if (Object.hasOwn(object, key)) {
        throw syntaxErrorAt(text, keyAt, `the key ${JSON.stringify(key)} stands twice in one object`)
      }
      this.#space()
      if (text.charCodeAt(this.#position) !== 0x3a) throw this.#expected("':' after the key")
      this.#position += 1
      this.#space()
      const value = this.#value(depth, this.#offsets === undefined ? '' : childPointer(pointer, key))
      setOwn(object, key, value)
      if (this.#closes(0x7d, opening)) return object
    }
  }

  #array(depth: number, pointer: string): DocumentValue {
    const opening = this.#position
    this.#enter(depth)
    const array: DocumentValue[] = []
    if (this.#text.charCodeAt(this.#position) === 0x5d) {
      this.#position += 1
      return array
    }
    for (;;) {
      array.push(this.#value(depth, this.#offsets === undefined ? '' : childPointer(pointer, array.length)))
      if (this.#closes(0x5d, opening)) return array
    }
  }

  /** After a member: true at the closing bracket, false after a comma. */
  #closes(closing: number, opening: number): boolean {
    this.#space()
    const code = this.#text.charCodeAt(this.#position)
    if (code === closing) {
      this.#position += 1
      return true
    }
    if (code !== 0x2c) {
      const { line, column } = lineAndColumn(this.#text, opening)
      const [bracket, kind] = closing === 0x7d ? ['}', 'object'] : [']', 'array']
      throw this.#expected(`',' or '${bracket}' in the ${kind} opened at line ${line}, column ${column}`)
    }
    this.#position += 1
    this.#space()
    return false
  }

  #word<Value extends DocumentValue>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#position)) throw this.#expected(`'${word}'`)
    this.#position += word.length
    return value
  }

  #digits(position: number): number {
    const text = this.#text
    if (!isDigit(text.charCodeAt(position))) throw this.#expected('a digit', position)
    let end = position + 1
    while (isDigit(text.charCodeAt(end))) end += 1
    return end
  }

  #number(): NumberLexeme {
    const text = this.#text
    const start = this.#position
    const whole = text.charCodeAt(start) === 0x2d ? start + 1 : start
    let end = this.#digits(whole)
    if (text.charCodeAt(whole) === 0x30 && end > whole + 1) {
      throw syntaxErrorAt(text, whole, 'a number does not begin with 0 unless it is 0 or a fraction: remove the 0')
    }
    if (text.charCodeAt(end) === 0x2e) end = this.#digits(end + 1)
    if ((text.charCodeAt(end) | 0x20) === 0x65) {
      const sign = text.charCodeAt(end + 1)
      end = this.#digits(sign === 0x2b || sign === 0x2d ? end + 2 : end + 1)
    }
    this.#position = end
    return new NumberLexeme(text.slice(start, end))
  }

  #string(): string {
    const text = this.#text
    const start = this.#position + 1
    let position = start
    let done = ''
    let copied = start
    for (;;) {
      const code = text.charCodeAt(position)
      if (code === 0x22) break
      if (code === 0x5c) {
        done += text.slice(copied, position)
        position += 1
        const letter = text[position] ?? ''
        if (letter === 'u') {
          done += this.#unicode(position + 1)
          position += 5
        } else {
          const plain = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined
          if (plain === undefined) throw this.#expected('one of " \\ / b f n r t u after the backslash', position)
          done += plain
          position += 1
        }
        copied = position
      } else if (code >= 0x20) {
        position += 1
      } else if (position >= text.length) {
        throw syntaxErrorAt(text, start - 1, 'the string opened here has no closing double quote')
      } else {
        throw this.#expected('a closing double quote, or an escape such as \\n for the control character', position)
      }
    }
    this.#position = position + 1
    return copied === start ? text.slice(start, position) : done + text.slice(copied, position)
  }

  #unicode(position: number): string {
    const digits = this.#text.slice(position, position + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#expected('four hexadecimal digits after \\u', position)
    return String.fromCharCode(Number.parseInt(digits, 16))
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
