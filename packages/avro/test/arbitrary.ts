// Random schemas and values of them, for property tests.
import { type AvroType, Branch, branchName, isPlainUnion, parseSchema, shapeOf } from '@pitot/avro'
import fc from 'fast-check'

const PRIMITIVES = ['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string']
/** Names that objects inherit, keywords, and plain ones. */
const FIELD_NAMES = [
  'a',
  'b',
  'c',
  'constructor',
  '__proto__',
  'toString',
  'function',
  'value',
  'type',
  'hasOwnProperty',
]

/** A schema in JSON. `names` gives each named type a name of its own. */
function schemas(depth: number, inUnion: boolean): fc.Arbitrary<(name: () => string) => unknown> {
  const primitive = fc.constantFrom(...PRIMITIVES).map((word) => () => word as unknown)
  const enums = fc
    .uniqueArray(fc.constantFrom('red', 'green', 'blue', 'nan', 'inf', ...'abcdefghij'), {
      minLength: 1,
      maxLength: 12,
    })
    .map((symbols) => (name: () => string) => ({ type: 'enum', name: name(), symbols }) as unknown)
  const fixed = fc.nat(5).map((size) => (name: () => string) => ({ type: 'fixed', name: name(), size }) as unknown)
  if (depth === 0) return fc.oneof({ weight: 3, arbitrary: primitive }, enums, fixed)
  const inner = schemas(depth - 1, false)
  const array = inner.map((items) => (name: () => string) => ({ type: 'array', items: items(name) }) as unknown)
  const map = inner.map((values) => (name: () => string) => ({ type: 'map', values: values(name) }) as unknown)
  const record = fc
    .uniqueArray(fc.tuple(fc.constantFrom(...FIELD_NAMES), inner), { maxLength: 5, selector: ([field]) => field })
    .map((fields) => (name: () => string) => ({
      type: 'record',
      name: name(),
      fields: fields.map(([field, type]) => ({ name: field, type: type(name) })),
    }))
  const union = fc
    .uniqueArray(schemas(depth - 1, true), { minLength: 1, maxLength: 4 })
    .map((branches) => (name: () => string) => {
      const taken = new Set<string>()
      return branches
        .map((branch) => branch(name))
        .filter((branch) => {
          const parts = branch as { type?: string; name?: string }
          const tag = typeof branch === 'string' ? branch : (parts.name ?? parts.type)!
          return !taken.has(tag) && taken.add(tag)
        }) as unknown
    })
  const all = [
    { weight: 2, arbitrary: primitive as fc.Arbitrary<(name: () => string) => unknown> },
    ...[enums, fixed, array, map, record, record].map((arbitrary) => ({ weight: 1, arbitrary })),
  ]
  return fc.oneof(...all, ...(inUnion ? [] : [{ weight: 2, arbitrary: union }]))
}

export const schema: fc.Arbitrary<unknown> = schemas(3, false).map((make) => {
  let count = 0
  return make(() => `${count % 3 === 2 ? 'space.' : ''}N${++count}`)
})

const longs = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
})
const SPECIAL_LONGS = [
  0,
  2 ** 53 - 1,
  -(2 ** 53 - 1),
  2n ** 53n,
  -(2n ** 53n),
  2n ** 63n - 1n,
  -(2n ** 63n),
  2 ** 31,
  64,
  -65,
]
const strings = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('NaN', 'inf', '', '\u2028', '"\\'),
  fc.string(),
)

export function valuesOf(type: AvroType): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'int':
      return fc.integer().map((value) => value + 0)
    case 'long':
      return fc.oneof(longs, fc.constantFrom<number | bigint>(...SPECIAL_LONGS), fc.integer())
    case 'float':
      return fc.float()
    case 'double':
      return fc.double()
    case 'string':
      return strings
    case 'bytes':
      return fc.uint8Array({ maxLength: 20 })
    case 'fixed':
      return fc.uint8Array({ minLength: type.size, maxLength: type.size })
    case 'enum':
      return fc.constantFrom(...type.symbols)
    case 'array':
      return fc.array(valuesOf(type.items), { maxLength: 5 })
    case 'map':
      return fc
        .array(fc.tuple(fc.oneof(strings, fc.constantFrom(...FIELD_NAMES)), valuesOf(type.values)), { maxLength: 4 })
        .map((entries) => new Map(entries))
    case 'record':
      return fc.tuple(...type.fields.map((field) => valuesOf(field.type))).map((values) => {
        const record = {}
        for (const [index, { name }] of type.fields.entries()) {
          Object.defineProperty(record, name, {
            value: values[index],
            enumerable: true,
            writable: true,
            configurable: true,
          })
        }
        return record
      })
    case 'union': {
      const plain = isPlainUnion(type)
      return fc.oneof(
        ...type.branches.map((branch) =>
          valuesOf(branch).map((value) => (plain ? value : new Branch(branchName(branch), value))),
        ),
      )
    }
  }
}

/** A schema, its type, and some values of it. */
export const typed = schema.chain((json) => {
  const type = parseSchema(json)
  return fc.array(valuesOf(type), { minLength: 1, maxLength: 5 }).map((values) => ({ schema: json, type, values }))
})

/** The value as plain JSON with its unions bare, where that says enough to find the branch again. */
export function bare(type: AvroType, value: unknown): unknown {
  switch (type.kind) {
    case 'array':
      return (value as unknown[]).map((item) => bare(type.items, item))
    case 'map':
      return Object.fromEntries(
        Array.from(value as Map<string, unknown>, ([key, item]) => [key, bare(type.values, item)]),
      )
    case 'record': {
      const json = {}
      for (const field of type.fields) {
        const member = bare(field.type, Reflect.get(value as object, field.name))
        Object.defineProperty(json, field.name, { value: member, enumerable: true, writable: true, configurable: true })
      }
      return json
    }
    case 'union': {
      if (value instanceof Branch) return new Branch(value.type, value.value)
      const shape =
        value instanceof Map
          ? 'map'
          : Array.isArray(value)
            ? 'array'
            : value instanceof Uint8Array
              ? 'bytes'
              : value === null
                ? 'null'
                : typeof value === 'object'
                  ? 'record'
                  : typeof value === 'bigint'
                    ? 'number'
                    : typeof value
      return bare(type.branches.find((branch) => shapeOf(branch) === shape)!, value)
    }
    default:
      return value
  }
}
