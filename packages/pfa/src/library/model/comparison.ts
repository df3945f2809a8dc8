// What `model.tree.*` compares: the types of a datum's field and of the reference value come in, once; the test of one
// against the other by a named operator goes out.
import { type AvroType, Branch, isPlainUnion } from '@pitot/avro'
import { accepts, withoutNull } from '../../check/types.ts'
import { branchFinder, comparator, equality } from '../../runtime/compare.ts'
import type { CallSite } from '../library.ts'
import { missingTest } from '../missing.ts'
import { fieldType, recordType } from '../record.ts'

export interface Comparison {
  readonly field: string
  readonly operator: string
  readonly value: unknown
}

/** `null` when the field is missing, in the functions that allow for that. */
export type Test = (value: unknown, operator: string, reference: unknown) => boolean | null

export interface Errors {
  readonly operator: number
  readonly value: number
}

const NUMBERS: ReadonlySet<string> = new Set(['int', 'long', 'float', 'double'])

export const isNumber = (type: AvroType): boolean => NUMBERS.has(type.kind)

const bare = (value: unknown): unknown => (value instanceof Branch ? value.value : value)

/**
 * The test of a datum against a comparison: `missing` says whether a missing field gives null (and has no operators of its
 * own) or may be asked for by operators.
 */
export function comparisonTest(site: CallSite, errors: Errors, missing: boolean) {
  const datum = recordType(site, 0)
  const valueType = fieldType(recordType(site, 1), 'value')
  const make = missing ? missingFieldTest : fieldTest
  const tests = new Map<string, Test>()
  for (const { name, type } of datum.fields) tests.set(name, make(site, errors, type, valueType))
  return (record: Readonly<Record<string, unknown>>, { field, operator, value }: Comparison): boolean | null =>
    tests.get(field)!(record[field], operator, value)
}

function fieldTest(site: CallSite, errors: Errors, type: AvroType, valueType: AvroType): Test {
  const isMissing = missingTest(type)
  const compare = plainTest(site, errors, type, valueType)
  return (value, operator, reference) => {
    if (operator === 'isMissing') return isMissing(value)
    if (operator === 'notMissing') return !isMissing(value)
    return compare(value, operator, reference)
  }
}

/** The types are checked before the value is looked at: a bad comparison is an error also where the field is missing. */
function missingFieldTest(site: CallSite, errors: Errors, type: AvroType, valueType: AvroType): Test {
  const present = withoutNull(type)
  if (present === undefined) return plainTest(site, errors, type, valueType)
  const isMissing = missingTest(type)
  const unwrap = present.kind !== 'union' || isPlainUnion(present) ? bare : (value: unknown) => value
  const compare = plainTest(site, errors, present, valueType, isMissing)
  return (value, operator, reference) => compare(isMissing(value) ? value : unwrap(value), operator, reference)
}

const never = () => false

function plainTest(
  site: CallSite,
  errors: Errors,
  type: AvroType,
  valueType: AvroType,
  isMissing: (value: unknown) => boolean = never,
): Test {
  const contained = containment(type, valueType)
  const compare = isNumber(type) ? numberTest(site, errors, type, valueType) : orderTest(site, errors, type, valueType)
  return (value, operator, reference) => {
    switch (operator) {
      case 'alwaysTrue':
        return true
      case 'alwaysFalse':
        return false
      case 'in':
      case 'notIn': {
        const items = bare(reference)
        if (contained === undefined || !Array.isArray(items)) throw site.error(errors.value)
        return isMissing(value) ? null : contained(value, items) === (operator === 'in')
      }
      default:
        return compare(value, operator, reference, isMissing)
    }
  }
}

/** Membership in the array that the reference is or may be; undefined when no array of it can hold the field. */
function containment(type: AvroType, valueType: AvroType) {
  const branches = valueType.kind === 'union' ? valueType.branches : [valueType]
  const array = branches.find((branch) => branch.kind === 'array' && accepts(branch.items, type))
  if (array?.kind !== 'array') return undefined
  const equal = isNumber(type) && isNumber(array.items) ? sameNumber : equality(array.items, 'search')
  return (value: unknown, items: readonly unknown[]) => items.some((item) => equal(value as number, item as number))
}

/** Longs beyond 2^53 are bigints, which only `<` and its like compare with numbers. */
const sameNumber = (x: number, y: number): boolean => x <= y && x >= y

type Compare = (
  value: unknown,
  operator: string,
  reference: unknown,
  isMissing: (value: unknown) => boolean,
) => boolean | null

function refuse(site: CallSite, code: number): Compare {
  return () => {
    throw site.error(code)
  }
}

function numberTest(site: CallSite, errors: Errors, type: AvroType, valueType: AvroType): Compare {
  if (!accepts(valueType, type) && !isNumber(valueType)) return refuse(site, errors.value)
  return (value, operator, reference, isMissing) => {
    if (isMissing(value)) return null
    const y = bare(reference) as number
    if (typeof y !== 'number' && typeof y !== 'bigint') throw site.error(errors.value)
    const x = value as number
    switch (operator) {
      case '<':
        return x < y
      case '<=':
        return x <= y
      case '>':
        return x > y
      case '>=':
        return x >= y
      case '==':
        return sameNumber(x, y)
      case '!=':
        return !sameNumber(x, y)
      default:
        throw site.error(errors.operator)
    }
  }
}

function orderTest(site: CallSite, errors: Errors, type: AvroType, valueType: AvroType): Compare {
  if (!accepts(valueType, type)) return refuse(site, errors.value)
  const order = ordering(type, valueType)
  return (value, operator, reference, isMissing) => {
    if (isMissing(value)) return null
    switch (operator) {
      case '<':
        return order(value, reference) < 0
      case '<=':
        return order(value, reference) <= 0
      case '>':
        return order(value, reference) > 0
      case '>=':
        return order(value, reference) >= 0
      case '==':
        return order(value, reference) === 0
      case '!=':
        return order(value, reference) !== 0
      default:
        throw site.error(errors.operator)
    }
  }
}

/** The order of the reference's type. Values of different branches of a union are in the order of the branches. */
function ordering(type: AvroType, valueType: AvroType): (value: unknown, reference: unknown) => number {
  if (valueType.kind !== 'union' || type.kind === 'union') return comparator(valueType)
  const branchOf = branchFinder(valueType)
  const own = valueType.branches.findIndex((branch) => accepts(branch, type))
  const compare = comparator(valueType.branches[own]!)
  return (value, reference) => {
    const other = branchOf(reference)
    return own === other ? compare(value, bare(reference)) : own - other
  }
}
