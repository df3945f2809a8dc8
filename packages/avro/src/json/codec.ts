// Avro's JSON: a type goes in, a codec between JSON text and values of the type comes out.
//
// Reading: unions tagged or bare (a tag wins), longs with all their digits, NaN and infinities by name, defaults for missing fields.
// Writing: unions tagged. Of equal keys in one object the last counts, as in JSON.parse: to see them would take a second parser.
import { AvroError } from '../error.ts'
import { typesIn } from '../schema/walk.ts'
import type { AvroType } from '../type.ts'
import { interpretCheck } from '../value/check.ts'
import { again, bareConvert, type CompileOptions, compileConvert, fail, generates } from '../value/compile.ts'
import { type ConvertOptions, interpretConvert } from '../value/convert.ts'
import { parseExact } from '../value/exact.ts'
import { digits } from '../value/number.ts'
import { interpretPlain } from './plain.ts'
import { generatePlain } from './plain-code.ts'

/** All functions throw an `AvroError` that points to what does not fit. */
export interface JsonCodec {
  read(text: string): unknown
  /** The same when `JSON.parse` has read the text already; what it gave is used up. The text is only looked at in case of doubt. */
  readParsed(json: unknown, text: () => string): unknown
  /** The same for what `JSON.parse` has made of a text that is gone. */
  readValue(json: unknown): unknown
  write(value: unknown): string
  /** What `JSON.stringify` turns into the same text; a long beyond 53 bits is in it as `JSON.rawJSON`. */
  writeValue(value: unknown): unknown
}

export function compileJson(type: AvroType, options: CompileOptions & ConvertOptions = {}): JsonCodec {
  const explained = explainedPlain(type)
  const plain = generates(options) ? generatePlain(type) : explained
  return {
    ...compileReaders(type, options),
    readValue: compileConvert(type, options),
    write(value) {
      try {
        const text = JSON.stringify(plain(value))
        // JSON.stringify escapes halves of surrogate pairs and nothing else so.
        if (!text.includes('\\ud')) return text
      } catch {
        // What is wrong is found out below.
      }
      return JSON.stringify(explained(value))
    },
    writeValue: explained,
  }
}

function compileReaders(
  type: AvroType,
  options: CompileOptions & ConvertOptions,
): Pick<JsonCodec, 'read' | 'readParsed'> {
  const owned = { ...options, owned: true }
  const convert = bareConvert(type, owned)
  const explain = interpretConvert(type, owned)
  const hasLong = [...typesIn(type)].some((each) => each.kind === 'long')
  const parse = hasLong ? parseExact : JSON.parse
  return {
    read(text) {
      digits.lost = false
      try {
        const value = convert(JSON.parse(text))
        if (!digits.lost) return value
      } catch {
        // What is wrong is found out below, from the text.
      }
      return again(explain, parseText(text, parse))
    },
    readParsed(json, text) {
      digits.lost = false
      try {
        const value = convert(json)
        if (!digits.lost) return value
      } catch {
        // What is wrong is found out below, from the text.
      }
      return again(explain, parseText(text(), parse))
    },
  }
}

function parseText(text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof RangeError) fail(error)
    const hint = error instanceof Error ? error.message : String(error)
    throw new AvroError({ pointer: '', expected: 'JSON', found: text === '' ? 'nothing' : 'other text', hint })
  }
}

/** Checks the value first, so that the error points to what is wrong. */
function explainedPlain(type: AvroType): (value: unknown) => unknown {
  const inspect = interpretCheck(type)
  const plain = interpretPlain(type) as (value: unknown) => unknown
  return (value) => {
    try {
      inspect(value)
    } catch (error) {
      fail(error)
    }
    return plain(value)
  }
}
