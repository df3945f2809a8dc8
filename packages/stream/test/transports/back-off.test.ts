import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BackOff } from '../../src/transports/back-off.ts'

const { waits } = vi.hoisted(() => ({ waits: [] as number[] }))

// A wait is over at once, and the clock says that it took as long as was asked for.
vi.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number, _value: unknown, { signal }: { signal: AbortSignal }) => {
    await Promise.resolve()
    if (signal.aborted) throw signal.reason
    waits.push(milliseconds)
    vi.setSystemTime(Date.now() + milliseconds)
  },
}))

const never = new AbortController().signal

beforeEach(() => {
  waits.length = 0
  vi.useFakeTimers({ toFake: ['Date'] })
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('waits grow, and end', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const backOff = new BackOff(1000, never)
  while (await backOff.again());
  expect(waits).toEqual([50, 100, 200, 400, 250])
})

test('waits are never longer than five seconds, but for a half more or less', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.999)
  const backOff = new BackOff(3_600_000, never)
  while (await backOff.again());
  expect(Math.max(...waits)).toBeCloseTo(5000 * 1.499)
})

test('those who failed together do not wait equally long', async () => {
  for (let client = 0; client < 100; client++) await new BackOff(1000, never).again()
  expect(new Set(waits).size).toBeGreaterThan(90)
  for (const wait of waits) expect(Math.abs(wait - 50)).toBeLessThanOrEqual(25)
})

test('no time for tries is no try', async () => {
  expect(await new BackOff(0, never).again()).toBe(false)
  expect(waits).toEqual([])
})

test('what the other side asks for is waited, unless there is no time for it', async () => {
  expect(await new BackOff(1000, never).again(200)).toBe(true)
  expect(waits).toEqual([200])
  expect(await new BackOff(1000, never).again(2000)).toBe(false)
  expect(waits).toEqual([200])
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
