// Where a record ends in bytes that have no frames: a type goes in, a function comes out that finds the end of the next value.
import { compileSkip } from '../resolve/skip.ts'
import type { AvroType } from '../type.ts'
import { fail } from '../value/compile.ts'
import { ByteCursor, Truncated } from './cursor.ts'

/**
 * The function gives the offset behind the value that starts at `start`, or -1 when the bytes end before the value does.
 * It throws an `AvroError` when these are no bytes of such a value.
 */
export function compileCut(type: AvroType): (bytes: Uint8Array, start: number, end: number) => number {
  const skip = compileSkip(type)
  const cursor = new ByteCursor(new Uint8Array())
  return (bytes, start, end) => {
    cursor.reset(bytes, start, end)
    try {
      skip(cursor)
    } catch (error) {
      return error instanceof Truncated ? -1 : fail(error)
    }
    return cursor.offset
  }
}
