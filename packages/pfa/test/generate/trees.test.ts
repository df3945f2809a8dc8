// Trees in cells: whatever they compare, generated code finds the leaf that the interpreter finds.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PfaError } from '../../src/errors.ts'
import { compile, type Program } from '../../src/index.ts'

const fields = ['x', 'y', 'z'] as const
type Value = number | 'NaN' | 'Infinity' | '-Infinity'

/** Few values, so that comparisons are often of equal ones. */
const value = fc.constantFrom<Value>(-1, -0.5, 0, 0.5, 1, 2, 'NaN', 'Infinity', '-Infinity')

interface Tree {
  readonly field: string
  readonly operator: string
  readonly value: unknown
  readonly pass: unknown
  readonly fail: unknown
}

function trees(operators: readonly string[], wrap: (value: Value) => unknown): fc.Arbitrary<Tree> {
  const leaf = fc.integer({ min: 0, max: 99 }).map((score) => ({ int: score }))
  const { tree } = fc.letrec<{ tree: Tree; child: unknown }>((tie) => ({
    tree: fc.record({
      field: fc.constantFrom(...fields),
      operator: fc.constantFrom(...operators),
      value: value.map(wrap),
      pass: tie('child'),
      fail: tie('child'),
    }),
    child: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      tie('tree').map((inner) => ({ TreeNode: inner })),
    ),
  }))
  return tree
}

const node = (valueType: unknown) => ({
  type: 'record',
  name: 'TreeNode',
  fields: [
    { name: 'field', type: { type: 'enum', name: 'Fields', symbols: fields } },
    { name: 'operator', type: 'string' },
    { name: 'value', type: valueType },
    { name: 'pass', type: ['TreeNode', 'int'] },
    { name: 'fail', type: ['TreeNode', 'int'] },
  ],
})
const datum = {
  type: 'record',
  name: 'Datum',
  fields: [
    { name: 'x', type: 'double' },
    { name: 'y', type: 'float' },
    { name: 'z', type: 'int' },
  ],
}
const test_ = {
  params: [{ d: 'Datum' }, { t: 'TreeNode' }],
  ret: 'boolean',
  do: { 'model.tree.simpleTest': ['d', 't'] },
}
const walk = (tree: unknown) => ({ 'model.tree.simpleWalk': ['input', tree, test_] })
const simple = (tree: unknown) => ({ 'model.tree.simpleTree': ['input', tree] })

const single = (call: (tree: unknown) => unknown) => (init: readonly Tree[], type: unknown) => ({
  input: datum,
  output: 'int',
  cells: { tree: { type, init: init[0] } },
  action: call({ cell: 'tree' }),
})
const forest = (call: (tree: unknown) => unknown) => (init: readonly Tree[], type: unknown) => ({
  input: datum,
  output: { type: 'array', items: 'int' },
  cells: { forest: { type: { type: 'array', items: type }, init } },
  action: { 'a.map': [{ cell: 'forest' }, { params: [{ t: 'TreeNode' }], ret: 'int', do: call('t') }] },
})

const loop = (call: (tree: unknown) => unknown) => (init: readonly Tree[], type: unknown) => ({
  input: datum,
  output: 'int',
  cells: { forest: { type: { type: 'array', items: type }, init } },
  action: [
    { let: { sum: 0 } },
    { foreach: 't', in: { cell: 'forest' }, do: { set: { sum: { '+': ['sum', call('t')] } } } },
    'sum',
  ],
})

const documents = {
  'a loop over a forest': loop(simple),
  'one tree, simpleTree': single(simple),
  'one tree, simpleWalk': single(walk),
  'a forest, simpleTree': forest(simple),
  'a forest, simpleWalk': forest(walk),
}
const orders = ['<', '<=', '>', '>=']
const kinds = {
  'less than': { operators: ['<'], type: 'double', wrap: (each: Value) => each },
  'all orders': { operators: orders, type: 'double', wrap: (each: Value) => each },
  'equality too': { operators: [...orders, '==', '!='], type: 'double', wrap: (each: Value) => each },
  'values in a union': {
    operators: orders,
    type: ['string', 'double'],
    wrap: (each: Value) => (each === 2 ? { string: 'two' } : { double: each }),
  },
  'an unknown operator': { operators: ['<', '~'], type: 'double', wrap: (each: Value) => each },
}

describe('trees with a branch for missing fields', () => {
  const withMissing = (valueType: unknown) => {
    const base = node(valueType)
    return { ...base, fields: [...base.fields, { name: 'missing', type: ['TreeNode', 'int'] }] }
  }
  const nullable = {
    ...datum,
    fields: [
      { name: 'x', type: ['double', 'null'] },
      { name: 'y', type: ['null', 'float'] },
      { name: 'z', type: 'int' },
    ],
  }
  const test_ = {
    params: [{ d: 'Datum' }, { t: 'TreeNode' }],
    ret: ['null', 'boolean'],
    do: { 'model.tree.missingTest': ['d', 't'] },
  }
  const maybe = fc.option(value)

  test.each(Object.entries(kinds))('%s', (_, { operators, type, wrap }) => {
    const grow = (tree: Tree, scores: number): unknown => ({
      ...tree,
      pass: growChild(tree.pass, scores + 1),
      fail: growChild(tree.fail, scores + 2),
      missing:
        scores % 3 === 0
          ? { TreeNode: { ...tree, pass: { int: -1 }, fail: { int: -2 }, missing: { int: -3 } } }
          : { int: -scores },
    })
    const growChild = (child: unknown, scores: number): unknown => {
      const inner = (child as { TreeNode?: Tree }).TreeNode
      return inner === undefined ? child : { TreeNode: grow(inner, scores) }
    }
    const data = fc.array(fc.record({ x: maybe, y: maybe, z: fc.integer({ min: -2, max: 2 }) }), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(trees(operators, wrap), data, (tree, inputs) => {
        const document = {
          input: nullable,
          output: 'int',
          cells: { tree: { type: withMissing(type), init: grow(tree, 0) } },
          action: { 'model.tree.missingWalk': ['input', { cell: 'tree' }, test_] },
        }
        const fast = compile(document)
        const slow = compile(document, { generate: false })
        expect(fast.source).toMatch(/forest\d+\.walk/)
        for (const input of inputs) expect(outcome(fast, input)).toBe(outcome(slow, input))
      }),
      { numRuns: 40 },
    )
  })
})

function outcome(program: Program, input: unknown): string {
  try {
    return JSON.stringify(program.start().action(input))
  } catch (error) {
    if (error instanceof PfaError) return `${error.kind} ${error.code}`
    throw error
  }
}

describe.each(Object.entries(documents))('%s', (_, make) => {
  test.each(Object.entries(kinds))('%s', (_name, { operators, type, wrap }) => {
    const data = fc.array(fc.record({ x: value, y: value, z: fc.integer({ min: -2, max: 2 }) }), {
      minLength: 1,
      maxLength: 8,
    })
    fc.assert(
      fc.property(fc.array(trees(operators, wrap), { minLength: 1, maxLength: 6 }), data, (init, inputs) => {
        const document = make(init, node(type))
        const fast = compile(document)
        const slow = compile(document, { generate: false })
        for (const input of inputs) expect(outcome(fast, input)).toBe(outcome(slow, input))
      }),
      { numRuns: 40 },
    )
  })
})

test('large trees give the same as small ones', () => {
  const chain = (depth: number): Tree => ({
    field: fields[depth % 2] as string,
    operator: depth % 3 === 0 ? '>' : '<=',
    value: depth / 1000,
    pass: { int: depth },
    fail: depth === 0 ? { int: -1 } : { TreeNode: chain(depth - 1) },
  })
  const init = Array.from({ length: 9 }, (_, index) => chain(80 + index))
  const document = forest(simple)(init, node('double'))
  const [fast, slow] = [compile(document).start(), compile(document, { generate: false }).start()]
  for (let i = 0; i < 200; i++) {
    const input = { x: ((i * 7) % 90) / 1000, y: ((i * 13) % 90) / 1000, z: 0 }
    expect(fast.action(input)).toEqual(slow.action(input))
  }
})

test('trees of numbers are walked without their records', () => {
  const document = forest(simple)(
    [{ field: 'x', operator: '<', value: 0, pass: { int: 1 }, fail: { int: 2 } }],
    node('double'),
  )
  const program = compile(document)
  expect(program.source).toMatch(/forest\d+\.walk/)
  expect(program.start().action({ x: -1, y: 0, z: 0 })).toEqual([1])
  expect(
    program
      .start({ cells: { forest: [{ field: 'x', operator: '>', value: 5, pass: 3, fail: 4 }] } })
      .action({ x: 6, y: 0, z: 0 }),
  ).toEqual([3])
})
