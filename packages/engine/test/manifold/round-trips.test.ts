// Requests that are scored together: each gets what came of its own frames, and nothing else.
import { countFrames, type Frames } from '@pitot/codec'
import type { Emissions } from '@pitot/jet'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { RoundTrips } from '../../src/manifold/round-trips.ts'
import { pieceOf, recordsOf } from './pieces.ts'

const slots = { input: 0, output: 1 }
const seconds = { decode: 0, checkInput: 0, model: 0, checkOutput: 0, encode: 0 }

/** What a model makes of frames that emits each record as often as its first letter says: `2b` twice, `0a` is rejected. */
function score(frames: Frames): Emissions {
  const emitted: string[] = []
  const indexes: number[] = []
  const rejects: Emissions['rejects'][number][] = []
  for (const [index, record] of recordsOf({ frames }).entries()) {
    const times = Number(record[0])
    if (times === 0) rejects.push({ index, step: 'model', reason: record })
    for (let time = 0; time < times; time++) {
      emitted.push(record)
      indexes.push(index)
    }
  }
  const outputs = [{ slot: 1, frames: pieceOf(emitted).frames, indexes }]
  return { consumed: countFrames(frames), seconds, outputs: emitted.length === 0 ? [] : outputs, rejects }
}

describe('round trips', () => {
  test('that arrive together are scored together', async () => {
    const wake = vi.fn()
    const trips = new RoundTrips(wake)
    const asked = [['1a'], ['1b', '1c'], ['1d']].map((records) => trips.request(pieceOf(records).frames, slots))
    expect(wake).not.toHaveBeenCalled()
    await new Promise((resolve) => setImmediate(resolve))
    expect(wake).toHaveBeenCalledTimes(1)
    const { batch, deliver } = trips.take()
    expect(recordsOf(batch)).toEqual(['1a', '1b', '1c', '1d'])
    expect(trips.hasBatch).toBe(false)
    deliver(score(batch.frames))
    const given = (await Promise.all(asked)).map((trip) => recordsOf(trip))
    expect(given).toEqual([['1a'], ['1b', '1c'], ['1d']])
  })

  test('get what came of their own records, whatever others sent', async () => {
    const record = fc.stringMatching(/^[0-3][a-z]{1,3}$/)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(record, { minLength: 1, maxLength: 4 }), { minLength: 1 }),
        async (requests) => {
          const trips = new RoundTrips(() => undefined)
          const asked = requests.map((records) => trips.request(pieceOf(records).frames, slots))
          while (trips.hasBatch) {
            const { batch, deliver } = trips.take()
            deliver(score(batch.frames))
          }
          for (const [at, trip] of (await Promise.all(asked)).entries()) {
            const alone = score(pieceOf(requests[at]!).frames)
            expect(recordsOf(trip)).toEqual(alone.outputs.flatMap((output) => recordsOf(output)))
            expect(trip.rejects).toEqual(alone.rejects)
          }
        },
      ),
    )
  })

  test('for another output than the model has given to come back empty', async () => {
    const trips = new RoundTrips(() => undefined)
    const asked = trips.request(pieceOf(['1a']).frames, { input: 0, output: 3 })
    const { batch, deliver } = trips.take()
    deliver(score(batch.frames))
    expect(recordsOf(await asked)).toEqual([])
  })

  test('are refused once nobody will be scored any more', async () => {
    const trips = new RoundTrips(() => undefined)
    const waiting = trips.request(pieceOf(['1a']).frames, slots)
    trips.stop(new Error('the job was deleted'))
    await expect(waiting).rejects.toThrow('the job was deleted')
    await expect(trips.request(pieceOf(['1b']).frames, slots)).rejects.toThrow('the job was deleted')
  })
})
