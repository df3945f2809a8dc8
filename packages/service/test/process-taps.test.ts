import { describe, expect, test } from 'vitest'
import { addProcessTaps } from '../src/process-taps.ts'
import { type GaugeTap, Taps } from '../src/taps.ts'

const taps = new Taps()
addProcessTaps(taps)
const read = (name: string) => (taps.find(name) as GaugeTap).read()

describe('the taps of every service', () => {
  test('are these', () => {
    expect(taps.names()).toEqual([
      'sys.cpu.utilization',
      'sys.memory',
      'sys.test.bytes',
      'sys.test.float',
      'sys.test.int',
      'sys.test.tagged.bytes',
      'sys.test.tagged.float',
      'sys.test.tagged.int',
    ])
  })

  test('sys.memory is bytes', () => {
    expect(read('sys.memory')).toBeGreaterThan(1e6)
    expect(Number.isInteger(read('sys.memory'))).toBe(true)
  })

  test('sys.cpu.utilization is seconds that only rise', () => {
    const before = read('sys.cpu.utilization') as { kernel: number; user: number }
    const start = performance.now()
    while (performance.now() - start < 20);
    const after = read('sys.cpu.utilization') as { kernel: number; user: number }
    expect(Object.keys(after)).toEqual(['kernel', 'user'])
    expect(after.user + after.kernel).toBeGreaterThan(before.user + before.kernel)
  })

  test.each([
    ['sys.test.int', expect.any(Number)],
    ['sys.test.float', expect.any(Number)],
    ['sys.test.bytes', expect.stringMatching(/^[a-z]{8}$/)],
    ['sys.test.tagged.int', { a: expect.any(Number), b: expect.any(Number) }],
    ['sys.test.tagged.float', { a: expect.any(Number), b: expect.any(Number) }],
    ['sys.test.tagged.bytes', { a: expect.any(String), b: expect.any(String) }],
  ])('%s', (name, expected) => {
    expect(read(name)).toEqual(expected)
  })
})
