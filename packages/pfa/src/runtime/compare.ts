// Order, equality and hashing of values: a type comes in, once; functions over values of that type go out.
//
// The order is Avro's, made total: NaN equals NaN and is greater than every other number, -0 equals 0, enums go by the
// place of their symbol, unions by branch first, record fields as their `order` says. Avro leaves maps without order;
// here they compare as the list of their entries sorted by key.
//
// Equality has two senses. In the sense of `order`, which `==` has, values are equal where none comes before the other.
// In the sense of `search`, which looking for items in arrays and treating arrays as sets has, every field counts, and
// NaN is equal to nothing.
import {
  type AvroType,
  Branch,
  branchName,
  type EnumType,
  type Field,
  type RecordType,
  type Shape,
  shapeOf as shapeOfType,
  type UnionType,
} from '@pitot/avro'
import { compare as compareStrings } from './strings.ts'

// biome-ignore lint/suspicious/noExplicitAny: values are typed by the Avro type the function was made for
type Value = any

export type Comparator = (x: Value, y: Value) => number
export type Equality = (x: Value, y: Value) => boolean
/** Values are equal exactly where their keys are the same to a `Set` or `Map`. */
export type KeyFunction = (value: Value) => unknown
export type Sense = 'order' | 'search'

const comparators = new WeakMap<AvroType, Comparator>()
const equalities = { order: new WeakMap<AvroType, Equality>(), search: new WeakMap<AvroType, Equality>() }
const writers = { order: new WeakMap<AvroType, Writer>(), search: new WeakMap<AvroType, Writer>() }

/** -1, 0 or 1. */
export function comparator(type: AvroType): Comparator {
  return cached(comparators, type, makeComparator)
}

export function equality(type: AvroType, sense: Sense = 'order'): Equality {
  return cached(equalities[sense], type, (made) => makeEquality(made, sense))
}

export function keyFunction(type: AvroType, sense: Sense = 'order'): KeyFunction {
  switch (type.kind) {
    case 'array':
    case 'map':
    case 'record':
    case 'union':
    case 'bytes':
    case 'fixed':
      return writer(type, sense)
    case 'float':
    case 'double':
      // SameValueZero, which Set and Map use, is the equality of the order: NaN is NaN, -0 is 0.
      return sense === 'order' ? identity : (value: number) => (Number.isNaN(value) ? Symbol() : value)
    default:
      return identity
  }
}

/** Made on the first use inside itself only, so that a record may hold itself. */
function cached<Made extends (...args: Value[]) => Value>(
  made: WeakMap<AvroType, Made>,
  type: AvroType,
  make: (type: AvroType) => Made,
): Made {
  const known = made.get(type)
  if (known !== undefined) return known
  let finished: Made | undefined
  const forward = ((...args: Value[]) => finished!(...args)) as Made
  if (type.kind === 'record') made.set(type, forward)
  finished = make(type)
  made.set(type, finished)
  return finished
}

// ---- order

function makeComparator(type: AvroType): Comparator {
  switch (type.kind) {
    case 'null':
      return () => 0
    case 'boolean':
      return (x, y) => (x === y ? 0 : x ? 1 : -1)
    case 'int':
    case 'long':
      return (x, y) => (x < y ? -1 : x > y ? 1 : 0)
    case 'float':
    case 'double':
      return compareNumbers
    case 'string':
      return compareStrings
    case 'bytes':
    case 'fixed':
      return compareBytes
    case 'enum':
      return enumComparator(type)
    case 'array':
      return arrayComparator(comparator(type.items))
    case 'map':
      return mapComparator(comparator(type.values))
    case 'record':
      return recordComparator(type)
    case 'union':
      return unionComparator(type)
  }
}

export function compareNumbers(x: number, y: number): number {
  if (x < y) return -1
  if (x > y) return 1
  if (x === y) return 0
  return Number.isNaN(x) ? (Number.isNaN(y) ? 0 : 1) : -1
}

function compareBytes(x: Uint8Array, y: Uint8Array): number {
  const shorter = Math.min(x.length, y.length)
  for (let i = 0; i < shorter; i++) {
    const difference = x[i]! - y[i]!
    if (difference !== 0) return difference < 0 ? -1 : 1
  }
  return Math.sign(x.length - y.length)
}

function enumComparator(type: EnumType): Comparator {
  const places = new Map(type.symbols.map((symbol, place) => [symbol, place]))
  return (x, y) => (x === y ? 0 : places.get(x)! < places.get(y)! ? -1 : 1)
}

function arrayComparator(compareItems: Comparator): Comparator {
  return (x: Value[], y: Value[]) => {
    const shorter = Math.min(x.length, y.length)
    for (let i = 0; i < shorter; i++) {
      const order = compareItems(x[i], y[i])
      if (order !== 0) return order
    }
    return Math.sign(x.length - y.length)
  }
}

function mapComparator(compareValues: Comparator): Comparator {
  return (x: Map<string, Value>, y: Map<string, Value>) => {
    const xKeys = sortedKeys(x)
    const yKeys = sortedKeys(y)
    const shorter = Math.min(xKeys.length, yKeys.length)
    for (let i = 0; i < shorter; i++) {
      const order = compareStrings(xKeys[i]!, yKeys[i]!) || compareValues(x.get(xKeys[i]!), y.get(yKeys[i]!))
      if (order !== 0) return order
    }
    return Math.sign(xKeys.length - yKeys.length)
  }
}

function recordComparator(type: RecordType): Comparator {
  const fields = fieldsThatCount(type, 'order').map(({ name, type, order }) => ({
    name,
    compare: comparator(type),
    sign: order === 'descending' ? -1 : 1,
  }))
  return (x, y) => {
    for (const { name, compare, sign } of fields) {
      const order = compare(x[name], y[name])
      if (order !== 0) return sign * order
    }
    return 0
  }
}

function unionComparator(type: UnionType): Comparator {
  const branchOf = branchFinder(type)
  const compare = type.branches.map(comparator)
  return (x, y) => {
    const xBranch = branchOf(x)
    const yBranch = branchOf(y)
    if (xBranch !== yBranch) return xBranch < yBranch ? -1 : 1
    return compare[xBranch]!(bare(x), bare(y))
  }
}

// ---- equality

function makeEquality(type: AvroType, sense: Sense): Equality {
  switch (type.kind) {
    case 'null':
      return () => true
    case 'float':
    case 'double':
      if (sense === 'search') return (x: number, y: number) => x === y
      return (x: number, y: number) => x === y || (Number.isNaN(x) && Number.isNaN(y))
    case 'bytes':
    case 'fixed':
      return (x: Uint8Array, y: Uint8Array) => x.length === y.length && compareBytes(x, y) === 0
    case 'array': {
      const equal = equality(type.items, sense)
      return (x: Value[], y: Value[]) => x.length === y.length && x.every((item, i) => equal(item, y[i]))
    }
    case 'map':
      return mapEquality(equality(type.values, sense))
    case 'record':
      return recordEquality(type, sense)
    case 'union': {
      const branchOf = branchFinder(type)
      const equal = type.branches.map((branch) => equality(branch, sense))
      return (x, y) => {
        const branch = branchOf(x)
        return branch === branchOf(y) && equal[branch]!(bare(x), bare(y))
      }
    }
    default:
      return (x, y) => x === y
  }
}

function mapEquality(equal: Equality): Equality {
  return (x: Map<string, Value>, y: Map<string, Value>) => {
    if (x.size !== y.size) return false
    for (const [key, value] of x) {
      if (!y.has(key) || !equal(value, y.get(key))) return false
    }
    return true
  }
}

function recordEquality(type: RecordType, sense: Sense): Equality {
  const fields = fieldsThatCount(type, sense).map(({ name, type }) => ({ name, equal: equality(type, sense) }))
  return (x, y) => fields.every(({ name, equal }) => equal(x[name], y[name]))
}

// ---- keys: a value as text, such that no two different values give the same text

type Writer = (value: Value) => string

function identity(value: Value): unknown {
  return value
}

function writer(type: AvroType, sense: Sense): Writer {
  return cached(writers[sense], type, (made) => makeWriter(made, sense))
}

/** Tells one NaN from the next where they are not equal. */
let differentNans = 0

function makeWriter(type: AvroType, sense: Sense): Writer {
  switch (type.kind) {
    case 'float':
    case 'double':
      if (sense === 'order') return (value: number) => `${value};`
      return (value: number) => (Number.isNaN(value) ? `NaN${differentNans++};` : `${value};`)
    case 'string':
      return (value: string) => `${value.length}:${value}`
    case 'bytes':
    case 'fixed':
      return (value: Uint8Array) => {
        let text = `${value.length}:`
        for (let i = 0; i < value.length; i++) text += String.fromCharCode(value[i]!)
        return text
      }
    case 'array': {
      const write = writer(type.items, sense)
      return (value: Value[]) => {
        let text = `${value.length}[`
        for (const item of value) text += write(item)
        return text
      }
    }
    case 'map': {
      const write = writer(type.values, sense)
      return (value: Map<string, Value>) => {
        let text = `${value.size}{`
        for (const key of sortedKeys(value)) text += `${key.length}:${key}${write(value.get(key))}`
        return text
      }
    }
    case 'record': {
      const fields = fieldsThatCount(type, sense).map(({ name, type }) => ({ name, write: writer(type, sense) }))
      return (value) => {
        let text = ''
        for (const { name, write } of fields) text += write(value[name])
        return text
      }
    }
    case 'union': {
      const branchOf = branchFinder(type)
      const write = type.branches.map((branch) => writer(branch, sense))
      return (value) => {
        const branch = branchOf(value)
        return `${branch}|${write[branch]!(bare(value))}`
      }
    }
    default:
      return (value) => `${value};` // null, booleans, whole numbers, enum symbols: none holds a semicolon
  }
}

function fieldsThatCount(type: RecordType, sense: Sense): readonly Field[] {
  return sense === 'search' ? type.fields : type.fields.filter((field) => field.order !== 'ignore')
}

// ---- unions and maps

function bare(value: Value): Value {
  return value instanceof Branch ? value.value : value
}

/** Gives the place of a value's branch in its union, for bare values and for `Branch` alike. */
export function branchFinder(type: UnionType): (value: Value) => number {
  const byName = new Map(type.branches.map((branch, place) => [branchName(branch), place]))
  const byShape = new Map(type.branches.map((branch, place) => [shapeOfType(branch), place]))
  return (value) => (value instanceof Branch ? byName.get(value.type)! : byShape.get(shapeOf(value))!)
}

function shapeOf(value: Value): Shape {
  switch (typeof value) {
    case 'boolean':
      return 'boolean'
    case 'string':
      return 'string'
    case 'number':
    case 'bigint':
      return 'number'
    default:
      if (value === null) return 'null'
      if (Array.isArray(value)) return 'array'
      if (value instanceof Map) return 'map'
      return value instanceof Uint8Array ? 'bytes' : 'record'
  }
}

function sortedKeys(map: Map<string, unknown>): string[] {
  return [...map.keys()].sort(compareStrings)
}
