import { describe, expect, test } from 'vitest'
import { ReadProgress } from '../../../src/transports/rest/unread.ts'

describe('ReadProgress', () => {
  test('tells whoever waits for a position that is reached, once, and nobody who has left', () => {
    const progress = new ReadProgress()
    const told: string[] = []
    const [near, far] = [progress.upTo(10), progress.upTo(20)]
    near.watch(() => told.push('near'))
    far.watch(() => told.push('far'))
    far.watch(() => told.push('gone'))()
    progress.reach(9)
    expect([told, near.isRead(), far.isRead()]).toEqual([[], false, false])
    progress.reach(10)
    progress.reach(19)
    expect([told, near.isRead(), far.isRead()]).toEqual([['near'], true, false])
    progress.reach(25)
    expect([told, far.isRead()]).toEqual([['near', 'far'], true])
  })

  test('nobody waits for what will never be read, whatever is said afterwards', () => {
    const progress = new ReadProgress()
    const unread = progress.upTo(10)
    let told = 0
    unread.watch(() => told++)
    progress.finish()
    progress.reach(5)
    expect([told, unread.isRead(), progress.upTo(100).isRead()]).toEqual([1, true, true])
  })
})
