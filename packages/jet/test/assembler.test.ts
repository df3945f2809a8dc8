// Lengths that no message has, and memory for messages that do not come.
import { describe, expect, test } from 'vitest'
import { Assembler, MAXIMUM_MESSAGE } from '../src/index.ts'

describe('lengths', () => {
  const announce = (length: number) => {
    const bytes = new Uint8Array(4)
    new DataView(bytes.buffer).setUint32(0, length, true)
    return bytes
  }
  test.each([
    ['too long', MAXIMUM_MESSAGE + 1, /268435457 bytes is announced: the limit is 268435456/],
    ['endless', 0xffffffff, /4294967295 bytes/],
    ['without a kind', 0, /without a kind/],
  ])('%s', (_, length, sentence) => {
    expect(() => new Assembler(() => undefined).push(announce(length))).toThrow(sentence)
  })

  test('what is announced costs no memory before it comes', () => {
    const before = process.memoryUsage().arrayBuffers
    const assemblers = Array.from({ length: 20 }, () => new Assembler(() => undefined))
    for (const assembler of assemblers) assembler.push(announce(MAXIMUM_MESSAGE))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 2 ** 20)
  })
})
