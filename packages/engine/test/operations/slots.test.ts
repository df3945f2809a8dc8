import { describe, expect, test } from 'vitest'
import { slotOf } from '../../src/operations/slots.ts'

type Purpose = Parameters<typeof slotOf>[1]

const good: [text: string, purpose: Purpose, slot: number][] = [
  ['0', 'a stream', 0],
  ['1', 'a stream', 1],
  ['7', 'a stream', 7],
  ['32767', 'a stream', 32767],
  ['0', 'an input', 0],
  ['1', 'an input', 0],
  ['2', 'an input', 2],
  ['1', 'an output', 1],
  ['3', 'an output', 3],
]
test.each(good)('%s for %s is %i', (text, purpose, slot) => {
  expect(slotOf(text, purpose)).toBe(slot)
})

const bad: [text: string, purpose: Purpose, sentence: string][] = [
  ['x', 'a stream', "'x' is no slot for a stream; give in, out, or a number from 0 to 32767"],
  ['-1', 'a stream', "'-1' is no slot"],
  ['1.5', 'a stream', "'1.5' is no slot"],
  ['32768', 'a stream', "'32768' is no slot"],
  ['100000', 'a stream', "'100000' is no slot"],
  ['3', 'an input', "'3' is no slot for an input; inputs have even numbers from 0; the first one also goes by 1"],
  ['0', 'an output', "'0' is no slot for an output; outputs have odd numbers from 1"],
  ['2', 'an output', "'2' is no slot for an output"],
  ['in', 'an input', "'in' is no slot"],
]
describe('refused', () => {
  test.each(bad)('%s for %s', (text, purpose, sentence) => {
    expect(() => slotOf(text, purpose)).toThrow(expect.objectContaining({ code: 'bad-slot', status: 403 }))
    expect(() => slotOf(text, purpose)).toThrow(sentence)
  })
})
