// Data written with another schema: the writer's and the reader's type go in, a reader comes out that gives values of the reader's.
import { explainedRead } from '../binary/codec.ts'
import { ByteCursor } from '../binary/cursor.ts'
import type { Read } from '../binary/read.ts'
import { AvroError, explain, type Mismatch } from '../error.ts'
import type { AvroType } from '../type.ts'
import { type CompileOptions, fail, generates } from '../value/compile.ts'
import { Refusal } from '../value/refusal.ts'
import { compatible } from './compatible.ts'
import { generateResolve } from './resolve-code.ts'
import { Resolver } from './resolver.ts'

export interface ResolvingReader {
  /** Reads one value at the cursor and moves it behind the value; on an error the cursor stays. */
  read(cursor: ByteCursor): unknown
  /** Reads the one value that the bytes from `start` to `end` are. */
  decode(bytes: Uint8Array, start?: number, end?: number): unknown
}

/**
 * Throws when no value of `writer` could be read as `reader`. Where only some can (some branches of a union, some symbols
 * of an enum), the others are refused when they are met.
 */
export function compileResolve(writer: AvroType, reader: AvroType, options: CompileOptions = {}): ResolvingReader {
  const resolver = new Resolver()
  const explaining = resolver.reader(writer, reader)
  if (explaining === undefined) throw incompatible(compatible(writer, reader))
  const fast = generates(options) ? generateResolve(writer, reader, resolver) : undefined
  const read: Read = explainedRead(reader, fast, (cursor) => {
    resolver.depth = 0
    return explaining(cursor)
  })
  const cursor = new ByteCursor(new Uint8Array())
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
  }
}

function incompatible(mismatches: readonly Mismatch[]): AvroError {
  const [first, ...others] = mismatches
  return new AvroError({ ...first!, ...(others.length === 0 ? {} : { hint: others.map(explain).join('; ') }) })
}
