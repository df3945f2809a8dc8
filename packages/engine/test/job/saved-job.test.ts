// The job on the disk: what was set is there again, whatever happened in between.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Position } from '@pitot/stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/service-options.ts'
import { SavedJobFolder } from '../../src/job/saved-job.ts'
import type { ModelPackage } from '../../src/model/package.ts'

let root: string
let folder: string
const logged: string[] = []
const opened = () => new SavedJobFolder(folder, (message) => logged.push(message))
beforeEach(() => {
  root = temporaryFolder()
  folder = join(root, 'job')
  logged.length = 0
})

function model(name: string, attachments: Record<string, string> = {}): ModelPackage {
  const kept = Object.entries(attachments).map(([attached, content], index) => {
    const file = join(root, `kept-${name}-${index}`)
    writeFileSync(file, content)
    return { name: attached, type: 'zip', file, size: content.length } as const
  })
  const schemas = new Map<string, unknown>([['s', { type: 'int' }]])
  const source = Buffer.from(`source of ${name} é`)
  return {
    name,
    language: 'python3',
    contentType: 'x/y',
    source,
    attachments: kept,
    schemas,
    dispose: async () => undefined,
  }
}

const mark = (position: Position) => ({ position, records: 5 })
const input = { name: 'demo', descriptor: { Transport: { Type: 'file', Path: 'x' } } }
const output = { descriptor: { Transport: 'discard' } }

describe('what was set is there again', () => {
  test('nothing', async () => {
    expect(await opened().read()).toEqual({ model: undefined, streams: [], scale: 1 })
  })

  test('model, streams, scale and positions', async () => {
    const first = opened()
    await first.read()
    await first.setModel(model('m', { 'a.zip': 'AAA', '../b': 'B' }))
    await first.setStream(0, input)
    await first.setStream(1, output)
    await first.setScale(4)
    first.setPosition(0, mark({ offset: 7 }))
    first.setPosition(0, mark({ offset: 12, nested: { '3': 9 } }))
    await first.close()
    rmSync(join(root, 'kept-m-0'))

    const { model: saved, streams, scale } = await opened().read()
    expect(scale).toBe(4)
    expect(streams).toEqual([
      { slot: 0, ...input, position: mark({ offset: 12, nested: { '3': 9 } }) },
      { slot: 1, name: undefined, ...output, position: undefined },
    ])
    expect(saved).toMatchObject({ name: 'm', language: 'python3', contentType: 'x/y' })
    expect(Buffer.from(saved!.source).toString()).toBe('source of m é')
    expect(saved!.schemas).toEqual(new Map([['s', { type: 'int' }]]))
    expect(saved!.attachments.map(({ name, type, size }) => [name, type, size])).toEqual([
      ['a.zip', 'zip', 3],
      ['../b', 'zip', 1],
    ])
    expect(readFileSync(saved!.attachments[0]!.file, 'utf8')).toBe('AAA')
  })

  test('the last of several, and nothing of those before', async () => {
    const first = opened()
    await first.read()
    await Promise.all([
      first.setModel(model('one')),
      first.setModel(model('two')),
      first.setScale(2),
      first.setScale(3),
    ])
    await first.setModel(model('three'))
    expect(await opened().read()).toMatchObject({ model: { name: 'three' }, scale: 3 })
    expect(readdirSync(folder).filter((name) => name.startsWith('model-'))).toHaveLength(1)
  })

  test('what was taken away is not', async () => {
    const first = opened()
    await first.read()
    await first.setModel(model('m'))
    await first.setStream(0, input)
    await first.setStream(0, undefined)
    await first.setModel(undefined)
    expect(await opened().read()).toEqual({ model: undefined, streams: [], scale: 1 })
    expect(readdirSync(folder)).toEqual(['job.json'])
  })

  test('a job that was forgotten is not', async () => {
    const first = opened()
    await first.read()
    await first.setModel(model('m'))
    await first.setStream(0, input)
    first.setPosition(0, mark({ offset: 1 }))
    await first.clear()
    await first.close()
    expect(await opened().read()).toEqual({ model: undefined, streams: [], scale: 1 })
    await first.setScale(2)
    expect(await opened().read()).toMatchObject({ scale: 2 })
  })
})

describe('positions', () => {
  test('of a stream that was replaced do not count for the next one', async () => {
    const first = opened()
    await first.read()
    await first.setStream(0, input)
    first.setPosition(0, mark({ offset: 1 }))
    await first.close()
    await first.setStream(0, { ...input, name: 'other' })
    expect((await opened().read()).streams).toEqual([{ slot: 0, ...input, name: 'other', position: undefined }])
  })

  test('of a slot that has no stream are passed over', async () => {
    const first = opened()
    await first.read()
    first.setPosition(0, mark({ offset: 1 }))
    await first.close()
    expect(existsSync(join(folder, 'positions.json'))).toBe(false)
  })

  test('are written by themselves, many at once', async () => {
    const first = opened()
    await first.read()
    await first.setStream(0, input)
    await first.setStream(2, input)
    for (let offset = 1; offset <= 10_000; offset++) {
      first.setPosition(0, mark({ offset }))
      first.setPosition(2, mark({ offset: -offset }))
    }
    await expect
      .poll(async () => (await opened().read()).streams.map(({ position }) => position), { timeout: 5000 })
      .toEqual([mark({ offset: 10_000 }), mark({ offset: -10_000 })])
    await first.close()
  })

  test('that cannot be written are a line in the log, not the end', async () => {
    const first = opened()
    await first.read()
    await first.setStream(0, input)
    mkdirSync(join(folder, 'positions.json'))
    first.setPosition(0, mark({ offset: 1 }))
    await first.close()
    expect(logged).toEqual([expect.stringMatching(/^the positions of the job could not be saved: /)])
  })
})

describe('what cannot be read is said', () => {
  test.each([
    ['a damaged file', () => writeFileSync(join(folder, 'job.json'), '{'), /job.json is damaged/],
    ['another format', () => writeFileSync(join(folder, 'job.json'), '{"format":2}'), /another release/],
    ['damaged positions', () => writeFileSync(join(folder, 'positions.json'), 'x'), /positions.json is damaged/],
    ['an attachment that was cut', () => writeFileSync(attachmentFile(), 'A'), /is not 3 bytes long/],
  ])('%s', async (_title, damage, sentence) => {
    const first = opened()
    await first.read()
    await first.setModel(model('m', { a: 'AAA' }))
    damage()
    const second = opened()
    await expect(second.read()).rejects.toThrow(sentence)
    await second.clear()
    expect(await second.read()).toEqual({ model: undefined, streams: [], scale: 1 })
  })

  function attachmentFile(): string {
    const kept = readdirSync(folder).find((name) => name.startsWith('model-'))!
    return join(folder, kept, '1')
  }
})

test('files that a crash left behind are removed', async () => {
  mkdirSync(join(folder, 'model-old'), { recursive: true })
  writeFileSync(join(folder, 'model-old', 'source'), 'x')
  writeFileSync(join(folder, 'job.json.next'), 'half')
  expect(await opened().read()).toMatchObject({ model: undefined })
  expect(existsSync(join(folder, 'model-old'))).toBe(false)
})

test('a process that is killed at any moment leaves a job that can be read', async () => {
  const program = fileURLToPath(new URL('./save-without-end.ts', import.meta.url))
  for (const patience of [30, 80, 150]) {
    const child = spawn(process.execPath, ['--conditions=pitot-source', program, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    await sleep(patience)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const { model: saved, streams, scale } = await opened().read()
    // The program sets the same number everywhere, one after the other.
    const numbers = [Number(saved?.name), Number(streams[0]?.name), scale]
    expect(Math.max(...numbers) - Math.min(...numbers)).toBeLessThanOrEqual(1)
    expect(Buffer.from(saved!.source).toString()).toBe(`source ${saved!.name}`)
  }
})
