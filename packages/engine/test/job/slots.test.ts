import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { debugInput, harness, modelOf } from './harness.ts'

const model = `
# pitot.schema.0: int
# pitot.schema.2: string
# pitot.action.2: name
# pitot.slot.3: in-use
from pitot import emit

def action(x, slot, number):
    yield {"x": x, "slot": slot, "number": number}

def name(text):
    emit(text.upper(), 3)
`

describe('a model with several slots', () => {
  test('takes from two inputs and writes to two outputs', async () => {
    await using job = harness()
    const file = (name: string) => ({
      Transport: { Type: 'file', Path: join(job.folder, name) },
      Envelope: 'delimited',
      Encoding: 'json',
    })
    await job.job.loadModel(modelOf('python3', model), {})
    await job.job.attachStream(0, debugInput([5, 6]), {})
    await job.job.attachStream(1, file('scores'), {})
    await job.job.attachStream(2, debugInput(['a', 'b', 'c']), {})
    expect(job.job.report()).toMatchObject({ state: 'INIT', reason: 'a stream is missing for slot 3' })
    await job.job.attachStream(3, file('names'), {})
    await job.state('FINISHED')
    const lines = (name: string) =>
      readFileSync(join(job.folder, name), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    expect(lines('scores')).toEqual([
      { x: 5, slot: 0, number: 1 },
      { x: 6, slot: 0, number: 2 },
    ])
    expect(lines('names')).toEqual(['A', 'B', 'C'])
    const { slots } = job.job.report()
    expect(slots.map(({ slot, stream }) => [slot, stream?.total_records])).toEqual([
      [0, 2],
      [1, 2],
      [2, 3],
      [3, 3],
    ])
  })
})
