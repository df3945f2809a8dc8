// Values to JSON text, without generated code: a type goes in, a function comes out that writes its values as Avro's JSON.
import type { Branch } from '../branch.ts'
import { branchName, isPlainUnion, shapeOf } from '../schema/union.ts'
import type { AvroType, UnionType } from '../type.ts'
import { lookOf } from '../value/candidates.ts'
import { textOf } from '../value/latin1.ts'
import { doubleText, stringText } from './text.ts'

/** Takes values of the type and nothing else: its caller has checked them. */
export type Write = (value: never) => string

export function interpretWrite(type: AvroType, writers = new Map<AvroType, Write>()): Write {
  const known = writers.get(type)
  if (known !== undefined) return known
  let made: Write | undefined
  writers.set(type, (value) => made!(value))
  made = make(type, (member) => interpretWrite(member, writers))
  writers.set(type, made)
  return made
}

function make(type: AvroType, writer: (member: AvroType) => Write): Write {
  switch (type.kind) {
    case 'array': {
      const item = writer(type.items)
      return (value: never[]) => `[${value.map(item).join(',')}]`
    }
    case 'map': {
      const item = writer(type.values)
      return (value: Map<string, never>) =>
        `{${Array.from(value, ([key, member]) => `${stringText(key)}:${item(member)}`).join(',')}}`
    }
    case 'record': {
      const fields = type.fields.map(({ name, type }) => ({ name, key: stringText(name), write: writer(type) }))
      return (value: object) =>
        `{${fields.map(({ name, key, write }) => `${key}:${write(Reflect.get(value, name) as never)}`).join(',')}}`
    }
    case 'union':
      return unionWriter(type, writer)
    case 'string':
    case 'enum':
      return stringText
    case 'bytes':
    case 'fixed':
      return (value: Uint8Array) => JSON.stringify(textOf(value))
    case 'float':
    case 'double':
      return doubleText
    default:
      return String
  }
}

/** A value of a union is tagged with its branch, except null. */
function unionWriter(type: UnionType, writer: (member: AvroType) => Write): Write {
  const plain = isPlainUnion(type)
  const branches = new Map(
    type.branches.map((branch) => {
      const write = writer(branch)
      const tag = stringText(branchName(branch))
      const tagged: Write = branch.kind === 'null' ? () => 'null' : (value) => `{${tag}:${write(value)}}`
      return [plain ? shapeOf(branch) : branchName(branch), tagged]
    }),
  )
  if (!plain) return (value: Branch<never>) => branches.get(value.type)!(value.value)
  return (value) => {
    const look = lookOf(value)!
    return branches.get(look === 'bigint' ? 'number' : look === 'object' ? 'record' : look)!(value)
  }
}
