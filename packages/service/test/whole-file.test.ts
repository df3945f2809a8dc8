import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readWhole, writeWhole } from '../src/whole-file.ts'

test('what is written is read, and nothing else is left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pitot-whole-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'deep', 'text')
  expect(await readWhole(file)).toBeUndefined()
  for (const text of ['one', '', 'three\n']) {
    await writeWhole(file, text)
    expect(await readWhole(file)).toBe(text)
  }
  expect(await readdir(join(folder, 'deep'))).toEqual(['text'])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await expect(readWhole(folder)).rejects.toThrow('EISDIR')
})
