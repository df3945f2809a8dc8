// Values to Avro's binary, without generated code: a type goes in, a function comes out that writes one value to a sink.
import type { Branch } from '../branch.ts'
import { perType } from '../schema/per-type.ts'
import { branchName, isPlainUnion, shapeOf } from '../schema/union.ts'
import type { AvroType, UnionType } from '../type.ts'
import { lookOf } from '../value/candidates.ts'
import { UNSURE } from '../value/refusal.ts'
import {
  type ByteSink,
  writeBoolean,
  writeBytes,
  writeDouble,
  writeFixed,
  writeFloat,
  writeInt,
  writeLong,
  writeString,
} from './sink.ts'

/** Takes values of the type; for others it throws, or its caller has checked them. */
export type Write = (sink: ByteSink, value: unknown) => void

export const WRITE_PRIMITIVE = {
  null: (_: ByteSink, value: unknown) => {
    if (value !== null) throw UNSURE
  },
  boolean: writeBoolean,
  int: writeInt,
  long: writeLong,
  float: writeFloat,
  double: writeDouble,
  bytes: writeBytes,
  string: writeString,
} as const

export function interpretWrite(type: AvroType): Write {
  return perType<Write>(make)(type)
}

function make(type: AvroType, inner: (member: AvroType) => Write): Write {
  switch (type.kind) {
    case 'array': {
      const item = inner(type.items)
      return (sink, value) => {
        const array = value as unknown[]
        if (array.length > 0) writeLong(sink, array.length)
        for (const member of array) item(sink, member)
        writeLong(sink, 0)
      }
    }
    case 'map': {
      const item = inner(type.values)
      return (sink, value) => {
        const map = value as Map<string, unknown>
        if (map.size > 0) writeLong(sink, map.size)
        for (const [key, member] of map) {
          writeString(sink, key)
          item(sink, member)
        }
        writeLong(sink, 0)
      }
    }
    case 'record': {
      const fields = type.fields.map(({ name, type }) => ({ name, write: inner(type) }))
      return (sink, value) => {
        for (const { name, write } of fields) write(sink, Reflect.get(value as object, name))
      }
    }
    case 'union':
      return unionWriter(type, inner)
    case 'enum': {
      const indexes = new Map<unknown, number>(type.symbols.map((symbol, index) => [symbol, index]))
      return (sink, value) => writeInt(sink, indexes.get(value))
    }
    case 'fixed':
      return (sink, value) => writeFixed(sink, value, type.size)
    default:
      return WRITE_PRIMITIVE[type.kind]
  }
}

function unionWriter(type: UnionType, inner: (member: AvroType) => Write): Write {
  const plain = isPlainUnion(type)
  const branches = new Map<string, { index: number; write: Write }>(
    type.branches.map((branch, index) => [
      plain ? shapeOf(branch) : branchName(branch),
      { index, write: inner(branch) },
    ]),
  )
  return (sink, value) => {
    const look = lookOf(value)
    const shape = look === 'bigint' ? 'number' : look === 'object' ? 'record' : look
    const branch = branches.get(plain ? (shape ?? '') : (value as Branch).type)
    if (branch === undefined) throw UNSURE
    writeInt(sink, branch.index)
    branch.write(sink, plain ? value : (value as Branch).value)
  }
}
