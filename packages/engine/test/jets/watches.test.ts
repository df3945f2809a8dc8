import type { SensorProgram } from '@pitot/sensor'
import { describe, expect, test } from 'vitest'
import { JetWatches } from '../../src/jets/watches.ts'
import { ScriptedJet } from './scripted-jet.ts'

const program: SensorProgram = { filter: null, aggregate: { type: 'count' }, maxReads: null }

describe('what sensors watch', () => {
  test('is told to the jets there are and to those that come, and so is its end', () => {
    const watches = new JetWatches()
    const [early, late] = [new ScriptedJet(), new ScriptedJet()]
    watches.join(early)
    const first = watches.watch(0, 'a', program)
    watches.join(late)
    watches.watch(1, 'b.c', program)
    first.stop()
    const told = [
      { watch: 1, slot: 0, path: 'a', program },
      { watch: 2, slot: 1, path: 'b.c', program },
      { watch: 1, slot: 0, path: 'a', program: null },
    ]
    expect(early.watched).toEqual(told)
    expect(late.watched).toEqual(told)
  })

  test('is collected from all jets, and from those that left before', async () => {
    const watches = new JetWatches()
    const jets = [new ScriptedJet(), new ScriptedJet(), new ScriptedJet()]
    for (const jet of jets) watches.join(jet)
    const watch = watches.watch(0, 'a', program)
    await watches.leave(jets[1]!)
    expect((await watch.collect()).toSorted()).toEqual(jets.map(({ sandbox }) => sandbox).toSorted())
    expect((await watch.collect()).toSorted()).toEqual([jets[0]!, jets[2]!].map(({ sandbox }) => sandbox).toSorted())
  })

  test('is lost with a jet that dies', async () => {
    const watches = new JetWatches()
    const [well, dead] = [new ScriptedJet(), new ScriptedJet()]
    for (const jet of [well, dead]) watches.join(jet)
    const watch = watches.watch(0, 'a', program)
    dead.die()
    expect(await watch.collect()).toEqual([well.sandbox])
    await watches.leave(dead)
    expect(await watch.collect()).toEqual([well.sandbox])
  })

  test('is asked of a jet that does not answer once, and reported when it does', async () => {
    const watches = new JetWatches()
    const [quick, busy] = [new ScriptedJet(), new ScriptedJet()]
    const answer = Promise.withResolvers<Record<number, unknown>>()
    let asked = 0
    busy.collect = () => {
      asked++
      return answer.promise
    }
    for (const jet of [quick, busy]) watches.join(jet)
    const watch = watches.watch(0, 'a', program)
    expect(await watch.collect()).toEqual([quick.sandbox])
    expect(await watch.collect()).toEqual([quick.sandbox])
    expect(asked).toBe(1)
    answer.resolve({ 1: 'late' })
    expect((await watch.collect()).toSorted()).toEqual([quick.sandbox, 'late'].toSorted())
  })
})
