// Recorded values: JSON in the recorder's own form comes in, values of a type go out, and values are compared with it.
import { type AvroType, Branch, branchName } from '@pitot/avro'
import { type Json, plain } from './shared.ts'

export interface Form {
  readonly bytes: 'base64' | 'latin1'
  readonly tolerance: number
  readonly ignoreOrder: boolean
}

const specials: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  NaN: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  Infinity: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
}

const toBytes = (text: string, form: Form): Uint8Array => new Uint8Array(Buffer.from(text, form.bytes))

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Any = any

/** What to give to `action`: plain JSON, with bytes as bytes and special numbers as numbers. */
export function toInput(type: AvroType, value: Json | undefined, form: Form): unknown {
  return input(type, plain(value), form)
}

function input(type: AvroType, value: Any, form: Form): unknown {
  switch (type.kind) {
    case 'bytes':
    case 'fixed':
      return typeof value === 'string' ? toBytes(value, form) : value
    case 'float':
    case 'double':
      return typeof value === 'string' && value in specials ? specials[value] : value
    case 'array':
      return Array.isArray(value) ? value.map((item) => input(type.items, item, form)) : value
    case 'map':
      return isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, input(type.values, item, form)]))
        : value
    case 'record':
      if (!isObject(value)) return value
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => {
          const field = type.fields.find((each) => each.name === key)
          return [key, field === undefined ? item : input(field.type, item, form)]
        }),
      )
    case 'union': {
      if (!isObject(value)) return value
      const [tag] = Object.keys(value)
      const branch = type.branches.find((each) => tagMatches(each, tag))
      if (branch === undefined || tag === undefined) return value
      return new Branch(branchName(branch), input(branch, value[tag], form))
    }
    default:
      return value
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)

/** The recorder wrote short names for some namespaced types. */
const tagMatches = (branch: AvroType, tag: string | undefined): boolean =>
  branch.kind !== 'null' && (branchName(branch) === tag || branchName(branch).split('.').at(-1) === tag)

export const same = (type: AvroType, value: unknown, expected: Json | undefined, form: Form): boolean =>
  equal(type, value, plain(expected), form)

function equal(type: AvroType, value: Any, expected: Any, form: Form): boolean {
  switch (type.kind) {
    case 'float':
    case 'double':
      return (
        typeof value === 'number' &&
        close(value, typeof expected === 'string' ? (specials[expected] as number) : Number(expected), form.tolerance)
      )
    case 'int':
    case 'long':
      return (
        value === expected ||
        (typeof value !== 'string' && typeof expected !== 'string' && String(value) === String(expected))
      )
    case 'bytes':
    case 'fixed':
      return (
        value instanceof Uint8Array &&
        typeof expected === 'string' &&
        Buffer.from(value).equals(Buffer.from(toBytes(expected, form)))
      )
    case 'array':
      if (!Array.isArray(value) || !Array.isArray(expected) || value.length !== expected.length) return false
      if (form.ignoreOrder) return sameSet(type.items, value, expected, form)
      return value.every((item, index) => equal(type.items, item, expected[index], form))
    case 'map':
      return (
        value instanceof Map &&
        isObject(expected) &&
        value.size === Object.keys(expected).length &&
        [...value].every(([key, item]) => Object.hasOwn(expected, key) && equal(type.values, item, expected[key], form))
      )
    case 'record':
      return (
        isObject(value) &&
        isObject(expected) &&
        type.fields.every(
          (field) =>
            Object.hasOwn(expected, field.name) && equal(field.type, value[field.name], expected[field.name], form),
        )
      )
    case 'union':
      return equalInUnion(type.branches, value, expected, form)
    default:
      return value === expected
  }
}

function equalInUnion(branches: readonly AvroType[], value: Any, expected: Any, form: Form): boolean {
  const bare = value instanceof Branch ? value.value : value
  const candidates = value instanceof Branch ? branches.filter((branch) => branchName(branch) === value.type) : branches
  if (expected === null || bare === null) return expected === bare
  return candidates.some((branch) => {
    if (isObject(expected)) {
      const [tag, ...others] = Object.keys(expected)
      if (
        others.length === 0 &&
        tag !== undefined &&
        tagMatches(branch, tag) &&
        equal(branch, bare, expected[tag], form)
      )
        return true
    }
    return equal(branch, bare, expected, form)
  })
}

function sameSet(type: AvroType, values: readonly unknown[], expected: readonly unknown[], form: Form): boolean {
  const left = [...expected]
  return values.every((value) => {
    const place = left.findIndex((each) => equal(type, value, each, form))
    if (place >= 0) left.splice(place, 1)
    return place >= 0
  })
}

function close(value: number, expected: number, tolerance: number): boolean {
  if (Number.isNaN(expected)) return Number.isNaN(value)
  if (value === expected) return true
  return (
    Math.abs(value - expected) <= tolerance * Math.max(Math.abs(value), Math.abs(expected)) ||
    Math.abs(value - expected) < 1e-12 * tolerance
  )
}

/** For messages. */
export const show = (value: unknown): string =>
  JSON.stringify(value, (_, item) =>
    typeof item === 'bigint'
      ? `${item}n`
      : item instanceof Map
        ? Object.fromEntries(item)
        : typeof item === 'number' && !Number.isFinite(item)
          ? String(item)
          : item instanceof Uint8Array
            ? `bytes ${Buffer.from(item).toString('base64')}`
            : item,
  )
