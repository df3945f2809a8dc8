import { expect, test } from 'vitest'
import { Turns } from '../src/turns.ts'

test('work is done one after the other, also behind what failed', async () => {
  const turns = new Turns()
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = turns.take(async () => {
    seen.push('first begins')
    await gate.promise
    seen.push('first ends')
    throw new Error('it broke')
  })
  const second = turns.take(async () => {
    seen.push('second')
    return 2
  })
  await new Promise(setImmediate)
  expect(seen).toEqual(['first begins'])
  gate.resolve()
  await expect(first).rejects.toThrow('it broke')
  expect(await second).toBe(2)
  expect(seen).toEqual(['first begins', 'first ends', 'second'])
})
