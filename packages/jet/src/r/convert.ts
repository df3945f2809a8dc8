// Objects of R as records: a type goes in, a function comes out that turns what a model emitted into the JSON-like value that
// it means for this type. Whether it is one of the type is checked afterwards, by those who check all records.
//
// A vector of one element is a scalar unless an array is wanted, one of any other length is an array; a list with names is a
// record, one without is an array; a data.frame is its rows, and a record when it has one row and a record is wanted. A factor
// is its labels, NA is null, or NaN where only a double is wanted. Names of vectors count only where names are wanted.
import { type AvroType, branchName, type PrimitiveType, perType, type RecordType, type UnionType } from '@pitot/avro'
import { LONG_CLASS } from './layout.ts'
import { countOf, countsTime, instantOf, isTime } from './time.ts'
import {
  dimensionsOf,
  hasClass,
  NA,
  namesOf,
  RForeign,
  RList,
  type RScalar,
  type RValue,
  RVector,
  textsOf,
} from './value.ts'

/** Throws a TypeError for what is no data. */
export type ConvertR = (value: RValue) => unknown

export function compileConvertR(type: AvroType | null): ConvertR {
  return type === null ? plain : new Compiler().converter(type)
}

class Compiler {
  readonly converter = perType<ConvertR>((type) => this.#make(type))

  #make(type: AvroType): ConvertR {
    switch (type.kind) {
      case 'array':
        return this.#array(type.items)
      case 'map':
        return this.#map(type.values)
      case 'record':
        return this.#record(type)
      case 'union':
        return this.#union(type)
      case 'long':
        return timed(type, (value) => longOf(scalar(value, 'number')))
      case 'float':
      case 'double':
        return (value) => (isNA(value) ? Number.NaN : scalar(value, 'number'))
      case 'int':
        return timed(type, (value) => scalar(value, 'number'))
      default:
        return (value) => scalar(value, 'text')
    }
  }

  #array(type: AvroType): ConvertR {
    const convert = this.converter(type)
    return (value) => (value === null ? [] : itemsOf(value).map(convert))
  }

  #map(type: AvroType): ConvertR {
    const convert = this.converter(type)
    return (value) => {
      const members = membersOf(value)
      if (members === undefined) return plain(value)
      return new Map(members.names.map((name, index) => [name, convert(members.values[index]!)]))
    }
  }

  #record(type: RecordType): ConvertR {
    const converters = new Map(type.fields.map((field) => [field.name, this.converter(field.type)]))
    // Records that the reader met in a row share their names, and then the converters in their order too.
    let known: readonly string[] | undefined
    let inOrder: ConvertR[] = []
    return (value) => {
      const members = value instanceof RList && value.names && !hasClass(value, 'data.frame') ? value : membersOf(value)
      if (members === undefined) return plain(value)
      const names = members.names!
      if (names !== known) {
        known = names
        inOrder = names.map((name) => converters.get(name) ?? plain)
      }
      return objectOf(names, (index) => inOrder[index]!(members.values[index]!))
    }
  }

  #union(type: UnionType): ConvertR {
    const isNullable = type.branches.some(({ kind }) => kind === 'null')
    const branches = type.branches
      .filter(({ kind }) => kind !== 'null')
      .map((branch) => ({ branch, tag: branchName(branch), convert: this.converter(branch) }))
    return (value) => {
      if (isNullable && (value === null || isNA(value))) return null
      if (branches.length === 1) return branches[0]!.convert(value)
      const tag = value instanceof RList && value.names?.length === 1 ? value.names[0]! : undefined
      const tagged = branches.find((each) => each.tag === tag)
      if (tagged !== undefined) return { [tag!]: tagged.convert((value as RList).values[0]!) }
      const isTimed = value instanceof RVector && isTime(value)
      const counted = isTimed ? branches.find(({ branch }) => countsTime(logicalTypeOf(branch))) : undefined
      return ((counted ?? branches.find(({ branch }) => fits(branch, value)))?.convert ?? plain)(value)
    }
  }
}

function logicalTypeOf(type: AvroType): string | undefined {
  return 'logicalType' in type ? type.logicalType : undefined
}

/** Where the logical type says what is counted, a date or time is counted so. */
function timed({ logicalType }: PrimitiveType, convert: ConvertR): ConvertR {
  if (!countsTime(logicalType)) return convert
  return (value) => {
    if (!(value instanceof RVector) || value.values.length !== 1 || !isTime(value)) return convert(value)
    const [number] = value.values
    return typeof number === 'number' ? countOf(value, number, logicalType) : convert(value)
  }
}

/** Whether a value looks like one of this branch, for unions in which several could be meant. */
function fits(branch: AvroType, value: RValue): boolean {
  switch (branch.kind) {
    case 'boolean':
      return typeof scalar(value, 'text') === 'boolean'
    case 'string':
      return typeof scalar(value, 'text') === 'string'
    case 'enum':
      return branch.symbols.includes(scalar(value, 'text') as string)
    case 'bytes':
    case 'fixed':
      return value instanceof Uint8Array
    case 'array':
      return Array.isArray(plain(value))
    case 'map':
      return membersOf(value) !== undefined
    case 'record':
      return membersOf(value)?.names.every((name) => branch.fields.some((field) => field.name === name)) === true
    default:
      return typeof scalar(value, 'number') === 'number'
  }
}

/** What a value means where no type says more. */
function plain(value: RValue): unknown {
  if (value instanceof RVector) return plainVector(value)
  if (value instanceof RList) return plainList(value)
  if (value instanceof RForeign) throw new TypeError(`expected data, found ${value.noun}`)
  return value
}

function plainVector(vector: RVector): unknown {
  if (vector.values.length === 1 && !hasClass(vector, 'AsIs') && dimensionsOf(vector) === undefined) {
    return scalar(vector, 'text')
  }
  return itemsOf(vector).map(plain)
}

function plainList(list: RList): unknown {
  if (hasClass(list, 'data.frame') || list.names === undefined) return itemsOf(list).map(plain)
  return objectOf(list.names, (index) => plain(list.values[index]!))
}

/** The one element of a vector, in words or as a number where R has both; what is none is left as it is. */
function scalar(value: RValue, as: 'text' | 'number'): unknown {
  if (!(value instanceof RVector)) return value instanceof RList || value instanceof RForeign ? plain(value) : value
  if (value.values.length !== 1) return itemsOf(value).map(plain)
  return element(value, value.values[0]!, as)
}

function element(vector: RVector, value: RScalar, as: 'text' | 'number'): unknown {
  if (value === null || vector.attributes.class === undefined) return value
  if (typeof value === 'number') {
    if (hasClass(vector, 'factor')) return textsOf(vector.attributes.levels)?.[value - 1] ?? null
    if (as === 'text' && isTime(vector)) return instantOf(vector, value)
  }
  return typeof value === 'string' && hasClass(vector, LONG_CLASS) ? longOf(value) : value
}

const DIGITS = /^-?\d{1,20}$/

/** A whole number may come as its digits. */
function longOf(value: unknown): unknown {
  if (typeof value !== 'string' || !DIGITS.test(value)) return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(value)
}

function isNA(value: RValue): boolean {
  return value instanceof RVector && value.values.length === 1 && value.values[0] === null
}

/** The members of an array: elements of a vector or a list, rows of a matrix or a data.frame; a scalar is one itself. */
function itemsOf(value: RValue): readonly RValue[] {
  if (value instanceof RVector) return dimensionsOf(value) === undefined ? elementsOf(value) : rowsOfMatrix(value)
  if (value instanceof RList) return hasClass(value, 'data.frame') ? rowsOfFrame(value) : value.values
  return value instanceof Uint8Array ? [...value] : [value]
}

/** The records of a record set: as with arrays, but a list with names is one record. */
export function rowsOf(value: RValue): readonly RValue[] {
  const isRecord = value instanceof RList && value.names !== undefined && !hasClass(value, 'data.frame')
  return isRecord ? [value] : itemsOf(value)
}

/** Elements keep the class that says what they are. */
function elementsOf(vector: RVector): readonly RValue[] {
  const { class: given, levels } = vector.attributes
  if (given === undefined || given === 'AsIs') return vector.values.map((value) => value ?? NA)
  if (levels !== undefined) return vector.values.map((value) => (element(vector, value, 'text') as string | null) ?? NA)
  return vector.values.map((value) => new RVector([value], { class: given }))
}

/** By columns in R's memory. Where there are more than two dimensions, rows are again arrays. */
function rowsOfMatrix(vector: RVector): readonly RValue[] {
  const [rows, ...others] = dimensionsOf(vector)!
  if (rows === undefined || others.length === 0) return elementsOf(new RVector(vector.values))
  const width = others.reduce((product, size) => product * size, 1)
  return Array.from({ length: rows }, (_, row) => {
    const values = Array.from({ length: width }, (_, column) => vector.values[row + rows * column] ?? null)
    return new RVector(values, others.length > 1 ? { dim: new RVector(others) } : { class: 'AsIs' })
  })
}

function rowsOfFrame(frame: RList): readonly RValue[] {
  const names = frame.names ?? []
  const columns = frame.values.map((column) => itemsOf(column))
  return Array.from({ length: rowCount(frame, columns) }, (_, row) => {
    return new RList(
      columns.map((column) => column[row] ?? null),
      names,
    )
  })
}

/** R writes the usual names of n rows as c(NA, -n). */
function rowCount(frame: RList, columns: readonly (readonly RValue[])[]): number {
  const names = frame.attributes['row.names']
  if (!(names instanceof RVector)) return columns[0]?.length ?? (typeof names === 'string' ? 1 : 0)
  const [first, second] = names.values
  return names.values.length === 2 && first === null ? Math.abs(Number(second)) : names.values.length
}

interface Members {
  readonly names: readonly string[]
  readonly values: readonly RValue[]
}

/** What a record or a map can be made of; undefined when nothing has names. */
function membersOf(value: RValue): Members | undefined {
  if (value instanceof RList && hasClass(value, 'data.frame')) {
    const rows = rowsOfFrame(value)
    return rows.length === 1 ? (rows[0] as RList as Members) : undefined
  }
  if (value instanceof RList && value.values.length === 0) return { names: [], values: [] }
  if (!(value instanceof RList || value instanceof RVector)) return undefined
  const names = namesOf(value)
  return names && { names, values: value instanceof RList ? value.values : elementsOf(value) }
}

/** Plain assignment to `__proto__` would set the prototype. */
function objectOf(names: readonly string[], memberOf: (index: number) => unknown): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!
    if (name !== '__proto__') object[name] = memberOf(index)
    else
      Object.defineProperty(object, name, {
        value: memberOf(index),
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  return object
}
