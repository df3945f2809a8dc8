import { type AvroType, Branch, type RecordType } from '@pitot/avro'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type FlatTrees,
  flattenTrees,
  leafOf,
  leavesOf,
  numberAfter,
  type TreeTypes,
} from '../../../src/library/model/flat-tree.ts'
import { tree } from '../../../src/library/model/tree.ts'
import { callSite, DOUBLE, INT, LONG, STRING, union } from '../table.ts'

const FIELDS = ['x', 'y', 'n']
const DATUM: RecordType = {
  kind: 'record',
  name: 'Datum',
  fields: [
    { name: 'x', type: DOUBLE },
    { name: 'y', type: DOUBLE },
    { name: 'n', type: INT },
    { name: 'l', type: LONG },
    { name: 's', type: STRING },
  ],
}

function nodeType(value: AvroType, leaf: AvroType): RecordType {
  const fields: { name: string; type: AvroType }[] = []
  const node: RecordType = { kind: 'record', name: 'Node', fields }
  const child = union(node, leaf)
  const symbols = DATUM.fields.map(({ name }) => name)
  fields.push({ name: 'field', type: { kind: 'enum', name: 'Fields', symbols } })
  fields.push({ name: 'operator', type: STRING }, { name: 'value', type: value })
  fields.push({ name: 'pass', type: child }, { name: 'fail', type: child })
  return node
}

const NODE = nodeType(DOUBLE, STRING)
const types = { node: NODE, datum: DATUM, leaf: STRING }

const flattenTree = (root: unknown, given: TreeTypes) => flattenTrees([root], given)

function valuesOf({ features }: FlatTrees, datum: Record<string, number>): Float64Array {
  return Float64Array.from(features, ({ field, negative }) => (negative ? -datum[field]! : datum[field]!))
}

interface Node {
  field: string
  operator: string
  value: number
  pass: Node | string
  fail: Node | string
}

const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double(),
  fc.constantFrom(-0, Number.NaN, -Infinity, 5e-324, -5e-324),
)
const { node: anyNode } = fc.letrec<{ node: Node; child: Node | string }>((tie) => ({
  child: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.string({ maxLength: 3 }), tie('node')),
  node: fc.record({
    field: fc.constantFrom(...FIELDS),
    operator: fc.constantFrom('<', '<=', '>', '>='),
    value: number,
    pass: tie('child'),
    fail: tie('child'),
  }),
}))
const anyDatum = fc.record({ x: number, y: number, n: fc.integer({ min: -3, max: 3 }) })

describe('flat trees', () => {
  const walk = tree['model.tree.simpleTree']!(callSite('model.tree.simpleTree', [DATUM, NODE], {}, STRING))

  it('lead where the records lead', () => {
    fc.assert(
      fc.property(fc.array(anyNode, { minLength: 1, maxLength: 6 }), anyDatum, (roots, datum) => {
        const flat = flattenTrees(roots, types)
        if (flat === undefined) return roots.some((root) => JSON.stringify(root).includes('null')) // <= infinity
        const values = valuesOf(flat, datum)
        const places = new Int32Array(roots.length)
        leavesOf(flat, values, places)
        roots.forEach((root, i) => {
          expect(flat.leaves[places[i]!]).toBe(walk(datum, root))
          expect(leafOf({ ...flat, balanced: !flat.balanced }, flat.roots[i]!, values)).toBe(places[i])
        })
        return true
      }),
    )
  })

  it('leave out what is no order of numbers', () => {
    const node = { field: 'x', operator: '<', value: 1, pass: 'a', fail: 'b' }
    expect(flattenTree(node, types)?.leaves).toEqual(['a', 'b'])
    expect(flattenTree({ ...node, operator: '==' }, types)).toBeUndefined()
    expect(flattenTree({ ...node, operator: '<=', value: Infinity }, types)).toBeUndefined()
    expect(flattenTree({ ...node, field: 'l' }, types)).toBeUndefined()
    expect(flattenTree({ ...node, field: 's' }, types)).toBeUndefined()
    expect(flattenTree({ ...node, pass: { ...node, operator: 'in' } }, types)).toBeUndefined()
    const mixed = { ...types, node: nodeType(union(DOUBLE, STRING), STRING) }
    expect(flattenTree({ ...node, value: 'text' }, mixed)).toBeUndefined()
    expect(flattenTree(node, mixed)?.threshold[0]).toBe(1)
  })

  it('take leaves and nodes out of their branches', () => {
    const leaf: RecordType = { kind: 'record', name: 'Leaf', fields: [] }
    const tagged = { node: nodeType(DOUBLE, leaf), datum: DATUM, leaf }
    const inner = {
      field: 'x',
      operator: '<',
      value: 1,
      pass: new Branch('Leaf', { a: 1 }),
      fail: new Branch('Leaf', { a: 2 }),
    }
    const flat = flattenTree({ ...inner, pass: new Branch('Node', inner) }, tagged)!
    expect(flat.inner).toBe(2)
    expect(flat.leaves).toEqual([{ a: 1 }, { a: 2 }, { a: 2 }])
  })

  it('know the next number', () => {
    expect([1, 0, -0, -5e-324, -1, Number.MAX_VALUE].map(numberAfter)).toEqual([
      1 + Number.EPSILON,
      5e-324,
      5e-324,
      -0,
      -1 + Number.EPSILON / 2,
      Infinity,
    ])
  })
})
