// Starts that fail, and what a jet that has started finds around it.

import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { JetDeath, type JetOptions, startJet } from '../../src/index.ts'
import { base, optionsFor, processesWith, say, start, startEngine } from './jets.ts'

describe.each(['none', 'auto'] as const)('isolation %s', (isolation) => {
  const runner = (more: Partial<JetOptions['runner']>) => ({ isolation, runner: { ...optionsFor().runner, ...more } })

  test.each<[string, string, Partial<JetOptions>, RegExp]>([
    ['a folder that is not there', '', { folder: '/nowhere/at/all' }, /cannot be started: .*ENOENT/],
    [
      'a command that is not there',
      '',
      runner({ command: 'no-such-runner' }),
      /status \d+ while it was starting.*no-such-runner/s,
    ],
    [
      'a runner that ends',
      'broken',
      {},
      /status 1 while it was starting. The last it wrote was: cannot find my library/,
    ],
    ['a runner of another time', 'foreign', {}, /the runner speaks version 9, this engine version 1/],
    ['something that is no runner', '', runner({ command: '/bin/echo', arguments: ['hi'] }), /ended with status 0/],
  ])('%s', async (_, how, more, sentence) => {
    const death = await startJet(optionsFor(how, { isolation, ...more })).catch((error: unknown) => error)
    expect(death).toBeInstanceOf(JetDeath)
    expect(death).toMatchObject({ kind: 'start', message: expect.stringMatching(sentence) })
  })

  test('the environment is clean', async () => {
    process.env.SECRET_OF_THE_ENGINE = 'token'
    const { jet, folder } = await start('', { isolation })
    const environment = JSON.parse(await say(jet, 'environment')) as Record<string, string>
    const { PATH, LANG, HOME, TMPDIR, TZ, RUNNER, PITOT_JET, PWD, OLDPWD, SHLVL, _, ...others } = environment
    expect({ others, HOME, TMPDIR, RUNNER }).toEqual({ others: {}, HOME: folder, TMPDIR: folder, RUNNER: 'yes' })
    expect(PITOT_JET).toMatch(new RegExp(`^[0-9a-f-]{36}\\.${jet.sandbox}$`))
    expect(await say(jet, 'folder')).toBe(folder)
  })

  test('its number is that of the process', async () => {
    const { jet } = await start('', { isolation })
    expect(readFileSync(`/proc/${jet.pid}/cmdline`, 'utf8').split('\0').slice(0, 2)).toEqual([
      process.execPath,
      expect.stringContaining('runner.mjs'),
    ])
    expect(processesWith('runner.mjs')).toContain(jet.pid)
  })

  test('its own folder is writable, what the runner needs is readable', async () => {
    const { jet, folder } = await start('', { isolation })
    expect(await say(jet, `write ${folder}/mine`)).toBe('')
    expect(readFileSync(join(folder, 'mine'), 'utf8')).toBe('x\n')
    expect(await say(jet, `read ${import.meta.dirname}/runners/runner.mjs`)).toMatch(/^\d+$/)
    expect(await say(jet, 'read /usr/bin/env')).toMatch(/^\d+$/)
  })

  test('no core files, first to go', async () => {
    const { jet } = await start('', { isolation })
    expect(await say(jet, 'run ulimit -c; cat /proc/self/oom_score_adj')).toBe('0\n500')
  })

  test('arguments are filled in', async () => {
    const { runner } = optionsFor()
    const options = { isolation, runner: { ...runner, arguments: [...runner.arguments, '{folder}/x', '{megabytes}'] } }
    const { jet, folder } = await start('', options)
    const [folderArgument, memory] = readFileSync(`/proc/${jet.pid}/cmdline`, 'utf8').split('\0').slice(-3)
    expect([folderArgument, memory]).toEqual([`${folder}/x`, '512'])
  })
})

describe('bubblewrap keeps a model', () => {
  const secret = join(base, 'secret')
  writeFileSync(secret, 'of another jet')
  mkdirSync(join(base, 'other'))

  test.each<[string, string, RegExp]>([
    ['from the files of others', `read ${secret}`, /^refused: ENOENT/],
    ['from the rest of the system', 'read /etc/shadow', /^refused: ENOENT/],
    ['from homes', 'run ls /home /root', /^refused: /],
    ['from writing beside its folder', `write ${join(base, 'other', 'x')}`, /^refused: /],
    ['from writing to the system', 'write /usr/lib/x', /^refused: .*Read-only/],
    ['from the runner', `write ${join(import.meta.dirname, 'runners', 'x')}`, /^refused: .*Read-only/],
    ['from other processes', 'run ls /proc | grep -c "^[0-9]"', /^\d$/],
    ['from privileges', 'run grep CapEff /proc/self/status', /CapEff:\s+0{16}$/],
  ])('%s', async (_, deed, expected) => {
    const { jet } = await start('', { isolation: 'auto' })
    expect(await say(jet, deed)).toMatch(expected)
  })

  test('its temporary files are its own', async () => {
    const { jet } = await start('', { isolation: 'auto' })
    expect(await say(jet, 'run echo x > /tmp/from-a-jet; ls /tmp')).toContain('from-a-jet')
    expect(() => readFileSync('/tmp/from-a-jet')).toThrow(/ENOENT/)
  })

  test.each([
    [false, /^refused: E/],
    [true, /^connected$/],
  ])('network %s', async (network, expected) => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { jet } = await start('', { isolation: 'auto', network })
    const { port } = server.address() as { port: number }
    expect(await say(jet, `connect ${port}`)).toMatch(expected)
    await new Promise((resolve) => server.close(resolve))
  })
})

test('what is in force is said', async () => {
  const [none, auto, network] = await Promise.all([
    start('', { isolation: 'none' }),
    start('', { isolation: 'auto' }),
    start('', { isolation: 'auto', network: true }),
  ])
  const own = ['own process group', 'clean environment', 'at most 512 MiB of memory']
  const wrapped = ['bubblewrap: own processes, users and mounts', 'read-only system', 'only its own folder writable']
  expect(none.jet.isolation).toEqual([...own, 'nothing at all'])
  expect(auto.jet.isolation).toEqual([...own, ...wrapped, 'no network', 'nothing at all'])
  expect(network.jet.isolation).toEqual([...own, ...wrapped, 'nothing at all'])
})

describe('where bubblewrap cannot be used, jets run without it, and say so', () => {
  const broken = join(base, 'broken')
  mkdirSync(broken)
  writeFileSync(join(broken, 'bwrap'), '#!/bin/sh\necho bwrap: Operation not permitted >&2\nexit 1\n', { mode: 0o755 })

  test.each([
    ['not installed', '/nowhere', 'it is not installed (the package is called bubblewrap)'],
    ['not allowed', broken, 'bwrap: Operation not permitted'],
  ])('%s', async (_, path, reason) => {
    const { engine, isolation, logged } = await startEngine('auto', '1', path)
    expect(isolation).toEqual(['own process group', 'clean environment', 'at most 512 MiB of memory'])
    expect(logged).toEqual([`warn: jets run without bubblewrap: ${reason}`])
    engine.kill('SIGKILL')
    await once(engine, 'exit')
  })
})
