// biome-ignore-all lint/suspicious/noThenProperty: `then` is a word of the language
// What must never take a process down: loops without end, recursion without end, values that double without end.
import { describe, expect, test } from 'vitest'
import { PfaError } from '../../src/errors.ts'
import { compile } from '../../src/index.ts'

const modes = [
  ['generated', true],
  ['interpreted', false],
] as const

function fails(document: object, generate: boolean, input: unknown = null): PfaError {
  const instance = compile(document, { generate }).start()
  try {
    instance.action(input)
  } catch (error) {
    if (error instanceof PfaError) return error
    throw error
  }
  throw new Error('no error')
}

const forever: Readonly<Record<string, unknown>> = {
  while: [{ let: { i: 0 } }, { while: true, do: { set: { i: { '%': [{ '+': ['i', 1] }, 10] } } } }],
  until: [{ let: { i: 0 } }, { do: { set: { i: { '%': [{ '+': ['i', 1] }, 10] } } }, until: false }],
  for: [{ for: { i: 0 }, while: true, step: { i: { '-': [1, 'i'] } }, do: 'i' }],
  'exponential recursion': [{ 'u.fib': [60] }],
  'a function of the library': [
    { 'a.permutations': [{ type: { type: 'array', items: 'int' }, value: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] }] },
  ],
}
const fib = {
  params: [{ n: 'int' }],
  ret: 'int',
  do: {
    if: { '<': ['n', 2] },
    then: 1,
    else: { '%': [{ '+': [{ 'u.fib': [{ '-': ['n', 1] }] }, { 'u.fib': [{ '-': ['n', 2] }] }] }, 1000] },
  },
}

describe.each(modes)('limits, %s', (_, generate) => {
  test.each(Object.entries(forever))('time is up in %s', (_name, action) => {
    const error = fails(
      {
        input: 'null',
        output: 'null',
        options: { timeout: 50 },
        fcns: { fib },
        action: [...(action as unknown[]), null],
      },
      generate,
    )
    expect(error.kind).toBe('timeout')
  })

  test('begin and end have their own limits', () => {
    const loop = [{ while: true, do: null }]
    const document = {
      input: 'null',
      output: 'null',
      options: { 'timeout.begin': 30, 'timeout.end': 40 },
      begin: loop,
      end: loop,
      action: null,
    }
    const instance = compile(document, { generate }).start()
    expect(() => instance.begin()).toThrow(/30 ms/)
    expect(instance.action(null)).toBe(null)
    expect(() => instance.end()).toThrow(/40 ms/)
  })

  test('a time-out is not caught by try', () => {
    const error = fails(
      {
        input: 'null',
        output: ['null', 'int'],
        options: { timeout: 30 },
        action: { try: { do: [{ while: true, do: null }, 1] } },
      },
      generate,
    )
    expect(error.kind).toBe('timeout')
  })

  test('recursion without end', () => {
    const f = { params: [{ n: 'int' }], ret: 'int', do: { 'u.f': [{ '%': [{ '+': ['n', 1] }, 10] }] } }
    const error = fails({ input: 'null', output: 'int', fcns: { f }, action: { 'u.f': [0] } }, generate)
    expect(error.kind).toBe('runtime')
    expect(error.message).toMatch(/deep/)
  })

  test('a list inside a record that doubles without end', () => {
    const type = { type: 'record', name: 'R', fields: [{ name: 'list', type: { type: 'array', items: 'int' } }] }
    const twice = {
      params: [{ l: { type: 'array', items: 'int' } }],
      ret: { type: 'array', items: 'int' },
      do: { 'a.concat': ['l', 'l'] },
    }
    const action = [
      { let: { r: { type, value: { list: [1] } } } },
      { while: true, do: { set: { r: { attr: 'r', path: [['list']], to: twice } } } },
      null,
    ]
    expect(fails({ input: 'null', output: 'null', action }, generate).message).toMatch(/large/)
  })

  test.each([
    ['array', { type: 'array', items: 'int' }, [1], 'a.concat'],
    ['string', 'string', 'x', 's.concat'],
  ])('%s that doubles without end', (_name, type, value, concat) => {
    const action = [
      { let: { x: { type, value } } },
      { while: true, do: { set: { x: { [concat]: ['x', 'x'] } } } },
      null,
    ]
    const error = fails({ input: 'null', output: 'null', action }, generate)
    expect(error.kind).toBe('runtime')
    expect(error.message).toMatch(/large/)
  })
})
