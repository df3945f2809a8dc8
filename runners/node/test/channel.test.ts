// Messages of all sizes, several at a time: what goes in comes out, in order.
import { expect, test } from 'vitest'
import { jetWith, outputs, score } from './jets.ts'

const echo = { language: 'javascript', source: 'export const action = (x) => x' }

test('short and long batches, sent without waiting', async () => {
  const { jet } = await jetWith(echo)
  const batches = [
    ['1'],
    Array.from({ length: 50_000 }, (_, index) => String(index)),
    [JSON.stringify('é'.repeat(2_000_000))],
    [],
    ['2', JSON.stringify('x'.repeat(20_000_000)), '3'],
    Array.from({ length: 1000 }, (_, index) => JSON.stringify({ index })),
  ]
  const emissions = await Promise.all(batches.map((texts) => score(jet, ...texts)))
  expect(emissions.map((each) => outputs(each).length)).toEqual(batches.map((texts) => texts.length))
  for (const [at, texts] of batches.entries()) expect(outputs(emissions[at]!).join() === texts.join()).toBe(true)
})

test('thousands of small messages', async () => {
  const { jet } = await jetWith(echo)
  const numbers = Array.from({ length: 3000 }, (_, index) => String(index))
  const emissions = await Promise.all(numbers.map((text) => score(jet, text)))
  expect(emissions.flatMap((each) => outputs(each))).toEqual(numbers)
})

test('seconds of every step that took place are told', async () => {
  const { jet } = await jetWith({
    ...echo,
    slots: [
      { slot: 0, schema: 'int', recordsets: false, action: 'action' },
      { slot: 1, schema: 'int', recordsets: false, action: null },
    ],
  })
  const { seconds } = await score(jet, ...Array.from({ length: 5000 }, (_, index) => String(index)))
  for (const [step, each] of Object.entries(seconds)) expect(each, step).toBeGreaterThan(0)
})
