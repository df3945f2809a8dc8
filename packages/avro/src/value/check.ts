// Values of our own, without generated code: a type goes in, a function comes out that refuses what is no value of the type.
//
// Strict: only the representation of `type.ts` passes. `convert.ts` is the lenient one, for values from outside.
import { Branch } from '../branch.ts'
import { describeValue } from '../error.ts'
import { perType } from '../schema/per-type.ts'
import { branchName, isPlainUnion, shapeOf } from '../schema/union.ts'
import { recursiveRecords } from '../schema/walk.ts'
import type { AvroType, RecordType, UnionType } from '../type.ts'
import { lookOf } from './candidates.ts'
import { refuse } from './convert.ts'
import { MAXIMUM_DEPTH } from './depth.ts'
import { isInt, isLong } from './number.ts'
import { inside, Refusal } from './refusal.ts'
import { describeType } from './words.ts'

/** Throws a `Refusal`. */
export type Inspect = (value: unknown) => void

export function interpretCheck(type: AvroType): Inspect {
  const interpreter = new Interpreter(type)
  const inspect = interpreter.inspector(type)
  return (value) => {
    interpreter.depth = 0
    inspect(value)
  }
}

class Interpreter {
  depth = 0
  readonly #recursive: ReadonlySet<RecordType>

  constructor(type: AvroType) {
    this.#recursive = recursiveRecords(type)
  }

  readonly inspector = perType<Inspect>((type) => this.#make(type))

  #make(type: AvroType): Inspect {
    switch (type.kind) {
      case 'array':
        return this.#array(type.items)
      case 'map':
        return this.#map(type.values)
      case 'record':
        return this.#recursive.has(type) ? this.#counted(this.#record(type)) : this.#record(type)
      case 'union':
        return this.#union(type)
      case 'enum':
        return test(type, (value) => type.symbols.includes(value as string))
      case 'fixed':
        return test(type, (value) => value instanceof Uint8Array && value.length === type.size)
      default:
        return test(type, PRIMITIVES[type.kind])
    }
  }

  #array(type: AvroType): Inspect {
    const item = this.inspector(type)
    return (value) => {
      if (!Array.isArray(value)) throw refuse(value, 'an array')
      let index = 0
      try {
        for (; index < value.length; index++) item(value[index])
      } catch (error) {
        throw inside(error, index)
      }
    }
  }

  #map(type: AvroType): Inspect {
    const item = this.inspector(type)
    return (value) => {
      if (!(value instanceof Map)) throw refuse(value, 'a Map')
      for (const [key, member] of value) {
        try {
          if (typeof key !== 'string' || !key.isWellFormed()) throw refuse(key, 'a key of whole characters')
          item(member)
        } catch (error) {
          throw inside(error, typeof key === 'string' ? key : describeValue(key))
        }
      }
    }
  }

  #record(type: RecordType): Inspect {
    const fields = type.fields.map(({ name, type }) => ({ name, inspect: this.inspector(type) }))
    const names = new Set(type.fields.map((field) => field.name))
    return (value) => {
      if (lookOf(value) !== 'object') throw refuse(value, describeType(type))
      for (const { name, inspect } of fields) {
        try {
          inspect(Object.hasOwn(value as object, name) ? Reflect.get(value as object, name) : undefined)
        } catch (error) {
          throw inside(error, name)
        }
      }
      for (const key in value as object) {
        if (!names.has(key))
          throw inside(new Refusal('a field that the record does not have', `only fields of ${type.name}`), key)
      }
    }
  }

  #union(type: UnionType): Inspect {
    if (!isPlainUnion(type)) return this.#branches(type)
    const inspectors = new Map(type.branches.map((branch) => [shapeOf(branch), this.inspector(branch)]))
    return (value) => {
      const look = lookOf(value)
      const shape = look === 'bigint' ? 'number' : look === 'object' ? 'record' : look
      const inspect = shape === undefined ? undefined : inspectors.get(shape)
      if (inspect === undefined) throw refuse(value, describeType(type))
      inspect(value)
    }
  }

  #branches(type: UnionType): Inspect {
    const inspectors = new Map(type.branches.map((branch) => [branchName(branch), this.inspector(branch)]))
    return (value) => {
      const inspect = value instanceof Branch ? inspectors.get(value.type) : undefined
      if (inspect === undefined) {
        const found = value instanceof Branch ? `a Branch of ${describeValue(value.type)}` : describeValue(value)
        throw new Refusal(found, `a Branch: ${describeType(type)}`)
      }
      try {
        inspect((value as Branch).value)
      } catch (error) {
        throw inside(error, (value as Branch).type)
      }
    }
  }

  #counted(inspect: Inspect): Inspect {
    return (value) => {
      if (++this.depth > MAXIMUM_DEPTH)
        throw new Refusal('one more', `at most ${MAXIMUM_DEPTH} records inside each other`)
      inspect(value)
      this.depth--
    }
  }
}

function test(type: AvroType, accepts: (value: unknown) => boolean): Inspect {
  return (value) => {
    if (!accepts(value)) throw refuse(value, describeType(type))
  }
}

const PRIMITIVES = {
  null: (value: unknown) => value === null,
  boolean: (value: unknown) => typeof value === 'boolean',
  int: isInt,
  long: isLong,
  float: (value: unknown) => typeof value === 'number' && Object.is(Math.fround(value), value),
  double: (value: unknown) => typeof value === 'number',
  string: (value: unknown) => typeof value === 'string' && value.isWellFormed(),
  bytes: (value: unknown) => value instanceof Uint8Array,
}
