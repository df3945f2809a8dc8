// What sensors see of a job's records: every one of them once, whatever becomes of the jets, as long as they do not die.
import { createAggregate, type SensorProgram } from '@pitot/sensor'
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
})
