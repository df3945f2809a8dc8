// Whole jets with real processes: what they answer, how they die, and what they can reach.
import { describe, expect, test } from 'vitest'
import { NO_FRAME } from '../../src/index.ts'
import { batchOf, start, textsOf } from './jets.ts'

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
  const go = (how = '', more = {}) => start(how, { isolation, ...more })

  test('a whole life', async () => {
    const { jet } = await go()
    expect(await jet.load(load)).toEqual({ slots: load.slots, snapshots: 'none', warnings: ['a warning'] })
    await jet.attach({ slot: 0, stream })
    await jet.attach({ slot: 1, stream })
    expect((await jet.begin()).outputs).toEqual([
      { slot: 1, frames: expect.anything(), indexes: Uint32Array.of(NO_FRAME) },
    ])
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
    await expect(jet.score(batchOf('late'))).rejects.toThrow(/was asked to/)
  })
})
