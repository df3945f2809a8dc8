// Cells changed in place: chosen only where nobody can see it, never visible, and not slower the larger the cell is.
import { describe, expect, test } from 'vitest'
import { compile } from '../../src/index.ts'

const numbers = { type: 'array', items: 'int' }
const counts = { type: 'map', values: 'int' }
const table = { type: 'map', values: numbers }
const append = { params: [{ old: numbers }], ret: numbers, do: { 'a.append': ['old', 'input'] } }
const increment = { params: [{ old: 'int' }], ret: 'int', do: { '+': ['old', 1] } }

interface Case {
  readonly cells: object
  readonly action: readonly unknown[]
  readonly output?: unknown
  /** What the generated code then holds, or does not. */
  readonly inPlace: RegExp | false
}

const list = { c: { type: numbers, init: [7] } }
const map = { c: { type: counts, init: { a: 0, b: 5 } } }
const nested = { c: { type: table, init: { a: [1, 2], b: [3] } } }

const cases: Readonly<Record<string, Case>> = {
  'append, read by length': {
    cells: list,
    action: [{ cell: 'c', to: append }, { 'a.len': { cell: 'c' } }],
    inPlace: /\.push\(/,
  },
  'append, read by index': {
    cells: list,
    action: [
      { cell: 'c', to: append },
      { cell: 'c', path: [0] },
    ],
    inPlace: /\.push\(/,
  },
  'append, read whole': {
    cells: list,
    output: numbers,
    action: [{ cell: 'c', to: append }, { cell: 'c' }],
    inPlace: false,
  },
  'append, result used': { cells: list, output: numbers, action: [{ cell: 'c', to: append }], inPlace: false },
  'append, kept in a variable before': {
    cells: list,
    action: [{ let: { before: { cell: 'c' } } }, { cell: 'c', to: append }, { 'a.len': 'before' }],
    inPlace: false,
  },
  'append with rollback': {
    cells: { c: { ...list.c, rollback: true } },
    action: [{ cell: 'c', to: append }, { 'a.len': { cell: 'c' } }],
    inPlace: false,
  },
  'append what depends on the old value': {
    cells: list,
    action: [
      { cell: 'c', to: { params: [{ old: numbers }], ret: numbers, do: { 'a.append': ['old', { 'a.len': 'old' }] } } },
      { 'a.len': { cell: 'c' } },
    ],
    inPlace: false,
  },
  'a key of a map': {
    cells: map,
    action: [
      { cell: 'c', path: [['a']], to: increment },
      { cell: 'c', path: [['a']] },
    ],
    inPlace: /\.set\("a"/,
  },
  'add to a map': {
    cells: map,
    action: [
      {
        cell: 'c',
        to: { params: [{ m: counts }], ret: counts, do: { 'map.add': ['m', { 's.int': 'input' }, 'input'] } },
      },
      { 'map.len': { cell: 'c' } },
    ],
    inPlace: /\.set\(/,
  },
  'two steps deep, read as deep': {
    cells: nested,
    action: [
      { cell: 'c', path: [['a'], 0], to: increment },
      { cell: 'c', path: [['a'], 0] },
    ],
    inPlace: /\] = /,
  },
  'two steps deep, read less deep': {
    cells: nested,
    output: numbers,
    action: [
      { cell: 'c', path: [['a'], 0], to: increment },
      { cell: 'c', path: [['a']] },
    ],
    inPlace: false,
  },
  'different depths': {
    cells: nested,
    action: [
      { cell: 'c', path: [['a'], 0], to: increment },
      { cell: 'c', path: [['b']], to: { type: numbers, value: [1] } },
      { cell: 'c', path: [['a'], 0] },
    ],
    inPlace: false,
  },
}

describe.each(Object.entries(cases))('%s', (_, { cells, action, output, inPlace }) => {
  const document = { input: 'int', output: output ?? 'int', cells, action }
  const program = compile(document)

  test(inPlace === false ? 'is copied' : 'is changed in place', () => {
    if (inPlace === false) expect(program.source).not.toMatch(/clone\d/)
    else {
      expect(program.source).toMatch(/clone\d/)
      expect(program.source).toMatch(inPlace)
    }
  })

  test('does what the interpreter does, in every instance on its own', () => {
    const slow = compile(document, { generate: false })
    for (let round = 0; round < 2; round++) {
      const [one, other] = [program.start(), slow.start()]
      const kept: unknown[] = []
      for (const input of [1, 2, 3, 4]) {
        const result = one.action(input)
        kept.push([result, JSON.stringify(result)])
        expect(result).toEqual(other.action(input))
        expect(one.snapshot()).toEqual(other.snapshot())
      }
      // What has been given out does not change any more.
      for (const [result, text] of kept as [unknown, string][]) expect(JSON.stringify(result)).toBe(text)
    }
  })
})

test('a cell that grows takes the same time for each record', () => {
  const { cells, action } = cases['append, read by length'] as Case
  const instance = compile({ input: 'int', output: 'int', cells, action }).start()
  // Copying the list each time would be 500 billion items, and not end before the time for a test does.
  for (let i = 0; i < 1_000_000; i++) instance.action(i)
  expect(instance.action(0)).toBe(1_000_002)
})
