// Avro's binary: a type goes in, a codec between bytes and values of the type comes out.
import type { AvroType } from '../type.ts'
import { interpretCheck } from '../value/check.ts'
import { type CompileOptions, fail, generates } from '../value/compile.ts'
import { Refusal } from '../value/refusal.ts'
import { ByteCursor } from './cursor.ts'
import { interpretRead, type Read } from './read.ts'
import { generateRead } from './read-code.ts'
import { ByteSink } from './sink.ts'
import { interpretWrite } from './write.ts'
import { generateWrite } from './write-code.ts'

/** All functions throw an `AvroError` that points to what does not fit and tells the byte. */
export interface BinaryCodec {
  /** Reads one value at the cursor and moves it behind the value; on an error the cursor stays. */
  read(cursor: ByteCursor): unknown
  /** Reads the one value that the bytes from `start` to `end` are. */
  decode(bytes: Uint8Array, start?: number, end?: number): unknown
  /** Adds a value to the sink; on an error the sink stays as it was. */
  write(value: unknown, sink: ByteSink): void
  /** The bytes of one value, in memory of their own. */
  encode(value: unknown): Uint8Array
}

export function compileBinary(type: AvroType, options: CompileOptions = {}): BinaryCodec {
  const read = explainedRead(type, generates(options) ? generateRead(type) : undefined)
  const write = compileWrite(type, options)
  const cursor = new ByteCursor(new Uint8Array())
  const sink = new ByteSink()
  return {
    read,
    decode(bytes, start = 0, end = bytes.length) {
      cursor.reset(bytes, start, end)
      const value = read(cursor)
      if (cursor.offset !== end) {
        fail(new Refusal(`${end - cursor.offset} more bytes at byte ${cursor.offset}`, 'the end of the record'))
      }
      return value
    },
    write,
    encode(value) {
      sink.clear()
      write(value, sink)
      return sink.written().slice()
    },
  }
}

/** When the fast version throws, the other one reads the same bytes again and tells in which field it was. */
export function explainedRead(type: AvroType, fast: Read | undefined, explain: Read = interpretRead(type)): Read {
  return (cursor) => {
    const start = cursor.offset
    if (fast !== undefined) {
      try {
        return fast(cursor)
      } catch {
        cursor.offset = start
      }
    }
    try {
      return explain(cursor)
    } catch (error) {
      cursor.offset = start
      return fail(error)
    }
  }
}

function compileWrite(type: AvroType, options: CompileOptions): BinaryCodec['write'] {
  const inspect = interpretCheck(type)
  const write = interpretWrite(type)
  const fast = generates(options) ? generateWrite(type) : undefined
  return (value, sink) => {
    const start = sink.length
    if (fast !== undefined) {
      try {
        fast(sink, value)
        return
      } catch {
        sink.length = start
      }
    }
    try {
      inspect(value)
    } catch (error) {
      fail(error)
    }
    write(sink, value)
  }
}
