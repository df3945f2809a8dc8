import { type AvroType, Branch, type RecordType } from '@pitot/avro'
import { describe, expect, it } from 'vitest'
import type { PfaType } from '../../../src/library/library.ts'
import { tree } from '../../../src/library/model/tree.ts'
import {
  array,
  BOOLEAN,
  callSite,
  DOUBLE,
  fails,
  fcn,
  INT,
  LONG,
  NULL,
  type Row,
  STRING,
  testTable,
  union,
} from '../table.ts'

const named = (name: string, fields: Record<string, AvroType>): RecordType => ({
  kind: 'record',
  name,
  fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
})
const DATUM = named('Datum', { x: DOUBLE, n: INT, s: STRING, gap: union(NULL, DOUBLE), tag: union(INT, LONG, NULL) })
const FIELDS: AvroType = { kind: 'enum', name: 'Fields', symbols: ['x', 'n', 's', 'gap', 'tag'] }
const VALUE = union(DOUBLE, STRING, array(DOUBLE))
const COMPARISON = named('Comparison', { field: FIELDS, operator: STRING, value: VALUE })
const datum = { x: 2.5, n: 3, s: 'b', gap: null as number | null, tag: new Branch('null', null) as Branch }

const compare = (field: string, operator: string, value: unknown) => ({ field, operator, value })
const simple = (comparison: object, expected: unknown, given: object = datum): Row => [
  'model.tree.simpleTest',
  [DATUM, COMPARISON],
  [given, comparison],
  expected,
]
const missing = (comparison: object, expected: unknown, given: object = datum): Row => [
  'model.tree.missingTest',
  [DATUM, COMPARISON],
  [given, comparison],
  expected,
]

const OUTCOMES: [operator: string, less: boolean, same: boolean, greater: boolean][] = [
  ['<', true, false, false],
  ['<=', true, true, false],
  ['>', false, false, true],
  ['>=', false, true, true],
  ['==', false, true, false],
  ['!=', true, false, true],
]

const tests: Row[] = [
  ...OUTCOMES.flatMap(([operator, less, same, greater]) => [
    simple(compare('x', operator, 3), less),
    simple(compare('x', operator, 2.5), same),
    simple(compare('x', operator, 2), greater),
    simple(compare('s', operator, 'c'), less),
    simple(compare('s', operator, 'b'), same),
    simple(compare('s', operator, 'a'), greater),
    missing(compare('gap', operator, 3), less, { ...datum, gap: 2 }),
    missing(compare('gap', operator, 3), null),
  ]),
  simple(compare('x', '==', Number.NaN), false, { ...datum, x: Number.NaN }),
  simple(compare('n', 'in', [1, 2, 3]), true),
  simple(compare('n', 'notIn', [1, 2, 3]), false),
  simple(compare('x', 'in', []), false),
  simple(compare('s', 'in', [1]), fails(32001)),
  simple(compare('x', 'in', 3), fails(32001)),
  simple(compare('x', 'alwaysTrue', ''), true),
  simple(compare('gap', 'alwaysFalse', ''), false),
  simple(compare('gap', 'isMissing', ''), true),
  simple(compare('gap', 'notMissing', ''), false),
  simple(compare('tag', 'isMissing', ''), true),
  simple(compare('x', 'isMissing', ''), false),
  simple(compare('x', '~', 3), fails(32000)),
  simple(compare('s', '~', 'x'), fails(32000)),
  simple(compare('x', '<', 'text'), fails(32001)),
  simple(compare('gap', '<', 3), fails(32001)),
  missing(compare('x', '<', 3), true),
  missing(compare('gap', 'in', [1]), null),
  missing(compare('gap', 'in', [1]), true, { ...datum, gap: 1 }),
  missing(compare('gap', 'alwaysTrue', ''), true),
  missing(compare('gap', 'isMissing', 1), fails(32010), { ...datum, gap: 1 }),
  missing(compare('gap', '<', 'text'), fails(32011), { ...datum, gap: 1 }),
  missing(compare('s', 'in', [1]), fails(32011)),
]

const TEST = fcn(DATUM, COMPARISON, BOOLEAN)
const MISSING_TEST = fcn(DATUM, COMPARISON, union(NULL, BOOLEAN))
const truth = (_: unknown, { operator }: { operator: string }) => operator === 'yes'
const perhaps = (_: unknown, { operator }: { operator: string }) => (operator === '?' ? null : operator === 'yes')
const yes = compare('x', 'yes', 0)
const no = compare('x', 'no', 0)
const unknown = compare('x', '?', 0)
const COMPOUND: PfaType[] = [DATUM, STRING, array(COMPARISON), TEST]
const SURROGATE: PfaType[] = [DATUM, array(COMPARISON), MISSING_TEST]

const compounds: Row[] = [
  ['model.tree.compoundTest', COMPOUND, [datum, 'and', [yes, no], truth], false],
  ['model.tree.compoundTest', COMPOUND, [datum, 'and', [], truth], true],
  ['model.tree.compoundTest', COMPOUND, [datum, 'or', [no, yes], truth], true],
  ['model.tree.compoundTest', COMPOUND, [datum, 'or', [], truth], false],
  ['model.tree.compoundTest', COMPOUND, [datum, 'xor', [yes, yes, yes], truth], true],
  ['model.tree.compoundTest', COMPOUND, [datum, 'xor', [yes, yes], truth], false],
  ['model.tree.compoundTest', COMPOUND, [datum, 'nand', [yes], truth], fails(32020)],
  ['model.tree.surrogateTest', SURROGATE, [datum, [unknown, no, yes], perhaps], false],
  ['model.tree.surrogateTest', SURROGATE, [datum, [unknown], perhaps], fails(32030)],
]

/** A node type whose leaves have this type. */
function nodeType(leaf: AvroType, more: Record<string, AvroType> = {}): RecordType {
  const fields: { name: string; type: AvroType }[] = []
  const node: RecordType = { kind: 'record', name: 'Node', fields }
  const leaves = leaf.kind === 'union' ? leaf.branches : [leaf]
  const child = union(node, ...leaves)
  for (const [name, type] of Object.entries({ ...more, pass: child, fail: child, missing: child }))
    fields.push({ name, type })
  return node
}

const NODE = nodeType(STRING)
const SIMPLE_NODE = nodeType(STRING, { field: FIELDS, operator: STRING, value: DOUBLE })
const NUMBERS = named('Datum', { x: DOUBLE, y: DOUBLE })
const NUMBER_NODE = nodeType(array(STRING), {
  field: { kind: 'enum', name: 'XY', symbols: ['x', 'y'] },
  operator: STRING,
  value: DOUBLE,
})
const root = { pass: 'a', fail: { pass: 'b', fail: 'c', missing: 'd' }, missing: 'e' }
const small = {
  ...compare('x', '<', 2),
  pass: 'small',
  fail: { ...compare('n', '==', 3), pass: 'three', fail: 'other', missing: '' },
  missing: '',
}
const numbers = (operator: string) => ({
  ...compare('x', operator, 2),
  pass: ['passed'],
  fail: { ...compare('y', 'alwaysTrue', 0), pass: ['failed'], fail: [], missing: [] },
  missing: [],
})

const walks: Row[] = [
  ['model.tree.simpleWalk', [DATUM, NODE, fcn(DATUM, NODE, BOOLEAN)], [datum, root, () => false], 'c'],
  ['model.tree.simpleWalk', [DATUM, NODE, fcn(DATUM, NODE, BOOLEAN)], [datum, root, () => true], 'a'],
  ['model.tree.missingWalk', [DATUM, NODE, fcn(DATUM, NODE, union(NULL, BOOLEAN))], [datum, root, () => null], 'e'],
  [
    'model.tree.missingWalk',
    [DATUM, NODE, fcn(DATUM, NODE, union(NULL, BOOLEAN))],
    [datum, root, (_: unknown, node: unknown) => (node === root ? false : null)],
    'd',
  ],
  ['model.tree.simpleTree', [DATUM, SIMPLE_NODE], [{ ...datum, x: 1 }, small], 'small'],
  ['model.tree.simpleTree', [DATUM, SIMPLE_NODE], [datum, small], 'three'],
  ['model.tree.simpleTree', [DATUM, SIMPLE_NODE], [{ ...datum, n: 4 }, small], 'other'],
  ['model.tree.simpleTree', [DATUM, SIMPLE_NODE], [datum, { ...small, operator: '~' }], fails(32060)],
  ['model.tree.simpleTree', [DATUM, SIMPLE_NODE], [datum, { ...small, field: 's' }], fails(32061)],
  ...OUTCOMES.flatMap(([operator, less, same, greater]): Row[] =>
    (
      [
        [1, less],
        [2, same],
        [3, greater],
      ] as const
    ).map(([x, passes]) => [
      'model.tree.simpleTree',
      [NUMBERS, NUMBER_NODE],
      [{ x, y: 0 }, numbers(operator)],
      [passes ? 'passed' : 'failed'],
    ]),
  ),
]

testTable('model.tree.', tree, [...tests, ...compounds, ...walks])

describe('leaves that do not tell their branch', () => {
  const walk = (leaf: AvroType, child: unknown) => {
    const node = nodeType(leaf)
    const site = callSite('model.tree.simpleWalk', [DATUM, node, fcn(DATUM, node, BOOLEAN)], {}, leaf)
    const inner = { pass: child, fail: child, missing: child }
    const outer = new Branch('Node', inner)
    return tree['model.tree.simpleWalk']!(site)(datum, { pass: outer, fail: outer, missing: outer }, () => true)
  }
  const other = named('Other', { y: INT })

  it('come out of their branch when the result is of one type', () => {
    expect(walk(other, new Branch('Other', { y: 1 }))).toEqual({ y: 1 })
  })
  it('come out of their branch when the result tells itself', () => {
    expect(walk(union(other, STRING), new Branch('string', 'x'))).toBe('x')
  })
  it('get the branch that the result needs when the sides differ', () => {
    const kind: AvroType = { kind: 'enum', name: 'Kind', symbols: ['a'] }
    const node: RecordType = { kind: 'record', name: 'Node', fields: [] }
    const fields = { pass: union(node, kind), fail: union(node, STRING) }
    Object.assign(node, { fields: Object.entries(fields).map(([name, type]) => ({ name, type })) })
    const site = callSite('model.tree.simpleWalk', [DATUM, node, fcn(DATUM, node, BOOLEAN)], {}, union(kind, STRING))
    const scores = [true, false].map((passes) =>
      tree['model.tree.simpleWalk']!(site)(datum, { pass: 'a', fail: 'b' }, () => passes),
    )
    expect(scores).toEqual([new Branch('Kind', 'a'), new Branch('string', 'b')])
  })
  it('stay in their branch when the result needs it', () => {
    expect(walk(union(INT, DOUBLE), new Branch('int', 1))).toEqual(new Branch('int', 1))
  })
})
