// How far reading has come, while a group gives partitions and takes them away.
import { beforeEach, describe, expect, it } from 'vitest'
import { Progress } from '../../../src/transports/kafka/progress.ts'

describe('progress of a group', () => {
  let progress: Progress
  beforeEach(() => {
    progress = new Progress('numbers')
    progress.generation = 1
    progress.take(0, 10, 10)
    progress.take(1, 20)
    progress.handOn(0, 15)
    progress.handOn(1, 25)
  })

  it('commits what was handed on and is not committed yet', () => {
    const position = progress.position()
    expect(progress.own(position)).toEqual(
      new Map([
        [0, 15],
        [1, 25],
      ]),
    )
    progress.markCommitted(new Map([[0, 15]]))
    expect(progress.own(position)).toEqual(new Map([[1, 25]]))
  })

  it('never goes back', () => {
    const earlier = progress.position()
    progress.handOn(0, 30)
    progress.markCommitted(progress.own(progress.position()))
    expect(progress.own(earlier)).toEqual(new Map())
  })

  it('keeps partitions through a new generation', () => {
    const position = progress.position()
    progress.keep([0, 1])
    progress.generation = 2
    expect(progress.whole(position)).toEqual(
      new Map([
        [0, 15],
        [1, 25],
      ]),
    )
  })

  it('leaves a partition that was taken away to its new reader, and refuses a transaction with it', () => {
    const position = progress.position()
    progress.keep([0])
    progress.generation = 2
    expect(progress.own(position)).toEqual(new Map([[0, 15]]))
    expect(() => progress.whole(position)).toThrow(/given partition 1 of topic "numbers" to another reader/)
  })

  it('does not answer for what was read before a partition came back', () => {
    const position = progress.position()
    progress.keep([0])
    progress.generation = 3
    progress.take(1, 21, 21)
    expect(progress.own(position)).toEqual(new Map([[0, 15]]))
    expect(() => progress.whole(position)).toThrow(/another reader/)
    progress.handOn(1, 26)
    expect(progress.whole(progress.position())).toEqual(
      new Map([
        [0, 15],
        [1, 26],
      ]),
    )
  })
})
