// Records as R objects: a type goes in, a function comes out that writes the values of this type.
//
// | Avro                     | R                                                                                    |
// |--------------------------|--------------------------------------------------------------------------------------|
// | null                     | NULL                                                                                 |
// | boolean                  | logical                                                                              |
// | int                      | integer; -2^31 is R's NA, and becomes a double                                       |
// | long                     | double; beyond 2^53 its digits as character of class "long", so that none gets lost  |
// | float, double            | double                                                                               |
// | string, enum             | character                                                                            |
// | bytes, fixed             | raw                                                                                  |
// | array of the above       | a vector (of raws: a list), null among the items is NA                               |
// | other arrays             | a list                                                                               |
// | map, record              | a list with names                                                                    |
// | union                    | the value, without a tag                                                             |
//
// Without a type a number is an integer when it is one of 32 bits, and arrays of one kind of scalars are vectors.
import {
  type AvroType,
  Branch,
  branchName,
  perType,
  type RecordType,
  type Shape,
  shapeOf,
  type UnionType,
} from '@pitot/avro'
import { NA_INTEGER } from './layout.ts'
import { prepareNames, type ROutput } from './output.ts'

/** Throws an `UnwritableText`. */
export type WriteR = (output: ROutput, value: unknown) => void

export function compileWriteR(type: AvroType | null): WriteR {
  return type === null ? writeAny : new Compiler().writer(type)
}

class Compiler {
  readonly writer = perType<WriteR>((type) => this.#make(type))

  #make(type: AvroType): WriteR {
    switch (type.kind) {
      case 'array':
        return this.#array(type.items)
      case 'map':
        return this.#map(type.values)
      case 'record':
        return this.#record(type)
      case 'union':
        return this.#union(type)
      default:
        return SCALARS[type.kind] as WriteR
    }
  }

  #array(items: AvroType): WriteR {
    const vector = VECTORS[scalarKind(items) ?? 'list']
    if (vector !== undefined) return vector as WriteR
    const write = this.writer(items)
    return (output, value) => {
      const array = value as readonly unknown[]
      output.list(array.length, false)
      for (const item of array) write(output, item)
    }
  }

  #map(values: AvroType): WriteR {
    const write = this.writer(values)
    return (output, value) => {
      const map = value as ReadonlyMap<string, unknown>
      output.list(map.size, true)
      for (const member of map.values()) write(output, member)
      output.names([...map.keys()])
    }
  }

  #record(type: RecordType): WriteR {
    const fields = type.fields.map(({ name, type }) => ({ name, write: this.writer(type) }))
    const names = prepareNames(fields.map(({ name }) => name))
    return (output, value) => {
      const record = value as Readonly<Record<string, unknown>>
      output.list(fields.length, true)
      for (const { name, write } of fields) write(output, record[name])
      output.preparedNames(names)
    }
  }

  #union(type: UnionType): WriteR {
    const branches = type.branches.filter(({ kind }) => kind !== 'null')
    const writers = new Map(branches.map((branch) => [branchName(branch), this.writer(branch)]))
    const only = branches.length === 1 ? this.writer(branches[0]!) : undefined
    const byShape = new Map(branches.map((branch) => [shapeOf(branch), this.writer(branch)]))
    return (output, value) => {
      if (value === null) output.null()
      else if (value instanceof Branch) (writers.get(value.type) ?? writeAny)(output, value.value)
      else (only ?? byShape.get(shapeOfValue(value)) ?? writeAny)(output, value)
    }
  }
}

/** The kind of scalar that all items are, null aside. */
function scalarKind(items: AvroType): string | undefined {
  if (items.kind !== 'union') return items.kind
  const branches = items.branches.filter(({ kind }) => kind !== 'null')
  return branches.length === 1 ? branches[0]!.kind : undefined
}

/** Which branch of a plain union a value is of. */
function shapeOfValue(value: unknown): Shape {
  if (typeof value === 'bigint') return 'number'
  if (typeof value !== 'object') return typeof value as Shape
  if (Array.isArray(value)) return 'array'
  return value instanceof Uint8Array ? 'bytes' : value instanceof Map ? 'map' : 'record'
}

function writeInt(output: ROutput, value: number): void {
  if (value === NA_INTEGER) output.double(value)
  else output.integer(value)
}

function writeLong(output: ROutput, value: number | bigint): void {
  if (typeof value === 'bigint') output.long(value)
  else output.double(value)
}

const writeDouble = (output: ROutput, value: number): void => output.double(value)
const writeString = (output: ROutput, value: string): void => output.character(value)
const writeBytes = (output: ROutput, value: Uint8Array): void => output.raw(value)

const SCALARS = {
  null: (output: ROutput) => output.null(),
  boolean: (output: ROutput, value: boolean) => output.logical(value),
  int: writeInt,
  long: writeLong,
  float: writeDouble,
  double: writeDouble,
  string: writeString,
  enum: writeString,
  bytes: writeBytes,
  fixed: writeBytes,
}

function writeInts(output: ROutput, values: readonly (number | null)[]): void {
  if (values.includes(NA_INTEGER)) output.doubles(values)
  else output.integers(values)
}

/** Where one number needs its digits, all of them are given so. */
function writeLongs(output: ROutput, values: readonly (number | bigint | null)[]): void {
  if (values.some((value) => typeof value === 'bigint')) {
    output.characters(values.map((value) => (value === null ? null : String(value))))
  } else output.doubles(values as readonly (number | null)[])
}

const writeDoubles = (output: ROutput, values: readonly (number | null)[]): void => output.doubles(values)
const writeStrings = (output: ROutput, values: readonly (string | null)[]): void => output.characters(values)

const VECTORS: Readonly<Record<string, unknown>> = {
  boolean: (output: ROutput, values: readonly (boolean | null)[]) => output.logicals(values),
  int: writeInts,
  long: writeLongs,
  float: writeDoubles,
  double: writeDoubles,
  string: writeStrings,
  enum: writeStrings,
}

/** Any JSON value, and what encodings without a schema add to it. */
function writeAny(output: ROutput, value: unknown): void {
  if (typeof value === 'number') writeNumber(output, value)
  else if (typeof value === 'string') output.character(value)
  else if (typeof value === 'boolean') output.logical(value)
  else if (typeof value === 'bigint') output.long(value)
  else if (value === null || value === undefined) output.null()
  else if (Array.isArray(value)) writeArray(output, value)
  else if (value instanceof Uint8Array) output.raw(value)
  else if (value instanceof Branch) writeAny(output, value.value)
  else if (value instanceof Map) writeMembers(output, [...value.keys()].map(String), [...value.values()])
  else writeMembers(output, Object.keys(value), Object.values(value))
}

function writeNumber(output: ROutput, value: number): void {
  if (isInteger(value)) output.integer(value)
  else output.double(value)
}

function writeMembers(output: ROutput, names: readonly string[], values: readonly unknown[]): void {
  output.list(values.length, true)
  for (const value of values) writeAny(output, value)
  output.names(names)
}

function writeArray(output: ROutput, values: readonly unknown[]): void {
  const kind = commonKind(values)
  if (kind === 'boolean') output.logicals(values as (boolean | null)[])
  else if (kind === 'string') output.characters(values as (string | null)[])
  else if (kind === 'number') writeNumbers(output, values as (number | null)[])
  else {
    output.list(values.length, false)
    for (const value of values) writeAny(output, value)
  }
}

function writeNumbers(output: ROutput, values: readonly (number | null)[]): void {
  if (values.every((value) => value === null || isInteger(value))) output.integers(values)
  else output.doubles(values)
}

/** What all values are, null aside; undefined when they differ or there are none. */
function commonKind(values: readonly unknown[]): string | undefined {
  let common: string | undefined
  for (const value of values) {
    if (value === null) continue
    const kind = typeof value
    if (kind === 'object' || kind === 'bigint' || (common !== undefined && kind !== common)) return undefined
    common = kind
  }
  return common ?? (values.length > 0 ? 'boolean' : undefined)
}

/** Not the zero with a sign, which R's integers lack, nor the one number that R takes for NA. */
function isInteger(value: number): boolean {
  return (value | 0) === value && value !== NA_INTEGER && !Object.is(value, -0)
}
