// Values to plain JSON values, without generated code: a type goes in, a function comes out; JSON.stringify does the rest.
//
// JSON.stringify is faster than any text put together in JavaScript, so only what it cannot know is done here.
import type { Branch } from '../branch.ts'
import { perType } from '../schema/per-type.ts'
import { branchName, isPlainUnion, shapeOf } from '../schema/union.ts'
import type { AvroType, UnionType } from '../type.ts'
import { lookOf } from '../value/candidates.ts'
import { setField } from '../value/convert.ts'
import { exactNumber } from '../value/exact.ts'
import { textOf } from '../value/latin1.ts'

/** Takes values of the type and nothing else: its caller has checked them. */
export type ToPlain = (value: never) => unknown

export function interpretPlain(type: AvroType): ToPlain {
  return perType<ToPlain>(make)(type)
}

function make(type: AvroType, inner: (member: AvroType) => ToPlain): ToPlain {
  switch (type.kind) {
    case 'array': {
      const item = inner(type.items)
      return (value: never[]) => value.map((member) => item(member))
    }
    case 'map': {
      const item = inner(type.values)
      return (value: Map<string, never>) => plainObject(value, item)
    }
    case 'record': {
      const fields = type.fields.map(({ name, type }) => ({ name, plain: inner(type) }))
      return (value: object) => {
        const object = {}
        for (const { name, plain } of fields) setField(object, name, plain(Reflect.get(value, name) as never))
        return object
      }
    }
    case 'union':
      return unionToPlain(type, inner)
    case 'bytes':
    case 'fixed':
      return textOf
    case 'float':
    case 'double':
      return plainDouble
    case 'long':
      return plainLong
    default:
      return (value) => value
  }
}

/** A value of a union is tagged with its branch, except null. */
function unionToPlain(type: UnionType, inner: (member: AvroType) => ToPlain): ToPlain {
  const plain = isPlainUnion(type)
  const branches = new Map(
    type.branches.map((branch) => {
      const member = inner(branch)
      const tag = branchName(branch)
      const tagged: ToPlain = branch.kind === 'null' ? () => null : (value) => ({ [tag]: member(value) })
      return [plain ? shapeOf(branch) : tag, tagged]
    }),
  )
  if (!plain) return (value: Branch<never>) => branches.get(value.type)!(value.value)
  return (value) => {
    const look = lookOf(value)!
    return branches.get(look === 'bigint' ? 'number' : look === 'object' ? 'record' : look)!(value)
  }
}

function plainObject(map: ReadonlyMap<string, never>, item: ToPlain): object {
  const object = {}
  for (const [key, member] of map) setField(object, key, item(member))
  return object
}

/** JSON has no such numbers, and JSON.stringify drops the sign of a negative zero. */
export function plainDouble(value: number): unknown {
  if (value - value !== 0) return String(value)
  return value === 0 && 1 / value < 0 ? exactNumber('-0') : value
}

export function plainLong(value: number | bigint): unknown {
  return typeof value === 'bigint' ? exactNumber(String(value)) : value
}
