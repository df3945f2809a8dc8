// What jets share: who gets what, who waits, and who is told that waiting would never end.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Answer, type Ask, SharedStateTable } from '../../src/index.ts'

/** Asks, and tells what came of it so far. */
function conversation(table = new SharedStateTable()) {
  const answers: (Answer | 'waits')[] = []
  return {
    table,
    answers,
    async ask(holder: string, ask: Ask): Promise<Answer | 'waits'> {
      const at = answers.push('waits') - 1
      void table.ask(holder, ask).then((answer) => {
        answers[at] = answer
      })
      await new Promise(setImmediate)
      return answers[at]!
    },
  }
}
const count = { cell: 'count' }
const user = { pool: 'users', key: 'a' }

describe('one jet', () => {
  test.each<[string, Ask[], Answer]>([
    ['an unknown cell has no value', [{ do: 'get', ...count }], {}],
    ['an unknown pool has no value', [{ do: 'get', ...user }], {}],
    [
      'what was set',
      [
        { do: 'set', ...count, value: 3 },
        { do: 'get', ...count },
      ],
      { value: 3 },
    ],
    [
      'null is a value',
      [
        { do: 'set', ...user, value: null },
        { do: 'get', ...user },
      ],
      { value: null },
    ],
    [
      'set to nothing',
      [
        { do: 'set', ...user, value: 1 },
        { do: 'set', ...user },
        { do: 'get', ...user },
      ],
      {},
    ],
    [
      'lock gives the value',
      [
        { do: 'set', ...count, value: 3 },
        { do: 'lock', ...count },
      ],
      { value: 3 },
    ],
    [
      'lock again',
      [
        { do: 'lock', ...count },
        { do: 'set', ...count, value: 4 },
        { do: 'lock', ...count },
      ],
      { value: 4 },
    ],
    [
      'release sets',
      [
        { do: 'lock', ...count },
        { do: 'release', ...count, value: 5 },
        { do: 'get', ...count },
      ],
      { value: 5 },
    ],
    [
      'release without a value keeps it',
      [
        { do: 'set', ...user, value: 6 },
        { do: 'lock', ...user },
        { do: 'release', ...user },
        { do: 'get', ...user },
      ],
      { value: 6 },
    ],
    [
      'a name from the prototype',
      [
        { do: 'set', cell: '__proto__', value: 7 },
        { do: 'get', cell: '__proto__' },
      ],
      { value: 7 },
    ],
    [
      'release of what is not locked',
      [{ do: 'release', ...user, value: 1 }],
      { failed: 'item "a" of pool users is not locked by this jet: lock it before the release' },
    ],
  ])('%s', async (_, asks, expected) => {
    const { ask } = conversation()
    let last: Answer | 'waits' = {}
    for (const each of asks) last = await ask('1', each)
    expect(last).toEqual(expected)
  })
})

describe('several jets', () => {
  test('are served in the order they came', async () => {
    const { ask, answers, table } = conversation()
    for (const holder of ['1', '2', '3']) await ask(holder, { do: 'lock', ...count })
    expect(answers).toEqual([{}, 'waits', 'waits'])
    expect(table.waiting()).toEqual([
      { holder: '2', item: 'cell count', heldBy: '1', since: expect.any(Number) },
      { holder: '3', item: 'cell count', heldBy: '1', since: expect.any(Number) },
    ])
    await ask('1', { do: 'release', ...count, value: 'one' })
    expect(answers).toEqual([{}, { value: 'one' }, 'waits', {}])
    await ask('2', { do: 'release', ...count, value: 'two' })
    expect(answers[2]).toEqual({ value: 'two' })
    expect(table.waiting()).toEqual([])
  })

  test('a nested lock is let go of with its last release', async () => {
    const { ask, answers } = conversation()
    await ask('1', { do: 'lock', ...count })
    await ask('1', { do: 'lock', ...count })
    await ask('2', { do: 'lock', ...count })
    await ask('1', { do: 'release', ...count, value: 1 })
    expect(answers[2]).toBe('waits')
    await ask('1', { do: 'release', ...count })
    expect(answers[2]).toEqual({ value: 1 })
  })

  test('reading does not wait, setting does', async () => {
    const { ask, answers, table } = conversation()
    await ask('1', { do: 'set', ...count, value: 1 })
    await ask('1', { do: 'lock', ...count })
    expect(await ask('2', { do: 'get', ...count })).toEqual({ value: 1 })
    expect(await ask('2', { do: 'set', ...count, value: 20 })).toBe('waits')
    await ask('3', { do: 'lock', ...count })
    await ask('1', { do: 'release', ...count, value: 2 })
    expect(answers.slice(3, 5)).toEqual([{}, { value: 20 }])
    expect(table.snapshot().cells).toEqual({ count: 20 })
  })

  test('only the holder releases', async () => {
    const { ask } = conversation()
    await ask('1', { do: 'lock', ...count })
    expect(await ask('2', { do: 'release', ...count, value: 1 })).toHaveProperty('failed')
  })

  test('a jet that is gone holds nothing and waits for nothing; values stay', async () => {
    const { ask, answers, table } = conversation()
    await ask('1', { do: 'set', ...count, value: 'old' })
    await ask('1', { do: 'lock', ...count })
    await ask('2', { do: 'lock', ...count })
    await ask('3', { do: 'lock', ...count })
    table.forget('2')
    await new Promise(setImmediate)
    expect(answers.slice(2)).toEqual([{ failed: 'jet 2 is gone' }, 'waits'])
    table.forget('1')
    await new Promise(setImmediate)
    expect(answers[3]).toEqual({ value: 'old' })
    table.forget('1')
    table.forget('9')
  })
})

describe('circles', () => {
  test('whoever closes one is told who waits for what', async () => {
    const { ask, answers, table } = conversation()
    await ask('1', { do: 'lock', ...count })
    await ask('2', { do: 'lock', ...user })
    expect(await ask('1', { do: 'lock', ...user })).toBe('waits')
    expect(await ask('2', { do: 'lock', ...count })).toEqual({
      failed:
        'waiting would never end: jet 2 waits for cell count, held by jet 1; ' +
        'jet 1 waits for item "a" of pool users, held by jet 2. Lock items in the same order everywhere',
    })
    expect(table.takeDeadlocks()).toHaveLength(1)
    expect(table.deadlockCount).toBe(1)
    await ask('2', { do: 'release', ...user, value: 1 })
    expect(answers[2]).toEqual({ value: 1 })
  })

  test('of three, closed by a set', async () => {
    const { ask } = conversation()
    for (const holder of ['1', '2', '3']) await ask(holder, { do: 'lock', cell: holder })
    expect(await ask('1', { do: 'lock', cell: '2' })).toBe('waits')
    expect(await ask('2', { do: 'lock', cell: '3' })).toBe('waits')
    expect(await ask('3', { do: 'set', cell: '1', value: 1 })).toHaveProperty('failed')
  })
})

test('any conversation: one holder at a time, and somebody can always go on', async () => {
  const items = ['a', 'b', 'c']
  const step = fc.record({
    jet: fc.constantFrom('1', '2', '3', '4'),
    action: fc.constantFrom('lock', 'release', 'set', 'forget'),
    item: fc.constantFrom(...items),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { ask, answers, table } = conversation()
      const busy = new Map<string, { at: number; item: string; lock: boolean }>()
      const holders = new Map<string, { jet: string; depth: number }>()
      const settle = () => {
        for (const [jet, { at, item, lock }] of busy) {
          if (answers[at] === 'waits') continue
          busy.delete(jet)
          if (!lock || 'failed' in (answers[at] as Answer)) continue
          const holder = holders.get(item)
          expect(holder?.jet ?? jet).toBe(jet)
          holders.set(item, { jet, depth: (holder?.depth ?? 0) + 1 })
        }
      }
      for (const { jet, action, item } of steps) {
        if (action === 'forget') {
          table.forget(jet)
          for (const [name, holder] of holders) if (holder.jet === jet) holders.delete(name)
          busy.delete(jet)
        } else if (!busy.has(jet)) {
          if (action === 'release' && holders.get(item)?.jet === jet) {
            const holder = holders.get(item)!
            holder.depth--
            if (holder.depth === 0) holders.delete(item)
          }
          busy.set(jet, { at: answers.length, item, lock: action === 'lock' })
          await ask(jet, { do: action, cell: item, value: jet } as Ask)
        }
        await new Promise(setImmediate)
        settle()
        // Everybody who waits does so for a jet that can go on, at the end of a chain.
        const waits = new Map(table.waiting().map(({ holder, heldBy }) => [holder, heldBy]))
        for (let [holder] of waits)
          for (let hops = 0; waits.has(holder); hops++) {
            expect(hops).toBeLessThan(5)
            holder = waits.get(holder)!
          }
      }
    }),
    { numRuns: 100 },
  )
})

describe('the limit', () => {
  const text = (length: number) => 'x'.repeat(length)
  const sentence = (item: string, limit = '2 KiB') =>
    `${item} was not changed: with it the cells and pools of the job would hold more than the ${limit} that they may (--state-memory)`

  test('what would be too much is not set, and everything else goes on', async () => {
    const { ask, table } = conversation(new SharedStateTable(2048))
    expect(await ask('1', { do: 'set', ...count, value: text(1000) })).toEqual({})
    expect(await ask('1', { do: 'set', ...user, value: text(1000) })).toEqual({
      failed: sentence('item "a" of pool users'),
    })
    expect(await ask('1', { do: 'get', ...user })).toEqual({})
    expect(await ask('1', { do: 'set', ...count, value: text(4000) })).toEqual({ failed: sentence('cell count') })
    expect(await ask('1', { do: 'get', ...count })).toEqual({ value: text(1000) })
    expect(await ask('1', { do: 'set', ...count, value: 1 })).toEqual({})
    expect(await ask('1', { do: 'set', ...user, value: text(1000) })).toEqual({})
    expect(table.bytes).toBeLessThanOrEqual(table.limit)
  })

  test('a refused release keeps the old value and lets go', async () => {
    const { ask } = conversation(new SharedStateTable(2048))
    await ask('1', { do: 'set', ...count, value: 1 })
    await ask('1', { do: 'lock', ...count })
    expect(await ask('1', { do: 'release', ...count, value: text(4000) })).toEqual({ failed: sentence('cell count') })
    expect(await ask('2', { do: 'lock', ...count })).toEqual({ value: 1 })
  })

  test('what waited for its turn is looked at when it has it', async () => {
    const { ask, answers } = conversation(new SharedStateTable(2048))
    await ask('1', { do: 'lock', ...count })
    await ask('2', { do: 'set', ...count, value: text(1500) })
    await ask('1', { do: 'set', ...user, value: text(500) })
    await ask('1', { do: 'release', ...count })
    expect(answers[1]).toEqual({ failed: sentence('cell count') })
  })

  test('names count too: of items without a value, and of pools that are empty', async () => {
    const { ask, table } = conversation(new SharedStateTable(100_000))
    const failures: Answer[] = []
    for (let at = 0; at < 1000; at++) {
      const item = { pool: `pool ${at}`, key: 'k' }
      const answer = (await ask('1', { do: 'lock', ...item })) as Answer
      if (answer.failed !== undefined) failures.push(answer)
      else await ask('1', { do: 'release', ...item })
    }
    expect(failures.length).toBeGreaterThan(100)
    expect(failures[0]!.failed).toContain('--state-memory')
    expect(table.bytes).toBeLessThanOrEqual(100_000)
  })

  test('whatever is set and taken away again, the size is that of what is there', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.bigInt())
    const step = fc.record({ key: fc.constantFrom('a', 'b', 'ü'), how: fc.constantFrom('set', 'update'), value })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { ask, table } = conversation()
        for (const { key, how, value: given } of steps) {
          const item = { pool: 'p', key }
          const change = given === undefined ? {} : { value: given }
          if (how === 'set') await ask('1', { do: 'set', ...item, ...change })
          else {
            await ask('1', { do: 'lock', ...item })
            await ask('1', { do: 'release', ...item, ...change })
          }
        }
        const again = new SharedStateTable()
        again.restore(table.snapshot())
        expect(table.bytes).toBe(again.bytes)
        table.restore({ cells: {}, pools: {} })
        expect(table.bytes).toBe(0)
      }),
      { numRuns: 50 },
    )
  })

  test('deep values are measured too', async () => {
    const { ask, table } = conversation(new SharedStateTable(2 ** 20))
    let value: unknown = 1
    for (let depth = 0; depth < 200_000; depth++) value = [value]
    expect(await ask('1', { do: 'set', ...count, value })).toEqual({ failed: sentence('cell count', '1 MiB') })
    expect(table.bytes).toBe(0)
  })

  test('a state that is restored may be larger, but not grow', async () => {
    const { ask, table } = conversation(new SharedStateTable(1024))
    table.restore({ cells: { count: text(5000) }, pools: {} })
    expect(await ask('1', { do: 'set', ...count, value: text(5001) })).toHaveProperty('failed')
    expect(await ask('1', { do: 'set', ...count, value: text(4999) })).toEqual({})
  })
})

describe('snapshots', () => {
  test('what is stored can be restored, and nothing else is left', async () => {
    const { ask, table } = conversation()
    const state = { cells: { a: 1, b: { $python: 'gASV' } }, pools: { p: { x: [1], y: null }, empty: {} } }
    await ask('1', { do: 'set', cell: 'other', value: 1 })
    await ask('1', { do: 'set', ...user, value: 1 })
    table.restore(state)
    expect(await ask('1', { do: 'get', cell: 'other' })).toEqual({})
    expect(table.snapshot()).toEqual(state)
  })

  test('nothing is kept of what is set to nothing, while others wait for it', async () => {
    const { ask, answers, table } = conversation()
    for (const holder of ['1', '2']) await ask(holder, { do: 'lock', ...user })
    await ask('3', { do: 'set', ...user })
    await ask('4', { do: 'lock', ...user })
    table.forget('1')
    await ask('2', { do: 'release', ...user, value: 1 })
    expect(answers).toEqual([{}, {}, {}, {}, {}])
    expect(await ask('5', { do: 'lock', ...user })).toBe('waits')
    table.forget('4')
    table.forget('5')
    expect(table.snapshot()).toEqual({ cells: {}, pools: { users: {} } })
  })

  test('a lock outlives a restore', async () => {
    const { ask, answers, table } = conversation()
    await ask('1', { do: 'lock', ...count })
    await ask('2', { do: 'lock', ...count })
    table.restore({ cells: { count: 9 }, pools: {} })
    await ask('1', { do: 'release', ...count })
    expect(answers[1]).toEqual({ value: 9 })
  })
})
