// Avro's binary to values, without generated code: a type goes in, a function comes out that reads one value at a cursor.
import { Branch } from '../branch.ts'
import { perType } from '../schema/per-type.ts'
import { branchName, isPlainUnion } from '../schema/union.ts'
import { recursiveRecords } from '../schema/walk.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { setField } from '../value/convert.ts'
import { MAXIMUM_DEPTH } from '../value/depth.ts'
import { inside, Refusal } from '../value/refusal.ts'
import { describeType } from '../value/words.ts'
import {
  type ByteCursor,
  readBlock,
  readBoolean,
  readBytes,
  readDouble,
  readFixed,
  readFloat,
  readIndex,
  readInt,
  readLong,
  readString,
} from './cursor.ts'
import { minimumSize } from './minimum.ts'

/** Throws a `Refusal`. */
export type Read = (cursor: ByteCursor) => unknown

export const READ_PRIMITIVE = {
  null: () => null,
  boolean: readBoolean,
  int: readInt,
  long: readLong,
  float: readFloat,
  double: readDouble,
  bytes: readBytes,
  string: readString,
} as const

export function interpretRead(type: AvroType): Read {
  const interpreter = new Interpreter(type)
  const read = interpreter.reader(type)
  return (cursor) => {
    interpreter.depth = 0
    return read(cursor)
  }
}

class Interpreter {
  depth = 0
  readonly #recursive: ReadonlySet<RecordType>

  constructor(type: AvroType) {
    this.#recursive = recursiveRecords(type)
  }

  readonly reader = perType<Read>((type) => this.#make(type))

  #make(type: AvroType): Read {
    switch (type.kind) {
      case 'array':
        return arrayReader(this.reader(type.items), minimumSize(type.items))
      case 'map':
        return mapReader(this.reader(type.values), minimumSize(type.values))
      case 'record':
        return this.#recursive.has(type) ? this.#counted(this.#record(type)) : this.#record(type)
      case 'union':
        return this.#union(type)
      case 'enum': {
        const expected = describeType(type)
        return (cursor) => type.symbols[readIndex(cursor, type.symbols.length, expected)]
      }
      case 'fixed':
        return (cursor) => readFixed(cursor, type.size)
      default:
        return READ_PRIMITIVE[type.kind]
    }
  }

  #record(type: RecordType): Read {
    const fields = type.fields.map(({ name, type }) => ({ name, read: this.reader(type) }))
    return (cursor) => {
      const record = {}
      for (const { name, read } of fields) {
        try {
          setField(record, name, read(cursor))
        } catch (error) {
          throw inside(error, name)
        }
      }
      return record
    }
  }

  #union(type: UnionType): Read {
    const plain = isPlainUnion(type)
    const branches = type.branches.map((branch) => ({ name: branchName(branch), read: this.reader(branch) }))
    const expected = describeType(type)
    return (cursor) => {
      const { name, read } = branches[readIndex(cursor, branches.length, expected)]!
      if (plain) return read(cursor)
      try {
        return new Branch(name, read(cursor))
      } catch (error) {
        throw inside(error, name)
      }
    }
  }

  #counted(read: Read): Read {
    return (cursor) => {
      if (++this.depth > MAXIMUM_DEPTH)
        throw new Refusal('one more', `at most ${MAXIMUM_DEPTH} records inside each other`)
      const value = read(cursor)
      this.depth--
      return value
    }
  }
}

export function arrayReader(item: Read, minimum: number): Read {
  return (cursor) => {
    const array: unknown[] = []
    try {
      for (let count = readBlock(cursor, minimum, 0); count > 0; count = readBlock(cursor, minimum, array.length)) {
        for (; count > 0; count--) array.push(item(cursor))
      }
    } catch (error) {
      throw inside(error, array.length)
    }
    return array
  }
}

export function mapReader(item: Read, minimum: number): Read {
  return (cursor) => {
    const map = new Map<string, unknown>()
    // A key takes a byte at least, its length.
    for (let count = readBlock(cursor, minimum + 1, 0); count > 0; count = readBlock(cursor, minimum + 1, 0)) {
      for (; count > 0; count--) {
        const key = readString(cursor)
        try {
          map.set(key, item(cursor))
        } catch (error) {
          throw inside(error, key)
        }
      }
    }
    return map
  }
}
