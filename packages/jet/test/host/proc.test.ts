// What /proc tells, compared with what Node knows of itself and with real children.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import {
  childrenOf,
  groupMembers,
  innerNumber,
  markedProcesses,
  proportionalMemory,
  readProcess,
} from '../../src/host/proc.ts'
import { until } from './jets.ts'

async function sleeper(more: { detached?: boolean; env?: NodeJS.ProcessEnv } = {}) {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore', ...more })
  await once(child, 'spawn')
  return { child, pid: child.pid!, end: () => child.kill('SIGKILL') && once(child, 'exit') }
}

describe('a process', () => {
  test('this one', () => {
    const self = readProcess(process.pid)!
    const { user, system } = process.cpuUsage()
    const close = (actual: number, expected: number) => Math.abs(actual - expected) / expected < 0.5
    expect(self.parent).toBe(process.ppid)
    expect(close(self.memory, process.memoryUsage.rss())).toBe(true)
    expect(close(self.user + self.kernel, (user + system) / 1e6)).toBe(true)
    expect(self.isZombie).toBe(false)
    expect(innerNumber(process.pid)).toBe(process.pid)
    expect(proportionalMemory(process.pid)).toBeLessThanOrEqual(process.memoryUsage.rss() * 1.1)
  })

  test('none', () => {
    expect(readProcess(2 ** 30)).toBeUndefined()
    expect(innerNumber(2 ** 30)).toBeUndefined()
    expect(proportionalMemory(2 ** 30)).toBeUndefined()
    expect(childrenOf(2 ** 30)).toEqual([])
  })

  test('one with a strange name', async () => {
    const child = spawn('sh', ['-c', 'printf "a) S 1 (b" > /proc/self/comm; exec 2>&-; read line'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    await once(child, 'spawn')
    expect(readProcess(child.pid!)?.parent).toBe(process.pid)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
})

test('children', async () => {
  const { pid, end } = await sleeper()
  expect(childrenOf(process.pid)).toContain(pid)
  await end()
  expect(childrenOf(process.pid)).not.toContain(pid)
})

test('members of a group', async () => {
  const { pid, end } = await sleeper({ detached: true })
  expect(readProcess(pid)?.group).toBe(pid)
  expect(await until(() => groupMembers(pid).includes(pid))).toBe(true)
  await end()
  expect(await until(() => groupMembers(pid).length === 0)).toBe(true)
})

test('whoever has the mark, and nobody whose mark begins alike', async () => {
  const mark = `test.${process.pid}`
  const marked = await sleeper({ env: { PITOT_JET: mark, PATH: process.env.PATH } })
  const others = await Promise.all([
    sleeper({ env: { PITOT_JET: `${mark}0`, PATH: process.env.PATH } }),
    sleeper({ env: { OTHER_PITOT_JET: mark, PATH: process.env.PATH } }),
  ])
  expect(await Array.fromAsync(markedProcesses(mark))).toEqual([marked.pid])
  await Promise.all([marked, ...others].map(({ end }) => end()))
  expect(await Array.fromAsync(markedProcesses(mark))).toEqual([])
})
