// Types of single expressions, which type accepts which, and the normal forms of documents, as recorded.
import { parseSchema } from '@pitot/avro'
import { describe, expect, test } from 'vitest'
import { checkExpression } from '../../src/check/expressions.ts'
import { Schemas } from '../../src/check/schemas.ts'
import { Effects, Scope } from '../../src/check/scope.ts'
import { accepts, describeType, sameTypes } from '../../src/check/types.ts'
import { PfaError } from '../../src/errors.ts'
import { parseDocument } from '../../src/parse/document.ts'
import { readExpression, readType } from '../../src/parse/expressions.ts'
import { get, isPresent, items, type Json, json, list, plain } from './shared.ts'
import { show } from './values.ts'

const schema = (value: Json | undefined) => parseSchema(plain(value))

function typeOf(each: Json) {
  const expression = readExpression(get(each, 'expr') as Json, '')
  const given = Object.entries((get(each, 'symbols') ?? {}) as Record<string, Json>)
  const texts = given.map(([name, type]) => [name, readType(type, '')] as const)
  const schemas = new Schemas([expression, ...texts.map(([, text]) => text)])
  const scope = new Scope(
    { schemas, cells: new Map(), pools: new Map(), functions: new Map(), emits: undefined, changers: [] },
    new Effects(),
    undefined,
    { sealedAbove: true, sealedWithin: false },
  )
  for (const [name, text] of texts) scope.declare(name, schemas.resolve(text))
  return checkExpression(expression, scope.block()).type
}

describe.skipIf(!isPresent)('recorded types', () => {
  for (const file of list('traces').filter((name) => name.startsWith('_typecheck'))) {
    for (const [index, each] of items(json(`traces/${file}`)).entries()) {
      // Without the cells and functions around the expression there is nothing to check.
      if (get(each, 'recordError') !== undefined || /"u\./.test(show(plain(get(each, 'expr'))))) continue
      test(`${file} ${index} ${show(plain(get(each, 'expr'))).slice(0, 120)}`, () => {
        if (get(each, 'error') !== undefined) expect(() => typeOf(each)).toThrow(PfaError)
        else {
          const type = typeOf(each)
          const expected = schema(get(each, 'type'))
          expect(sameTypes(type, expected), `${describeType(type)} is not ${describeType(expected)}`).toBe(true)
        }
      })
    }
  }

  for (const file of list('traces').filter((name) => name.startsWith('_accepts'))) {
    test(file, () => {
      for (const each of items(json(`traces/${file}`))) {
        expect(accepts(schema(get(each, 'type')), schema(get(each, 'that'))), show(plain(each))).toBe(
          get(each, 'accepts'),
        )
      }
    })
  }
})

/** The tree without its places. */
const meaning = (node: unknown): unknown =>
  JSON.parse(
    JSON.stringify(node, (key, value) =>
      key === 'at' ? undefined : value instanceof Map ? [...value] : typeof value === 'bigint' ? String(value) : value,
    ),
  )

/** Objects with sorted keys: the order of keys in a document has no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) {
    const all = value.map(sorted)
    return all.every((item) => typeof item === 'object' && item !== null && 'name' in item)
      ? all.sort((a, b) => (show(a) < show(b) ? -1 : 1))
      : all
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}

describe.skipIf(!isPresent)('recorded normal forms', () => {
  for (const file of list('traces').filter((name) => name.startsWith('_parse'))) {
    for (const [index, each] of items(json(`traces/${file}`)).entries()) {
      test(`${file} ${index}`, () => {
        const tree = (root: Json | undefined) =>
          sorted(meaning(parseDocument({ root: root as Json, place: () => undefined })))
        expect(tree(get(each, 'doc'))).toEqual(tree(get(each, 'roundtrip')))
      })
    }
  }
})
