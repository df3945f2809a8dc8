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
import { interpretWrite } from './write.ts'
import { generateWrite } from './write-code.ts'

/** All functions throw an `AvroError` that points to what does not fit. */
export interface JsonCodec {
  read(text: string): unknown
  /** The same for what `JSON.parse` has made of the text. */
  readValue(json: unknown): unknown
  write(value: unknown): string
}

export function compileJson(type: AvroType, options: CompileOptions & ConvertOptions = {}): JsonCodec {
  return {
    read: compileRead(type, options),
    readValue: compileConvert(type, options),
    write: compileWrite(type, options),
  }
}

function compileRead(type: AvroType, options: CompileOptions & ConvertOptions): JsonCodec['read'] {
  const owned = { ...options, owned: true }
  const convert = bareConvert(type, owned)
  const explain = interpretConvert(type, owned)
  const hasLong = [...typesIn(type)].some((each) => each.kind === 'long')
  const parse = hasLong ? parseExact : JSON.parse
  return (text) => {
    digits.lost = false
    try {
      const value = convert(JSON.parse(text))
      if (!digits.lost) return value
    } catch {
      // What is wrong is found out below, from the text.
    }
    return again(explain, parseText(text, parse))
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

function compileWrite(type: AvroType, options: CompileOptions): JsonCodec['write'] {
  const inspect = interpretCheck(type)
  const write = interpretWrite(type) as (value: unknown) => string
  const explained = (value: unknown): string => {
    try {
      inspect(value)
    } catch (error) {
      fail(error)
    }
    return write(value)
  }
  if (!generates(options)) return explained
  const fast = generateWrite(type)
  return (value) => {
    try {
      return fast(value)
    } catch {
      return explained(value)
    }
  }
}
