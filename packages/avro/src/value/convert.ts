// Values from outside, without generated code: a type goes in, a function comes out that turns JSON values into values of the type.
//
// This version serves pages that forbid generated code, explains every error, and is the oracle of the generated version.
import { Branch } from '../branch.ts'
import { describeValue } from '../error.ts'
import { didYouMean, nearestWord } from '../schema/nearest.ts'
import { perType } from '../schema/per-type.ts'
import { branchName, isPlainUnion } from '../schema/union.ts'
import { recursiveRecords } from '../schema/walk.ts'
import type { AvroType, EnumType, Field, FixedType, RecordType, UnionType } from '../type.ts'
import { candidatesFor, givenLook, type Look, onlyKey } from './candidates.ts'
import { fromDate } from './date.ts'
import { MAXIMUM_DEPTH } from './depth.ts'
import { bytesOf } from './latin1.ts'
import { isInt, toDouble, toLong } from './number.ts'
import { inside, Refusal } from './refusal.ts'
import { describeType } from './words.ts'

export interface ConvertOptions {
  /** What becomes of fields that the record does not have; rejected by default. */
  readonly extra?: 'reject' | 'ignore'
  /** How deep records may hold themselves; 1000 by default. */
  readonly maximumDepth?: number
}

export interface InterpretOptions extends ConvertOptions {
  /** The values were made for us alone: arrays are changed where they are, and records are always made anew. */
  readonly owned?: boolean
  /** False for defaults in schemas, which are never tagged. */
  readonly tags?: boolean
}

export type Convert = (value: unknown) => unknown

/** The function given back throws a `Refusal`. */
export function interpretConvert(type: AvroType, options: InterpretOptions = {}): Convert {
  const level: Level = { depth: 0 }
  const convert = new Interpreter(type, options, level).converter(type)
  return (value) => {
    level.depth = 0
    return convert(value)
  }
}

/** How many recursive records we are inside of. */
interface Level {
  depth: number
}

class Interpreter {
  readonly #level: Level
  readonly #options: InterpretOptions
  readonly #recursive: ReadonlySet<RecordType>
  /** Tries a branch that may turn out wrong, so must leave the value as it is. */
  readonly #trial: Interpreter

  constructor(type: AvroType, options: InterpretOptions, level: Level) {
    this.#level = level
    this.#options = options
    this.#recursive = recursiveRecords(type)
    this.#trial = options.owned ? new Interpreter(type, { ...options, owned: false }, level) : this
  }

  readonly converter = perType<Convert>((type) => this.#make(type))

  #make(type: AvroType): Convert {
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
        return enumConverter(type)
      case 'fixed':
        return fixedConverter(type)
      default:
        return orDate(type, PRIMITIVES[type.kind])
    }
  }

  #array(type: AvroType): Convert {
    const item = this.converter(type)
    const owned = this.#options.owned === true
    return (value) => {
      if (!Array.isArray(value)) throw refuse(value, 'an array')
      let array: unknown[] = value
      let index = 0
      try {
        for (; index < value.length; index++) {
          const converted = item(value[index])
          if (Object.is(converted, value[index])) continue
          if (array === value && !owned) array = value.slice()
          array[index] = converted
        }
      } catch (error) {
        throw inside(error, index)
      }
      return array
    }
  }

  #map(type: AvroType): Convert {
    const item = this.converter(type)
    return (value) => {
      const look = givenLook(value)
      if (look !== 'map' && look !== 'object') throw refuse(value, 'a map (an object)')
      const given = value instanceof Map
      const map = new Map<string, unknown>()
      let changed = !given
      let key: unknown
      try {
        for (key of given ? value.keys() : Object.keys(value as object)) {
          if (typeof key !== 'string' || !key.isWellFormed())
            throw new Refusal('a key that is no text', 'a key of whole characters')
          const before = given ? value.get(key) : Reflect.get(value as object, key)
          const converted = item(before)
          changed ||= !Object.is(converted, before)
          map.set(key, converted)
        }
      } catch (error) {
        throw inside(error, typeof key === 'string' ? key : describeValue(key))
      }
      return changed ? map : value
    }
  }

  #record(type: RecordType): Convert {
    const { owned, extra } = this.#options
    const fields = type.fields.map((field) => ({
      ...field,
      convert: this.converter(field.type),
      missing: this.#missing(field),
    }))
    return (value) => {
      if (givenLook(value) !== 'object') throw refuse(value, describeType(type))
      const source = value as object
      const record = {}
      let changed = owned === true
      let present = 0
      for (const { name, convert, missing } of fields) {
        const before = Object.hasOwn(source, name) ? Reflect.get(source, name) : undefined
        try {
          const after = before === undefined ? missing(source) : convert(before)
          if (before !== undefined) present++
          changed ||= !Object.is(after, before)
          setField(record, name, after)
        } catch (error) {
          throw inside(error, name)
        }
      }
      if (countKeys(source) !== present) {
        if (extra !== 'ignore') rejectExtra(source, type)
        changed = true
      }
      return changed ? record : value
    }
  }

  /** What stands in for a field that is not there. Made anew each time, since arrays and maps can be changed by others. */
  #missing(field: Field): (record: object) => unknown {
    if (!('default' in field)) {
      return (record) => {
        const near = nearestWord(field.name, Object.keys(record))
        const hint =
          near === undefined ? undefined : `is ${JSON.stringify(near)} meant to be ${JSON.stringify(field.name)}?`
        throw new Refusal('no such field', describeType(field.type), hint)
      }
    }
    let convert: Convert | undefined
    return () => {
      convert ??= interpretConvert(field.type, { tags: false })
      if (typeof field.default !== 'object' || field.default === null) return convert(field.default)
      // With `tags: false` nothing is owned, so a default that needs no change would be the schema's own object.
      return convert(structuredClone(field.default))
    }
  }

  #union(type: UnionType): Convert {
    const plain = isPlainUnion(type)
    const as = (branch: AvroType, convert: Convert): Convert => {
      const name = branchName(branch)
      return plain ? convert : (value) => new Branch(name, convert(value))
    }
    const tagged = new Map<string, Convert>()
    for (const branch of type.branches) {
      if (branch.kind !== 'null') tagged.set(branchName(branch), as(branch, this.converter(branch)))
    }
    const choices = new Map<Look, Convert[]>()
    const chosen = (look: Look): Convert[] => {
      let converters = choices.get(look)
      if (converters === undefined) {
        const candidates = candidatesFor(type, look)
        const maker = candidates.length > 1 ? this.#trial : this
        converters = candidates.map((branch) => as(branch, maker.converter(branch)))
        choices.set(look, converters)
      }
      return converters
    }
    const tags = this.#options.tags !== false
    return (value) => {
      const look = givenLook(value)
      if (look === 'object' && tags) {
        const tag = value instanceof Branch ? value.type : onlyKey(value as object)
        const convert = tag === undefined ? undefined : tagged.get(tag)
        if (convert !== undefined) return convertTagged(value as object, tag!, convert)
      }
      const converters = look === undefined ? [] : chosen(look)
      if (converters.length === 1) return converters[0]!(value)
      const { depth } = this.#level
      for (const convert of converters) {
        try {
          return convert(value)
        } catch (error) {
          if (!(error instanceof Refusal)) throw error
          this.#level.depth = depth
        }
      }
      const tag = look === 'object' ? onlyKey(value as object) : undefined
      const hint = tag === undefined ? undefined : didYouMean(tag, tagged.keys()).hint
      throw new Refusal(describeValue(value), describeType(type), hint)
    }
  }

  #counted(convert: Convert): Convert {
    const limit = this.#options.maximumDepth ?? MAXIMUM_DEPTH
    return (value) => {
      if (++this.#level.depth > limit) throw new Refusal('one more', `at most ${limit} records inside each other`)
      const converted = convert(value)
      this.#level.depth--
      return converted
    }
  }
}

function convertTagged(value: object, tag: string, convert: Convert): unknown {
  try {
    if (!(value instanceof Branch)) return convert(Reflect.get(value, tag))
    const converted = convert(value.value)
    return converted instanceof Branch && Object.is(converted.value, value.value) ? value : converted
  } catch (error) {
    throw inside(error, tag)
  }
}

export function refuse(value: unknown, expected: string): Refusal {
  return new Refusal(describeValue(value), expected)
}

function countKeys(value: object): number {
  let count = 0
  for (const _ in value) count++
  return count
}

function rejectExtra(value: object, type: RecordType): void {
  const names = type.fields.map((field) => field.name)
  for (const key of Object.keys(value)) {
    if (names.includes(key) || Reflect.get(value, key) === undefined) continue
    throw inside(
      new Refusal('a field that the record does not have', `only fields of ${type.name}`, didYouMean(key, names).hint),
      key,
    )
  }
}

/** Plain assignment to `__proto__` would set the prototype. */
export function setField(record: object, name: string, value: unknown): void {
  if (name !== '__proto__') Reflect.set(record, name, value)
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
}

function enumConverter(type: EnumType): Convert {
  const symbols = new Set<unknown>(type.symbols)
  return (value) => {
    if (symbols.has(value)) return value
    const hint = typeof value === 'string' ? didYouMean(value, type.symbols).hint : undefined
    throw new Refusal(describeValue(value), describeType(type), hint)
  }
}

function fixedConverter(type: FixedType): Convert {
  return (value) => {
    const bytes = toBytes(value)
    if (bytes === undefined) throw refuse(value, describeType(type))
    if (bytes.length !== type.size) throw new Refusal(`${bytes.length} bytes`, describeType(type))
    return bytes
  }
}

function orDate(type: AvroType, convert: Convert): Convert {
  const ofDate = fromDate(type)
  if (ofDate === undefined) return convert
  // What is no such date is refused as what it is.
  return (value) => (value instanceof Date ? (ofDate(value) ?? convert(value)) : convert(value))
}

function toBytes(value: unknown): Uint8Array | undefined {
  return typeof value === 'string' ? bytesOf(value) : value instanceof Uint8Array ? value : undefined
}

function converted(kind: keyof typeof PRIMITIVES, value: unknown, result: unknown): unknown {
  if (result === undefined) throw refuse(value, describeType({ kind }))
  return result
}

const PRIMITIVES = {
  null: (value: unknown) => converted('null', value, value === null ? null : undefined),
  boolean: (value: unknown) => converted('boolean', value, typeof value === 'boolean' ? value : undefined),
  int: (value: unknown) => converted('int', value, isInt(value) ? value + 0 : undefined),
  long: (value: unknown) => converted('long', value, toLong(value)),
  float: (value: unknown) => {
    const double = toDouble(value)
    return converted('float', value, double === undefined ? undefined : Math.fround(double))
  },
  double: (value: unknown) => converted('double', value, toDouble(value)),
  string: (value: unknown) => {
    if (typeof value === 'string' && !value.isWellFormed())
      throw new Refusal('half of a surrogate pair', 'a string of whole characters')
    return converted('string', value, typeof value === 'string' ? value : undefined)
  },
  bytes: (value: unknown) => converted('bytes', value, toBytes(value)),
}
