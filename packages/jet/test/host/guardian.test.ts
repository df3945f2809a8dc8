// Nothing that a model starts outlives its jet, nor the engine, however these end.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { processesWith, say, start, startEngine, until } from './jets.ts'

let number = 40_000 + (process.pid % 10_000)
/** A sleep that is nobody else's. */
const uniqueSeconds = () => String(++number)

/** Of the engine that is alive; 0 when it has none. */
function guardianOf(engine: number): number {
  const isChild = (pid: number) =>
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(engine)
  return processesWith('pitot-guardian').find(isChild) ?? 0
}

describe.each(['none', 'auto'] as const)('isolation %s', (isolation) => {
  test.each(['kill', 'stop'] as const)('a jet takes its processes with it: %s', async (how) => {
    const seconds = uniqueSeconds()
    const { jet } = await start('', { isolation })
    await say(jet, `daemon ${seconds}`)
    await say(jet, `bare ${seconds}`)
    expect(await until(() => processesWith(`sleep ${seconds}`).length >= 2)).toBe(true)
    // Long enough for the one without an environment to be seen.
    await say(jet, 'sleep 1300')
    await jet[how]()
    expect(processesWith(`sleep ${seconds}`)).toEqual([])
  })

  test('a jet that dies takes its processes with it', async () => {
    const seconds = uniqueSeconds()
    const { jet } = await start('', { isolation })
    await say(jet, `daemon ${seconds}`)
    await expect(say(jet, 'exit 1')).rejects.toThrow(/status 1/)
    await jet.gone
    expect(processesWith(`sleep ${seconds}`)).toEqual([])
  })

  test.each(['SIGKILL', 'SIGTERM'] as const)('an engine that is ended by %s leaves nobody behind', async (signal) => {
    const seconds = uniqueSeconds()
    const { engine, pid: jet } = await startEngine(isolation, seconds)
    expect(await until(() => processesWith(`sleep ${seconds}`).length >= 2)).toBe(true)
    await sleep(1300)
    const guardian = guardianOf(engine.pid!)
    expect(guardian).toBeGreaterThan(0)
    // With its whole group, as a terminal or a supervisor does.
    process.kill(-engine.pid!, signal)
    await once(engine, 'exit')
    const isAlone = () => processesWith(`sleep ${seconds}`).length === 0 && !existsSync(`/proc/${jet}`)
    expect(await until(isAlone, 2)).toBe(true)
    expect(await until(() => !processesWith('pitot-guardian').includes(guardian), 2)).toBe(true)
  })
})

test('a guardian that is killed is replaced', async () => {
  const seconds = uniqueSeconds()
  const { engine } = await startEngine('none', seconds)
  await sleep(1300)
  const first = guardianOf(engine.pid!)
  process.kill(first, 'SIGKILL')
  expect(await until(() => ![0, first].includes(guardianOf(engine.pid!)))).toBe(true)
  engine.kill('SIGKILL')
  expect(await until(() => processesWith(`sleep ${seconds}`).length === 0, 2)).toBe(true)
})
