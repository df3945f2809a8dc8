// json: a frame is the JSON of one record. With a schema it is Avro's JSON, checked; without one, any JSON.
import {
  AvroError,
  type AvroType,
  type CompileOptions,
  compileJson,
  type JsonCodec,
  parseExact,
  writeExact,
} from '@pitot/avro'
import { type Decoder, type Encoder, type Encoding, inHalves, rejectFrame } from '../encoding.ts'
import type { Frames } from '../frames.ts'
import type { Reject } from '../reject.ts'
import { encodeTexts, FrameText } from '../text.ts'

export interface JsonOptions {
  /** What becomes of fields that the schema does not have; rejected by default. */
  readonly extra?: 'reject' | 'ignore'
}

export const json: Encoding<JsonOptions> = {
  name: 'json',
  decoder: (type, options) => (type === null ? new JsonDecoder(readAny) : typedDecoder(compileJson(type, options))),
  encoder: (type, options) => encoderFor(type, options),
}

class JsonDecoder implements Decoder {
  readonly #read: (text: string) => unknown
  readonly #text = new FrameText()

  constructor(read: (text: string) => unknown) {
    this.#read = read
  }

  /** Of a frame that could be read. */
  text(frames: Frames, index: number): string {
    return this.#text.of(frames, index)!.replace(/^\ufeff/, '')
  }

  decode(frames: Frames, index: number, records: unknown[]): Reject | undefined {
    const text = this.#text.of(frames, index)
    if (text === undefined) return rejectFrame(frames, index, 'encoding', 'expected UTF-8, found other bytes')
    try {
      records.push(this.#read(text))
      return undefined
    } catch (error) {
      return this.#explain(text, error, frames, index, records)
    }
  }

  #explain(text: string, error: unknown, frames: Frames, index: number, records: unknown[]): Reject | undefined {
    if (text.trim() === '') return undefined
    // A byte order mark may stand before the first record of a file.
    if (text.startsWith('\ufeff')) {
      try {
        records.push(this.#read(text.slice(1)))
        return undefined
      } catch {
        // Then the mark is not what is wrong.
      }
    }
    return rejectFrame(frames, index, isJson(text) ? 'schema' : 'encoding', reasonOf(error))
  }
}

function typedDecoder(codec: JsonCodec): Decoder {
  const reader = new JsonDecoder(JSON.parse)
  return inHalves({
    read: (frames, index, values) => reader.decode(frames, index, values),
    check: (value, frames, index) => codec.readParsed(value, () => reader.text(frames, index)),
  })
}

function encoderFor(type: AvroType | null, options: (JsonOptions & CompileOptions) | undefined): Encoder {
  const write = type === null ? writeExact : compileJson(type, options).write
  return { encode: (records, room = 0) => encodeTexts(records, room, write) }
}

/** An integer that a number may not hold exactly. Digits behind a point are no integer's. */
const MANY_DIGITS = /(?<![\d.])\d{16}/
const MAXIMUM_DEPTH = 1000

/** Numbers keep their digits; deeper nesting than anything could handle later is refused here. */
function readAny(text: string): unknown {
  let value: unknown
  try {
    value = MANY_DIGITS.test(text) ? parseExact(text) : JSON.parse(text)
  } catch (error) {
    const hint = (error as Error).message
    throw new AvroError({ pointer: '', expected: 'JSON', found: 'other text', hint })
  }
  // A text shorter than this cannot nest so deep.
  if (text.length > 2 * MAXIMUM_DEPTH && isDeeper(value, MAXIMUM_DEPTH)) {
    throw new AvroError({ pointer: '', expected: `at most ${MAXIMUM_DEPTH} levels of nesting`, found: 'more' })
  }
  return value
}

function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}

function reasonOf(error: unknown): string {
  if (!(error instanceof SyntaxError)) return (error as Error).message
  return new AvroError({ pointer: '', expected: 'JSON', found: 'other text', hint: error.message }).message
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
