// Passes over values nobody wants: a type goes in, a function comes out that moves a cursor behind one value of it.
import { type ByteCursor, readBlock, readIndex, readLength, readLong, skipBytes } from '../binary/cursor.ts'
import { minimumSize } from '../binary/minimum.ts'
import { perType } from '../schema/per-type.ts'
import type { AvroType } from '../type.ts'

export type Skip = (cursor: ByteCursor) => void

/** Throws a `Refusal`; copies nothing. */
export function compileSkip(type: AvroType): Skip {
  return perType<Skip>(make)(type)
}

function make(type: AvroType, inner: (member: AvroType) => Skip): Skip {
  switch (type.kind) {
    case 'null':
      return () => {}
    case 'boolean':
      return (cursor) => skipBytes(cursor, 1)
    case 'int':
    case 'long':
    case 'enum':
      return (cursor) => void readLong(cursor)
    case 'float':
      return (cursor) => skipBytes(cursor, 4)
    case 'double':
      return (cursor) => skipBytes(cursor, 8)
    case 'fixed':
      return (cursor) => skipBytes(cursor, type.size)
    case 'bytes':
    case 'string':
      return (cursor) => skipBytes(cursor, readLength(cursor))
    case 'array':
      return skipBlocks(inner(type.items), minimumSize(type.items))
    case 'map': {
      const skip = inner(type.values)
      const entry: Skip = (cursor) => {
        skipBytes(cursor, readLength(cursor))
        skip(cursor)
      }
      return skipBlocks(entry, minimumSize(type.values) + 1)
    }
    case 'record': {
      const fields = type.fields.map((field) => inner(field.type))
      return (cursor) => {
        for (const skip of fields) skip(cursor)
      }
    }
    case 'union': {
      const branches = type.branches.map(inner)
      return (cursor) => branches[readIndex(cursor, branches.length, 'a branch')]!(cursor)
    }
  }
}

function skipBlocks(skip: Skip, minimum: number): Skip {
  return (cursor) => {
    let already = 0
    for (let count = readBlock(cursor, minimum, already); count > 0; count = readBlock(cursor, minimum, already)) {
      already += count
      for (; count > 0; count--) skip(cursor)
    }
  }
}
