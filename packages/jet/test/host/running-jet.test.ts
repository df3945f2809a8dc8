// Whole jets with real processes, with and without bubblewrap: what they answer, how they stop, and how they die.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  JetDeath,
  type JetDeathCause,
  type JetOptions,
  ModelFailure,
  NO_FRAME,
  SharedStateTable,
} from '../../src/index.ts'
import { batchOf, optionsFor, say, start, textsOf, until } from './jets.ts'

const load = {
  language: 'test',
  name: 'good',
  file: 'model',
  sandbox: '1',
  timeout: 1,
  slots: [{ slot: 0, recordsets: false, action: 'action' }],
  attached: [],
}
const stream = { encoding: 'json', options: {}, schema: null, room: 0 }

describe.each(['none', 'auto'] as const)('isolation %s', (isolation) => {
  const go = (how = '', more: Partial<JetOptions> = {}) => start(how, { isolation, ...more })

  test('a whole life', async () => {
    const { jet } = await go()
    expect(await jet.load(load)).toEqual({ slots: load.slots, snapshots: 'none', warnings: ['a warning'] })
    await jet.attach({ slot: 0, stream })
    await jet.attach({ slot: 1, stream })
    const begun = await jet.begin()
    expect(begun.outputs).toEqual([{ slot: 1, frames: expect.anything(), indexes: Uint32Array.of(NO_FRAME) }])
    const emissions = await jet.score(batchOf('one', 'reject because', '', 'two'))
    expect(textsOf(emissions)).toEqual(['one', 'two'])
    expect(emissions.outputs[0]?.indexes).toEqual(Uint32Array.of(0, 3))
    expect(emissions.rejects).toEqual([{ index: 1, step: 'model', reason: 'because', trace: 'line 1' }])
    expect(await jet.snapshot()).toEqual({ cells: { own: 1 }, pools: {} })
    expect((await jet.end()).rejects).toEqual([{ index: NO_FRAME, step: 'model', reason: 'no end' }])
    await jet.stop()
    await jet.stop()
    await jet.kill()
    expect(await jet.gone).toBeUndefined()
    await expect(jet.score(batchOf('late'))).rejects.toThrow(/was asked to stop/)
  })

  test('calls are answered in their order, without waiting for each other', async () => {
    const { jet } = await go()
    const calls = [jet.load(load), jet.begin(), jet.score(batchOf('a')), jet.score(batchOf('b', 'c')), jet.end()]
    const answers = await Promise.all(calls)
    expect(answers.map((answer) => ('outputs' in answer ? textsOf(answer) : 'loaded'))).toEqual([
      'loaded',
      ['begun'],
      ['a'],
      ['b', 'c'],
      [],
    ])
  })

  test('a batch of megabytes', async () => {
    const { jet } = await go()
    const texts = Array.from({ length: 20 }, (_, index) => `${index}-${'x'.repeat(300_000)}`)
    expect(textsOf(await jet.score(batchOf(...texts)))).toEqual(texts)
  })

  test('a model that is none, and a stream that does not fit: the jet goes on', async () => {
    const { jet } = await go()
    const failure = await jet.load({ ...load, name: 'bad' }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ModelFailure)
    expect(failure).toMatchObject({ message: 'there is no action', trace: 'line 7' })
    await expect(jet.attach({ slot: 0, stream: { ...stream, encoding: 'bad' } })).rejects.toThrow('cannot take bad')
    expect(await say(jet, 'still here')).toBe('still here')
  })

  test.each<[string, JetDeathCause, RegExp]>([
    ['exit 3', 'exit', /jet \d+ \(test\) ended with status 3 while it was scoring 2 frames$/],
    ['exit 0', 'exit', /ended with status 0/],
    ['complain my model is broken', 'exit', /status 9 while .*\. The last it wrote was: my model is broken$/],
    ['signal SIGSEGV', 'signal', /was ended by SIGSEGV while it was scoring/],
    ['signal SIGKILL', 'signal', /was ended by SIGKILL/],
    ['garbage', 'garbage', /did not follow the protocol \(a message of \d+ bytes is announced: the limit/],
    ['long', 'garbage', /did not follow the protocol \(a message of 4294967280 bytes is announced/],
    ['half', 'exit', /ended with status 0/],
    ['mute', 'garbage', /closed its channel to the engine/],
    ['unasked', 'garbage', /did not follow the protocol \(sent attached while it was scoring 2 frames, not scored\)/],
    ['strange', 'garbage', /answered for frame 77 of a batch of 2/],
    ['abort FATAL: out of memory', 'memory', /was ended by SIGABRT while .* FATAL: out of memory$/],
    ['hang', 'hang', /gave no sign of life for 1 seconds while it was scoring 2 frames/],
    ['pester', 'hang', /gave no sign of life for 1 seconds/],
    ['allocate', 'memory', /used \d+ MiB of memory \(it may have 200\) while it was scoring/],
  ])('death by %s', async (deed, kind, sentence) => {
    const state = new SharedStateTable()
    const { jet } = await go('', { timeout: kind === 'hang' ? 1 : 20, memory: 200 * 2 ** 20, state })
    await state.ask(jet.sandbox, { do: 'lock', cell: 'held' })
    const calls = await Promise.allSettled([jet.score(batchOf('before', deed)), jet.score(batchOf('next'))])
    const death = await jet.gone
    expect(death).toBeInstanceOf(JetDeath)
    expect(death).toMatchObject({ kind, message: expect.stringMatching(sentence) })
    // Every call has the one death.
    expect(calls.map((call) => call.status === 'rejected' && call.reason === death)).toEqual([true, true])
    await expect(jet.score(batchOf('late'))).rejects.toBe(death)
    await expect(jet.snapshot()).rejects.toBe(death)
    expect(await state.ask('other', { do: 'lock', cell: 'held' })).toEqual({})
    await Promise.all([jet.stop(), jet.kill()])
    expect(jet.usage().memory).toBe(0)
  })

  test('memory of all its processes counts', async () => {
    const { jet } = await go('', { memory: 200 * 2 ** 20 })
    const child = `${process.execPath} -e "const b = []; setInterval(() => b.push(Buffer.alloc(2 ** 24, 1)), 5)"`
    await expect(say(jet, `run ${child}`)).rejects.toThrow(/used \d+ MiB of memory \(it may have 200\)/)
  })

  test('memory that processes share counts once', async () => {
    const { jet } = await go('', { memory: 300 * 2 ** 20 })
    await say(jet, 'run for i in $(seq 300); do sleep 60 > /dev/null 2>&1 & done; echo started')
    expect(await until(() => jet.usage().memory > 300 * 2 ** 20)).toBe(true)
    expect(await say(jet, 'sleep 1000')).toBe('slept')
  })

  test('processes that have left it are counted', async () => {
    const { jet } = await go('', { memory: 2 ** 31 })
    const crowd = 'for i in $(seq 510); do sleep 60 > /dev/null 2>&1 & done; echo started'
    expect(await say(jet, `run ${crowd}`)).toBe('started')
    expect(await jet.gone).toMatchObject({ message: expect.stringMatching(/had \d+ processes \(it may have 500\)$/) })
  })

  test('a death while idle', async () => {
    const { jet } = await go()
    process.kill(jet.pid, 'SIGKILL')
    expect(await jet.gone).toMatchObject({ kind: 'signal', message: `jet ${jet.sandbox} (test) was ended by SIGKILL` })
  })

  test('whoever makes progress may take long', async () => {
    const { jet } = await go('', { timeout: 1 })
    const emissions = await jet.score(batchOf(...Array.from({ length: 6 }, () => 'sleep 400')))
    expect(textsOf(emissions)).toHaveLength(6)
  })

  test('what is asked before a stop is done, then the process ends', async () => {
    const { jet } = await go()
    const score = jet.score(batchOf('sleep 300', 'last'))
    const stop = jet.stop()
    expect(textsOf(await score)).toEqual(['slept', 'last'])
    await stop
    expect(await jet.gone).toBeUndefined()
  })

  test('a jet that does not stop is killed', async () => {
    const { jet } = await go('stubborn')
    await jet.stop()
    expect(await jet.gone).toBeUndefined()
  })

  test('a death during a stop is one', async () => {
    const { jet } = await go()
    const score = jet.score(batchOf('sleep 200', 'exit 5'))
    const stop = jet.stop()
    await expect(score).rejects.toThrow(/ended with status 5/)
    await stop
    expect(await jet.gone).toMatchObject({ kind: 'exit' })
  })

  test('a kill ends everything at once', async () => {
    const { jet } = await go()
    const score = jet.score(batchOf('hang'))
    await Promise.all([jet.kill(), expect(score).rejects.toThrow(/was asked to end while it was scoring 1 frame$/)])
    expect(await jet.gone).toBeUndefined()
  })

  test('usage', async () => {
    const { jet } = await go()
    const before = jet.usage()
    expect(before.memory).toBeGreaterThan(10 * 2 ** 20)
    await say(jet, 'run i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo')
    const after = jet.usage()
    expect(after.user).toBeGreaterThan(before.user)
    expect(after.kernel).toBeGreaterThanOrEqual(before.kernel)
  })

  test('shared state', async () => {
    const state = new SharedStateTable()
    const [one, two] = await Promise.all([go('', { state, timeout: 1 }), go('', { state, timeout: 1 })])
    expect(await say(one.jet, 'ask {"do":"lock","cell":"x"}')).toBe('{}')
    const waits = say(two.jet, 'ask {"do":"lock","cell":"x"}')
    // Waiting is no hanging.
    await sleep(1500)
    expect(state.waiting()).toMatchObject([{ holder: two.jet.sandbox, heldBy: one.jet.sandbox }])
    expect(await say(one.jet, 'ask {"do":"release","cell":"x","value":[1]}')).toBe('{}')
    expect(await waits).toBe('{"value":[1]}')
    expect(await say(one.jet, 'ask {"do":"release","cell":"x"}')).toMatch(/failed/)
    await two.jet.kill()
    expect(await say(one.jet, 'ask {"do":"lock","cell":"x"}')).toBe('{"value":[1]}')
  })
})

test('a jet is not to blame for an engine that was busy', async () => {
  const { jet } = await start('', { timeout: 1 })
  const score = jet.score(batchOf('sleep 300'))
  await sleep(100)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
  expect(textsOf(await score)).toEqual(['slept'])
})

test('a new output is for what is scored after it', async () => {
  const { jet } = await start('json')
  await jet.load({ ...load, slots: [0, 1].map((slot) => ({ slot, recordsets: false, action: null })) })
  await jet.attach({ slot: 0, stream })
  await jet.attach({ slot: 1, stream })
  const [before, , after] = await Promise.all([
    jet.score(batchOf('"a"')),
    jet.attach({ slot: 1, stream: { ...stream, encoding: 'avro-binary', schema: 'string' } }),
    jet.score(batchOf('"b"')),
  ])
  expect([textsOf(before), textsOf(after)]).toEqual([['"a"'], ['\u0002b']])
})

test('a new input is for what is sent after it, and a stream that does not fit changes nothing', async () => {
  const { jet } = await start('json')
  await jet.load({ ...load, slots: [0, 1].map((slot) => ({ slot, recordsets: false, action: null })) })
  for (const slot of [0, 1]) await jet.attach({ slot, stream })
  const [before, , after] = await Promise.all([
    jet.score(batchOf('"a"')),
    jet.attach({ slot: 0, stream: { ...stream, encoding: 'avro-binary', schema: 'string' } }),
    jet.score(batchOf('\u0002b')),
  ])
  expect([textsOf(before), textsOf(after)]).toEqual([['"a"'], ['"b"']])
  for (const slot of [0, 1]) {
    const refused = jet.attach({ slot, stream: { ...stream, encoding: 'csv', schema: 'int' } })
    await expect(refused).rejects.toThrow(ModelFailure)
  }
  expect(textsOf(await jet.score(batchOf('\u0002c')))).toEqual(['"c"'])
})

test('without a place for an emission, and in memory that overlaps the next batch', async () => {
  const { jet } = await start()
  const batch = batchOf('abc')
  const shared = { ...batch, frames: { ...batch.frames, bounds: [0, 3, 0, 2, 1, 1, 1, 3] } }
  expect(textsOf(await jet.score(shared))).toEqual(['abc', 'ab', 'bc'])
  expect(await jet.score({ ...batch, frames: { ...batch.frames, bounds: [] } })).toMatchObject({
    outputs: [],
    consumed: 0,
  })
})

test('jets that are gone leave nothing open', async () => {
  // What is made once for all jets, such as the guardian, is there before the count.
  await (await start()).jet.stop()
  const open = () => ({
    files: readdirSync('/proc/self/fd').length,
    resources: process.getActiveResourcesInfo().filter((name) => !['Immediate', 'Timeout'].includes(name)).length,
    children: readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').length,
  })
  const before = open()
  for (const deed of ['exit 1', 'garbage', 'print bye', 'mute']) {
    const { jet } = await start()
    await say(jet, deed).catch(() => undefined)
    await jet.stop()
  }
  expect(open()).toEqual(before)
})

test('whoever has the number of a jet that is gone is not harmed', async ({ skip }) => {
  const namespace = ['--user', '--map-root-user', '--pid', '--fork', '--mount-proc']
  const script = join(import.meta.dirname, 'successor.ts')
  const unshare = promisify(execFile)('unshare', [
    ...namespace,
    ...[process.execPath, '--conditions=pitot-source', script, JSON.stringify(optionsFor())],
  ])
  const { stdout } = await unshare.catch((error: Error & { stderr?: string }) => {
    if (/unshare/.test(error.stderr ?? error.message)) return skip('no namespaces here, or no unshare to make them')
    throw error
  })
  expect(JSON.parse(stdout)).toEqual({ isSuccessor: true, isAlive: true, memory: 0 })
})
