import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SavedJob } from '../../src/job/saved-job.ts'
import { modelOf } from './harness.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitot-saved-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const stream = { slot: 0, name: 'numbers', descriptor: { Transport: 'REST' } }
const mark = { position: { offset: 12 }, frames: 3 }

describe('a saved job', () => {
  test('is not there before anything was saved, nor after it was forgotten', async () => {
    const saved = new SavedJob(join(folder, 'job'))
    expect(await saved.restore()).toBeUndefined()
    await saved.scale(3)
    await saved.forget()
    expect(await new SavedJob(join(folder, 'job')).restore()).toBeUndefined()
  })

  test('comes back whole', async () => {
    const saved = new SavedJob(join(folder, 'job'))
    const file = join(folder, 'library.zip')
    writeFileSync(file, 'bytes')
    const attachment = { name: 'library.zip', type: 'zip', file, size: 5 } as const
    await saved.stream(stream)
    await saved.scale(3)
    await saved.model({
      ...modelOf('python3', 'x = 1', 'm'),
      attachments: [attachment],
      schemas: new Map([['a', 'int']]),
    })
    await saved.position(0, mark)
    rmSync(file)
    const restored = await new SavedJob(join(folder, 'job')).restore()
    expect(restored).toMatchObject({ scale: 3, streams: [stream], read: { 0: mark } })
    expect(restored!.model).toMatchObject({ name: 'm', language: 'python3', schemas: new Map([['a', 'int']]) })
    expect(Buffer.from(restored!.model!.source).toString()).toBe('x = 1')
    expect(restored!.model!.attachments).toMatchObject([{ name: 'library.zip', type: 'zip', size: 5 }])
  })

  test('forgets how far a stream was read when another takes its place', async () => {
    const saved = new SavedJob(join(folder, 'job'))
    await saved.stream(stream)
    await saved.position(0, mark)
    await saved.stream({ ...stream, name: 'others' })
    const restored = await new SavedJob(join(folder, 'job')).restore()
    expect(restored).toMatchObject({ streams: [{ name: 'others' }], read: {} })
  })
})
