import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockFolder } from '../src/folder-lock.ts'
import { temporaryFolder } from './surroundings.ts'

test('a folder is locked once, until it is given free', async () => {
  const folder = await temporaryFolder()
  const unlock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(
    `the folder ${folder} is in use by process ${process.pid}; give each engine its own with --data`,
  )
  await unlock()
  await (await lockFolder(folder))()
  expect(existsSync(join(folder, 'lock'))).toBe(false)
})

test('one of two who come at once gets it, however often they do', async () => {
  for (let round = 0; round < 200; round++) {
    const folder = await temporaryFolder()
    if (round % 2 === 1) writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, started: 'long ago' }))
    const settled = await Promise.allSettled([lockFolder(folder), lockFolder(folder)])
    expect(settled.map(({ status }) => status).sort(), `${round}`).toEqual(['fulfilled', 'rejected'])
    expect(readdirSync(folder)).toEqual(['lock'])
  }
})

test('the lock of a process that is gone is no obstacle', async () => {
  const folder = await temporaryFolder()
  const gone = spawn(process.execPath, ['-e', ''])
  await once(gone, 'exit')
  writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: gone.pid, started: '1' }))
  await (await lockFolder(folder))()
})

const left: [title: string, text: string][] = [
  ['of another process that had our number', JSON.stringify({ pid: process.pid, started: 'long ago' })],
  ['of one that was killed while it wrote', '{"pid":'],
  ['that is empty', ''],
]
test.each(left)('neither is a lock %s', async (_title, text) => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'lock'), text)
  await (await lockFolder(folder))()
})
