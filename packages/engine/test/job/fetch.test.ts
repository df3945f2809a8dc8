import { RestOutput, type Taken } from '@pitot/stream'
import { describe, expect, test, vi } from 'vitest'
import { type FetchOptions, fetchOutput } from '../../src/job/fetch.ts'
import type { Job } from '../../src/job/job.ts'
import { type Harness, harness, modelOf, square } from './harness.ts'

const lines = { Transport: { Type: 'REST' }, Envelope: 'delimited', Encoding: 'json' }
const pig = '{"$pitot":"pig"}\n'
/** More than the job reads while nothing is scored. */
const much = 1024
const ones = `${'1'.padEnd(1023)}\n`.repeat(much)

const patience = { timeout: 25_000 }
const shown = (taken: Taken) => (taken.kind === 'data' ? Buffer.from(taken.bytes).toString() : taken.kind)
const fetch = async (job: Job, options: Partial<FetchOptions> = {}) =>
  shown(await fetchOutput(job, 1, job.restOutput(1)!, { wait: 3_600_000, singly: true, ...options }))
const send = (job: Job, text: string) => job.restInput(0)!.accept([Buffer.from(text)])

/** A job with a score to fetch, without jets, and with more accepted than it reads by itself. */
async function stuck(test: Harness): Promise<Job> {
  const { job } = test
  await job.attachStream(1, lines, {})
  await job.attachStream(0, lines, {})
  await job.loadModel(modelOf('pfa-json', square), {})
  await send(job, '2\n')
  await vi.waitFor(() => expect(job.report().output?.total_records).toBe(1), patience)
  await job.scale(0)
  await vi.waitFor(() => expect(job.report().jets).toEqual([]), patience)
  await send(job, ones)
  return job
}

describe('what one request fetches', () => {
  test('reaches up to a pig that was accepted and is not read yet', async () => {
    await using each = harness()
    const job = await stuck(each)
    await send(job, `3\n${pig}`)
    void job.scale(1)
    expect(await fetch(job)).toBe(`4\n${'1\n'.repeat(much)}9\n${pig}`)
  })

  test('is what is there, where no pig is behind it, however much is not read', async () => {
    await using each = harness()
    const job = await stuck(each)
    await send(job, '3\n')
    void job.scale(1)
    expect(await fetch(job)).toBe('4\n')
  })

  test('is what is there, where the job has no jets', async () => {
    await using each = harness()
    const job = await stuck(each)
    await send(job, pig)
    expect(await fetch(job)).toBe('4\n')
    expect(await fetch(job, { wait: 1, pigWait: 3_600_000 })).toBe('nothing')
  })

  test('is all there is, where what looked like a pig is none', async () => {
    await using each = harness()
    const job = await stuck(each)
    await send(job, '{"$pitot":"pig","more":1}\n')
    void job.scale(1)
    expect(await fetch(job)).toMatch(/^4\n/)
    await vi.waitFor(() => expect(each.rejected()).toEqual([['schema', '{"$pitot":"pig","more":1}']]), patience)
    expect(job.backlog()).toBeUndefined()
  })

  test('does not wait for an input that the model does not read', async () => {
    await using each = harness()
    const { job } = each
    await job.attachStream(1, lines, {})
    await job.attachStream(0, lines, {})
    await job.attachStream(2, lines, {})
    const model = '// pitot.slot.2: unused\nexport const action = (x) => x * x\n'
    await job.loadModel(modelOf('javascript', model), {})
    await job.restInput(2)!.accept([Buffer.from(pig)])
    await send(job, '2\n')
    expect(await fetch(job)).toBe('4\n')
  })

  test('reaches up to a pig that comes out of the stream that takes the place of the one it came to', async () => {
    const [old, next] = [new RestOutput('chunked'), new RestOutput('chunked')]
    let output = old
    const taking = fetchOutput({ restOutput: () => output, backlog: () => undefined }, 1, old, {
      wait: 1,
      singly: true,
    })
    old.pigEntered()
    await old.write(framesOf('4\n'))
    output = next
    next.pigEntered()
    await old.close()
    await next.write(framesOf('9\n'))
    await next.write(framesOf(pig))
    next.pigLeft()
    expect(shown(await taking)).toBe(`4\n9\n${pig}`)
  })
})

function framesOf(text: string) {
  const bytes = new TextEncoder().encode(text)
  return { bytes, bounds: [0, bytes.length], position: 0 }
}
