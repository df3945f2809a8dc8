import { describe, expect, test } from 'vitest'
import { inputSlot, outputSlot, streamSlot } from '../../src/operations/slots.ts'

const readers = { streamSlot, inputSlot, outputSlot }

const good: [reader: keyof typeof readers, text: string, slot: number][] = [
  ['streamSlot', '0', 0],
  ['streamSlot', '1', 1],
  ['streamSlot', '7', 7],
  ['streamSlot', '32767', 32767],
  ['inputSlot', '0', 0],
  ['inputSlot', '1', 0],
  ['inputSlot', '2', 2],
  ['outputSlot', '1', 1],
  ['outputSlot', '3', 3],
]
test.each(good)('%s %s is %i', (reader, text, slot) => {
  expect(readers[reader](text)).toBe(slot)
})

const bad: [reader: keyof typeof readers, text: string, status: number, sentence: string][] = [
  ['streamSlot', 'x', 400, "'x' is no slot for a stream; give in, out, or a number from 0 to 32767"],
  ['streamSlot', '-1', 400, "'-1' is no slot"],
  ['streamSlot', '1.5', 400, "'1.5' is no slot"],
  ['streamSlot', '32768', 400, "'32768' is no slot"],
  ['streamSlot', '100000', 400, "'100000' is no slot"],
  ['inputSlot', '3', 403, "'3' is no slot for an input; inputs have even numbers from 0; the first one also goes by 1"],
  ['inputSlot', 'in', 403, "'in' is no slot"],
  ['outputSlot', '0', 403, "'0' is no slot for an output; outputs have odd numbers from 1"],
  ['outputSlot', '2', 403, "'2' is no slot for an output"],
]
describe('refused', () => {
  test.each(bad)('%s %s', (reader, text, status, sentence) => {
    expect(() => readers[reader](text)).toThrow(expect.objectContaining({ status }))
    expect(() => readers[reader](text)).toThrow(sentence)
  })
})
