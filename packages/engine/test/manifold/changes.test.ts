import { describe, expect, test } from 'vitest'
import { Changes } from '../../src/manifold/changes.ts'

function changesOf() {
  const seen: string[] = []
  const changes = new Changes({
    resume: () => seen.push('resume'),
    fail: (error) => seen.push((error as Error).message),
  })
  return { changes, seen }
}
const tick = () => new Promise(setImmediate)

describe('changes of a job that runs', () => {
  test('are made alone, when the jets have answered, and records go on behind each', async () => {
    const { changes, seen } = changesOf()
    changes.batchBegun()
    changes.batchBegun()
    const made = ['first', 'second'].map((name) =>
      changes.make(async () => {
        await changes.answered()
        seen.push(name)
      }),
    )
    await tick()
    changes.batchAnswered()
    await tick()
    expect([seen, changes.isPaused, changes.batches]).toEqual([[], true, 1])
    changes.batchAnswered()
    await Promise.all([...made, changes.settled()])
    expect([seen, changes.isPaused]).toEqual([['first', 'resume', 'second', 'resume'], false])
  })

  test('one that fails is told, and does not keep the next from being made', async () => {
    const { changes, seen } = changesOf()
    void changes.make(() => Promise.reject(new Error('it broke')))
    await changes.make(async () => void seen.push('next'))
    expect(seen).toEqual(['it broke', 'resume', 'next', 'resume'])
  })

  test('after the stop nobody waits for the jets, and none is made', async () => {
    const { changes, seen } = changesOf()
    changes.batchBegun()
    const made = changes.make(() => changes.answered())
    const late = changes.make(async () => void seen.push('late'))
    await tick()
    changes.stop()
    await Promise.all([changes.settled(), made, late])
    expect(seen).toEqual(['resume'])
  })
})
