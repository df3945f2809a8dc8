// The library is whole: every function of the specification has an implementation, and there is no other.
import { describe, expect, test } from 'vitest'
import { findFunction, implementations, libraryNames } from '../../src/library/index.ts'
import { readSignature } from '../../src/library/signatures.ts'

describe('library', () => {
  test('has the functions of the specification, no more and no less', () => {
    expect([...implementations.keys()].sort()).toEqual([...libraryNames].sort())
    expect(libraryNames).toHaveLength(449)
  })

  test('has 625 signatures, all of which can be read', () => {
    const signatures = libraryNames.flatMap((name) => findFunction(name)?.signatures ?? [])
    expect(signatures).toHaveLength(625)
    for (const { params, result } of signatures) {
      expect(result.kind).toBeTypeOf('string')
      for (const { name } of params) expect(name).toMatch(/^\w+$/)
    }
  })

  test('has 417 error codes, each with a short message', () => {
    const errors = libraryNames.flatMap((name) => Object.entries(findFunction(name)?.entry.errors ?? {}))
    expect(errors).toHaveLength(417)
    for (const [code, message] of errors) {
      expect(Number(code)).toBeGreaterThanOrEqual(10000)
      expect(message).toMatch(/^\S.{2,}$/)
    }
  })

  test('does not know names that every object has', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
      expect(findFunction(name)).toBeUndefined()
  })

  test.each([
    ['(x: int) -> long', { params: [{ name: 'x', pattern: { kind: 'int' } }], result: { kind: 'long' } }],
    [
      '(a: array(any A), f: fcn(A, int -> union(null, A))) -> map(A)',
      {
        params: [
          { name: 'a', pattern: { kind: 'array', items: { kind: 'any', label: 'A' } } },
          {
            name: 'f',
            pattern: {
              kind: 'fcn',
              params: [{ kind: 'any', label: 'A' }, { kind: 'int' }],
              result: { kind: 'union', branches: [{ kind: 'null' }, { kind: 'any', label: 'A' }] },
            },
          },
        ],
        result: { kind: 'map', values: { kind: 'any', label: 'A' } },
      },
    ],
    [
      '(d: record D, t: record T {field: enum F of D, value: any V of {int, long}}, e: enum E, f: fixed X) -> V',
      {
        params: [
          { name: 'd', pattern: { kind: 'record', label: 'D', fields: [] } },
          {
            name: 't',
            pattern: {
              kind: 'record',
              label: 'T',
              fields: [
                { name: 'field', pattern: { kind: 'enum', label: 'F', ofRecord: 'D' } },
                { name: 'value', pattern: { kind: 'any', label: 'V', of: ['int', 'long'] } },
              ],
            },
          },
          { name: 'e', pattern: { kind: 'enum', label: 'E' } },
          { name: 'f', pattern: { kind: 'fixed', label: 'X' } },
        ],
        result: { kind: 'any', label: 'V' },
      },
    ],
  ])('reads %s', (text, expected) => {
    expect(readSignature(text)).toEqual(expected)
  })
})
