import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Intake, type IntakeOptions } from '../../src/manifold/intake.ts'
import { pieceOf, recordsOf } from './pieces.ts'

function intakeOf(options: Partial<IntakeOptions> = {}): Intake {
  const batching = { watermark: 1000, nagleTime: 500 }
  return new Intake({ slot: 0, batching, recordsets: false, wake: () => undefined, ...options })
}

/** Everything that can be taken now: batches as lists of records, marks as their names. */
function drain(intake: Intake, reached: string[]): (string[] | string)[] {
  const taken: (string[] | string)[] = []
  for (;;) {
    const mark = intake.takeMark()
    if (mark !== undefined) {
      mark.reach()
      taken.push(reached.at(-1)!)
    } else if (intake.hasBatch()) taken.push(recordsOf(intake.takeBatch()))
    else return taken
  }
}

describe('an intake', () => {
  test('gives everything once and in order, however it was cut', () => {
    const entry = fc.oneof(fc.array(fc.string({ maxLength: 5 }), { minLength: 1, maxLength: 6 }), fc.constant('mark'))
    fc.assert(
      fc.property(fc.array(entry), fc.integer({ min: 1, max: 4 }), (entries, watermark) => {
        const reached: string[] = []
        const intake = intakeOf({ batching: { watermark, nagleTime: null } })
        for (const [at, each] of entries.entries()) {
          if (typeof each === 'string') intake.put({ reach: () => reached.push(`mark ${at}`) })
          else intake.put(pieceOf(each))
        }
        const taken = drain(intake, reached)
        const expected = entries.flatMap((each, at) => (typeof each === 'string' ? [`mark ${at}`] : each))
        expect(taken.flat()).toEqual(expected)
        for (const batch of taken) if (Array.isArray(batch)) expect(batch.length).toBeLessThanOrEqual(watermark)
        expect(intake.waiting).toEqual({ records: 0, bytes: 0 })
      }),
    )
  })

  test('joins small pieces that wait in a row', () => {
    const intake = intakeOf()
    for (const record of ['a', 'b', 'c']) intake.put(pieceOf([record]))
    expect(recordsOf(intake.takeBatch())).toEqual(['a', 'b', 'c'])
  })

  test('joins no more than fits between two processes', () => {
    const intake = intakeOf()
    const record = 'x'.repeat(50_000)
    for (let piece = 0; piece < 5; piece++) intake.put(pieceOf([record]))
    const sizes = drain(intake, []).map((batch) => batch.length)
    expect(sizes).toEqual([2, 2, 1])
  })

  test('gives a piece that is larger whole, and by itself', () => {
    const intake = intakeOf()
    const record = 'x'.repeat(100_000)
    for (const records of [['a'], [record, record], ['b']]) intake.put(pieceOf(records))
    const sizes = drain(intake, []).map((batch) => batch.length)
    expect(sizes).toEqual([1, 2, 1])
  })

  test('gives one record at a time where batching is off', () => {
    const intake = intakeOf({ batching: null })
    intake.put(pieceOf(['a', 'b']))
    expect([recordsOf(intake.takeBatch()), recordsOf(intake.takeBatch())]).toEqual([['a'], ['b']])
  })

  test('numbers records from 1', () => {
    const intake = intakeOf({ batching: { watermark: 2, nagleTime: null } })
    intake.put(pieceOf(['a', 'b', 'c']))
    expect([intake.takeBatch().first, intake.takeBatch().first]).toEqual([1, 3])
  })

  test('lets no more in when much waits, until some is taken', async () => {
    const intake = intakeOf()
    for (let each = 0; each < 40; each++) intake.put(pieceOf(['x'.repeat(100_000)]))
    let hasRoom = false
    const room = intake.room().then(() => {
      hasRoom = true
    })
    await Promise.resolve()
    expect(hasRoom).toBe(false)
    while (intake.hasBatch()) intake.takeBatch()
    await room
    expect(intake.waiting).toEqual({ records: 0, bytes: 0 })
  })
})

describe('record sets', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('end at the watermark', () => {
    const intake = intakeOf({ recordsets: true, batching: { watermark: 3, nagleTime: null } })
    intake.put(pieceOf(['a', 'b']))
    expect(intake.hasBatch()).toBe(false)
    intake.put(pieceOf(['c', 'd']))
    const batch = intake.takeBatch()
    expect([recordsOf(batch), batch.isRecordset]).toEqual([['a', 'b', 'c'], true])
    expect(intake.hasBatch()).toBe(false)
  })

  test('end at a mark', () => {
    const intake = intakeOf({ recordsets: true, batching: { watermark: null, nagleTime: null } })
    intake.put(pieceOf(['a']))
    intake.put(pieceOf(['b']))
    expect(intake.hasBatch()).toBe(false)
    intake.put({ reach: () => undefined })
    expect(recordsOf(intake.takeBatch())).toEqual(['a', 'b'])
  })

  test('end when they have waited long enough', () => {
    const wake = vi.fn()
    const intake = intakeOf({ recordsets: true, wake })
    intake.put(pieceOf(['a']))
    expect(intake.hasBatch()).toBe(false)
    vi.advanceTimersByTime(499)
    expect(wake).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(wake).toHaveBeenCalledOnce()
    expect(recordsOf(intake.takeBatch())).toEqual(['a'])
  })

  test('may be larger than what waits otherwise', () => {
    const intake = intakeOf({ recordsets: true, batching: { watermark: null, nagleTime: null } })
    for (let each = 0; each < 50; each++) intake.put(pieceOf(['x'.repeat(100_000)]))
    intake.put({ reach: () => undefined })
    expect(recordsOf(intake.takeBatch())).toHaveLength(50)
  })
})
