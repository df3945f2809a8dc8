// What sensors see of a job's records: every one of them once, whatever becomes of the jets, as long as they do not die.
import { createAggregate, type ProfileSummary, type SensorProgram } from '@pitot/sensor'
import { describe, expect, test } from 'vitest'
import { harness, modelOf } from './harness.ts'

const program: SensorProgram = { filter: null, aggregate: { type: 'sum' }, maxReads: null }
const record = { type: 'record', name: 'R', fields: [{ name: 'x', type: 'int' }] }
const rest = { Transport: { Type: 'REST' }, Envelope: 'delimited', Encoding: 'json' }

function model(added: number): object {
  return { input: record, output: 'R', action: [{ new: { x: { '+': ['input.x', added] } }, type: 'R' }] }
}

describe('a watched field', () => {
  test('is seen in every jet, through replacements of the model and changes of their number', async () => {
    await using job = harness()
    const watches = [0, 1].map((slot) => job.job.watchField(slot, 'x', program))
    await job.job.attachStream(1, { ...rest, Transport: 'discard' }, {})
    await job.job.attachStream(0, rest, {})
    await job.job.loadModel(modelOf('pfa-json', model(1)), {})
    const queue = job.job.restInput(0)!
    const feed = (from: number, to: number) =>
      queue.accept([Buffer.from(Array.from({ length: to - from }, (_, at) => `{"x":${from + at}}\n`).join(''))])
    const changes = [
      () => job.job.scale(3),
      () => job.job.loadModel(modelOf('pfa-json', model(1)), {}),
      () => job.job.scale(1),
      () => job.job.loadModel(modelOf('pfa-json', model(1)), {}),
    ]
    const sums = watches.map(() => createAggregate(program.aggregate))
    for (const [at, change] of changes.entries()) {
      await feed(at * 1000, (at + 1) * 1000)
      await change()
      for (const partial of await watches[0]!.collect()) sums[0]!.merge(partial)
    }
    queue.end()
    await job.state('FINISHED')
    for (const [index, watch] of watches.entries())
      for (const partial of await watch.collect()) sums[index]!.merge(partial)
    const sum = (3999 * 4000) / 2
    expect(sums.map((each) => each.takeResult())).toEqual([sum, sum + 4000])
  })

  test.each([
    ['pfa-json', model(1)],
    ['python3', 'def action(record):\n    return {"x": record["x"] + 1}\n'],
  ] as const)('has the same profile with one jet and with four, in %s', async (language, document) => {
    const [one, four] = [await profileOf(language, document, 1), await profileOf(language, document, 4)]
    expect(one).toMatchObject({ count: 8000, missing: 0, numbers: 8000, min: 0, max: 996 })
    // Only what is approximate may differ, and no further than the sketch says.
    const { quantiles, mean, deviation, top, top_error, ...exact } = four
    expect(one).toMatchObject(exact)
    expect([mean, deviation]).toEqual([expect.closeTo(one.mean!, 6), expect.closeTo(one.deviation!, 6)])
    for (const [share, value] of Object.entries(quantiles!)) {
      expect(Math.abs(value - one.quantiles![share]!), share).toBeLessThan(0.02 * 997)
    }
    expect([top[0]!.value, one.top[0]!.value]).toEqual([500, 500])
    expect(Math.abs(top[0]!.count - one.top[0]!.count)).toBeLessThanOrEqual(Math.max(top_error, one.top_error))
  })
})

async function profileOf(language: 'pfa-json' | 'python3', document: string | object, jets: number) {
  await using job = harness()
  const aggregate = { type: 'profile', sketch: false, maxRate: 1e9 } as const
  const watch = job.job.watchField(0, 'x', { filter: null, aggregate, maxReads: null })
  await job.job.scale(jets)
  await job.job.attachStream(1, { ...rest, Transport: 'discard' }, {})
  // Small batches, so that there is something for every jet.
  await job.job.attachStream(0, { ...rest, Schema: record, Batching: { Watermark: 100 } }, {})
  await job.job.loadModel(modelOf(language, document), {})
  await expect.poll(() => job.job.report().jets.length, { timeout: 20_000 }).toBe(jets)
  const queue = job.job.restInput(0)!
  for (let from = 0; from < 8000; from += 200) {
    const value = (at: number) => (at % 4 === 0 ? 500 : at % 997)
    await queue.accept([Buffer.from(Array.from({ length: 200 }, (_, at) => `{"x":${value(from + at)}}\n`).join(''))])
  }
  queue.end()
  await job.state('FINISHED')
  const whole = createAggregate(aggregate)
  for (const partial of await watch.collect()) whole.merge(partial)
  const shares = job.job.report().jets.map(({ total_consumed }) => total_consumed)
  expect(shares.filter((records) => records > 0)).toHaveLength(jets)
  return whole.takeResult() as ProfileSummary
}
