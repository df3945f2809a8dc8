import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { debugOutput, harness, modelOf, square } from './harness.ts'

const given = ['1', 'foo', '3', '1.5']
const input = { Transport: { Type: 'debug', Data: given }, Encoding: 'json' }

/** Raises on odd numbers, gives a wrong type for 4. */
const moody = `
# pitot.output: int
def action(x):
    if x % 2: raise ValueError("odd: %d" % x)
    yield "four" if x == 4 else x
`

describe('rejected records', () => {
  test('go to the stream that the descriptor names, with their bytes, reason and position', async () => {
    await using job = harness()
    const path = join(job.folder, 'letters')
    job.stored.streams.letters = { Transport: { Type: 'file', Path: path }, Envelope: 'delimited', Encoding: 'json' }
    await job.job.attachStream(1, debugOutput, {})
    await job.job.attachStream(0, { ...input, OnError: 'dead-letter', DeadLetter: 'letters' }, {})
    await job.job.loadModel(modelOf('pfa-json', square), {})
    await job.state('FINISHED')
    const letters = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(letters.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { slot: 0, step: 'encoding', record: 'foo', bytes: Buffer.from('foo').toString('base64') },
      { slot: 0, step: 'schema', record: '1.5' },
    ])
  })

  test('are refused at once when the stream for them is not there', async () => {
    await using job = harness()
    const stream = { ...input, OnError: 'dead-letter', DeadLetter: 'nowhere' }
    await expect(job.job.attachStream(0, stream, {})).rejects.toThrow(/the stream 'nowhere' .* is not stored/)
    expect(job.job.report().input).toBeNull()
  })

  test('carry the traceback of the model, and outputs of the wrong type their text', async () => {
    await using job = harness()
    await job.job.attachStream(1, debugOutput, {})
    await job.job.attachStream(0, { ...input, Transport: { Type: 'debug', Data: ['2', '3', '4', '6'] } }, {})
    await job.job.loadModel(modelOf('python3', moody), {})
    await job.state('FINISHED')
    expect(job.output()).toEqual(['2', '6'])
    const [raised, wrong] = job.job.rejected({})
    expect(raised).toMatchObject({ slot: 0, step: 'model', reason: expect.stringContaining('odd: 3') })
    expect(raised!.trace).toMatch(/line 4/)
    expect(wrong).toMatchObject({ slot: 1, step: 'schema' })
    expect(Buffer.from(wrong!.bytes).toString()).toBe('"four"')
    expect(job.job.rejected({ slot: 1 })).toHaveLength(1)
    expect(job.job.rejected({ step: 'model' })).toHaveLength(1)
    expect(job.job.rejected({ limit: 1 })).toEqual([wrong])
  })
})
