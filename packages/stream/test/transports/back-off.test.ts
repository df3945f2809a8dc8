import { expect, test } from 'vitest'
import { BackOff } from '../../src/transports/back-off.ts'

const never = new AbortController().signal

test('waits grow, and end', async () => {
  const backOff = new BackOff(400, never)
  const start = performance.now()
  const times: number[] = []
  while (await backOff.again()) times.push(performance.now() - start)
  expect(times.length).toBeGreaterThanOrEqual(3)
  expect(times.length).toBeLessThanOrEqual(10)
  expect(times[0]).toBeLessThan(100)
  expect(times.at(-1)).toBeLessThan(700)
})

test('no time for tries is no try', async () => {
  expect(await new BackOff(0, never).again()).toBe(false)
})

test('what the other side asks for is waited, unless there is no time for it', async () => {
  const start = performance.now()
  expect(await new BackOff(1000, never).again(200)).toBe(true)
  expect(performance.now() - start).toBeGreaterThanOrEqual(195)
  expect(await new BackOff(1000, never).again(2000)).toBe(false)
})

test('the signal ends the wait', async () => {
  const stop = new AbortController()
  const waiting = new BackOff(60_000, stop.signal).again(30_000)
  stop.abort()
  expect(await waiting).toBe(false)
})

test('after a success the next failure is a first one', async () => {
  const backOff = new BackOff(120, never)
  while (await backOff.again());
  backOff.reset()
  expect(await backOff.again()).toBe(true)
})
