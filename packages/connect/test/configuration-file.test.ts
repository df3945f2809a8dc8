import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigurationFile } from '../src/configuration-file.ts'
import { temporaryFolder } from './surroundings.ts'

const first = 'pitot:\n  fleet: [] # the first\n'
const second = 'pitot:\n  fleet: [] # the second\n'

describe('the configuration file', () => {
  test('a folder without one gives no configuration, and stays as it is', async () => {
    const folder = join(await temporaryFolder(), 'connect')
    expect(await new ConfigurationFile(folder).read()).toBeUndefined()
    await expect(readdir(folder)).rejects.toThrow('ENOENT')
  })

  test('what is written is read by the next one, to the letter', async () => {
    const folder = join(await temporaryFolder(), 'deep', 'connect')
    const text = '# Grüße\r\npitot: { fleet: [{ api: engine, host: a, port: "1" }] }'
    await new ConfigurationFile(folder).write(text)
    const kept = await new ConfigurationFile(folder).read()
    expect(kept?.text).toBe(text)
    expect(kept?.fleet).toEqual([{ api: 'engine', host: 'a', port: 1, name: 'engine-1' }])
  })

  test('the last one written wins', async () => {
    const file = new ConfigurationFile(await temporaryFolder())
    await file.write(first)
    await file.write(second)
    expect((await file.read())?.text).toBe(second)
  })

  test('it holds passwords, so only its owner may read it', async () => {
    const folder = await temporaryFolder()
    await new ConfigurationFile(folder).write(first)
    expect((await stat(join(folder, 'configuration.yaml'))).mode & 0o777).toBe(0o600)
  })

  test('a half-written new one, as a crash leaves it, does not touch the old one', async () => {
    const folder = await temporaryFolder()
    await new ConfigurationFile(folder).write(first)
    await writeFile(join(folder, 'configuration.yaml.new'), second.slice(0, 9))
    const file = new ConfigurationFile(folder)
    expect((await file.read())?.text).toBe(first)
    await file.write(second)
    expect((await file.read())?.text).toBe(second)
    expect(await readdir(folder)).toEqual(['configuration.yaml'])
  })

  test('a reader never sees a part of it while it is replaced', async () => {
    const folder = await temporaryFolder()
    const file = new ConfigurationFile(folder)
    const long = `${second}${'# more\n'.repeat(50_000)}`
    await file.write(first)
    let done = false
    const writing = (async () => {
      for (let round = 0; round < 20; round++) await file.write(round % 2 === 0 ? long : first)
      done = true
    })()
    const seen = new Set<string>()
    while (!done) seen.add(await readFile(join(folder, 'configuration.yaml'), 'utf8'))
    await writing
    for (const text of seen) expect([first.length, long.length]).toContain(text.length)
  })

  test('a write that fails leaves the old one', async () => {
    const folder = await temporaryFolder()
    const file = new ConfigurationFile(folder)
    await file.write(first)
    await mkdir(join(folder, 'configuration.yaml.new'))
    await expect(file.write(second)).rejects.toThrow('EISDIR')
    expect((await file.read())?.text).toBe(first)
  })

  test('a damaged one is refused with its path and the line', async () => {
    const folder = await temporaryFolder()
    const path = join(folder, 'configuration.yaml')
    await writeFile(path, 'pitot:\n  flet: []\n')
    await expect(new ConfigurationFile(folder).read()).rejects.toThrow(
      `the configuration ${path} is not right: line 2: pitot has no key 'flet'; did you mean 'fleet'?`,
    )
  })
})
