import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Backlog, RestOutput, type Taken } from '../../../src/transports/rest/output.ts'
import { bytesOf, framesOf, textOf } from '../contract.ts'

describe('RestOutput', () => {
  const write = (output: RestOutput, ...records: string[]) => output.write(framesOf(records.map(bytesOf)))
  const shown = (taken: Taken) => (taken.kind === 'data' ? textOf(taken.bytes) : taken.kind)

  test('nothing, everything, the end', async () => {
    const output = new RestOutput('chunked')
    expect(shown(await output.take({ wait: 5 }))).toBe('nothing')
    await write(output, 'a\n')
    await write(output, 'b\n')
    expect(shown(await output.take({ wait: 5 }))).toBe('a\nb\n')
    await write(output, 'c\n')
    await output.close()
    expect(shown(await output.take({ wait: 5 }))).toBe('c\n')
    expect(shown(await output.take({ wait: 5 }))).toBe('end')
  })

  test.each(['simple', 'automatic'] as const)(
    'mode %s: one record at a time, or all of them on lines',
    async (mode) => {
      const output = new RestOutput(mode)
      await write(output, 'a', 'b', 'c')
      await write(output, 'd')
      expect(shown(await output.take({ wait: 5, one: true }))).toBe('a')
      expect(shown(await output.take({ wait: 5 }))).toBe('b\nc\nd\n')
      expect(shown(await output.take({ wait: 5, one: true }))).toBe('nothing')
      expect(output.counters().queued_bytes).toBe(0)
    },
  )

  test('whoever waits gets what comes, in the order in which they came', async () => {
    const output = new RestOutput('simple')
    const takers = ['first', 'second', 'third'].map(
      async (name) => `${name} ${shown(await output.take({ wait: 1000, one: true }))}`,
    )
    await write(output, 'a', 'b')
    await output.close()
    expect(await Promise.all(takers)).toEqual(['first a', 'second b', 'third end'])
  })

  test('results that nobody fetches hold the writer', async () => {
    const output = new RestOutput('chunked', { queueBytes: 10 })
    let written = 0
    const writing = (async () => {
      for (let index = 0; index < 5; index++) {
        await write(output, 'abcdefgh\n')
        written++
      }
      await output.close()
    })()
    await sleep(10)
    expect(written).toBe(1)
    expect(shown(await output.take({ wait: 5 }))).toBe('abcdefgh\nabcdefgh\n')
    let all = ''
    for (let taken = await output.take({ wait: 50 }); taken.kind === 'data'; taken = await output.take({ wait: 50 })) {
      all += shown(taken)
    }
    await writing
    expect(all).toBe('abcdefgh\n'.repeat(3))
  })

  test('while a pig is on its way, a reply waits for it and has everything before it', async () => {
    const output = new RestOutput('chunked')
    output.pigEntered()
    await write(output, 'a\n')
    const taking = output.take({ wait: 5, pigWait: 1000 })
    await sleep(30)
    await write(output, 'b\n')
    await write(output, '{"$pitot":"pig"}\n')
    output.pigLeft()
    expect(shown(await taking)).toBe('a\nb\n{"$pitot":"pig"}\n')
  })

  test('a pig that does not come holds a reply for a while only; a full queue is fetched at once', async () => {
    const output = new RestOutput('chunked', { queueBytes: 4 })
    output.pigEntered()
    await write(output, 'a\n')
    expect(shown(await output.take({ wait: 1, pigWait: 20 }))).toBe('a\n')
    expect(shown(await output.take({ wait: 1, pigWait: 20 }))).toBe('nothing')
    const writing = write(output, 'abcdef\n')
    expect(shown(await output.take({ wait: 10_000, pigWait: 20_000 }))).toBe('abcdef\n')
    await writing
  })

  describe('what the job has accepted and not read', () => {
    function backlogOf(state: { isAhead: boolean }): Backlog & { settle(): void; watchers: Set<() => void> } {
      const watchers = new Set<() => void>()
      return {
        watchers,
        isAhead: () => state.isAhead,
        watch(wake) {
          watchers.add(wake)
          return () => watchers.delete(wake)
        },
        settle() {
          state.isAhead = false
          for (const wake of watchers) wake()
        },
      }
    }

    test('is waited for, and so is the pig that was in it', async () => {
      const output = new RestOutput('chunked')
      const backlog = backlogOf({ isAhead: true })
      await write(output, 'a\n')
      const taking = output.take({ wait: 1, pigWait: 10_000, backlog })
      await sleep(10)
      output.pigEntered()
      backlog.settle()
      await write(output, 'b\n')
      await write(output, '{"$pitot":"pig"}\n')
      output.pigLeft()
      expect(shown(await taking)).toBe('a\nb\n{"$pitot":"pig"}\n')
      expect(backlog.watchers.size).toBe(0)
    })

    test('ends the wait when no pig was in it: with what is there, or nothing where the time for that is over', async () => {
      const output = new RestOutput('chunked')
      const [first, second] = [backlogOf({ isAhead: true }), backlogOf({ isAhead: true })]
      await write(output, 'a\n')
      const taking = output.take({ wait: 10_000, backlog: first })
      first.settle()
      expect(shown(await taking)).toBe('a\n')
      const late = output.take({ wait: 1, pigWait: 10_000, backlog: second })
      await sleep(10)
      second.settle()
      expect(shown(await late)).toBe('nothing')
    })

    test('is not waited for where the job stands still, where one record is asked for, or beyond the time for a pig', async () => {
      const output = new RestOutput('simple')
      await write(output, 'a', 'b', 'c', 'd')
      const ahead = backlogOf({ isAhead: true })
      expect(shown(await output.take({ wait: 10_000, one: true, backlog: ahead }))).toBe('a')
      expect(shown(await output.take({ wait: 1, pigWait: 2, backlog: ahead }))).toBe('b\nc\nd\n')
      await write(output, 'e')
      expect(shown(await output.take({ wait: 10_000, backlog: backlogOf({ isAhead: false }) }))).toBe('e\n')
      expect(ahead.watchers.size).toBe(0)
    })
  })

  test('a pig that comes to nothing does not hold whoever has waited long enough', async () => {
    const output = new RestOutput('chunked')
    output.pigEntered()
    const taking = output.take({ wait: 1, pigWait: 10_000 })
    await sleep(10)
    output.pigLeft()
    expect(shown(await taking)).toBe('nothing')
  })

  test('who is gone takes nothing; a reply that was not sent is given to the next', async () => {
    const output = new RestOutput('simple')
    const gone = new AbortController()
    const taking = output.take({ wait: 10_000, signal: gone.signal })
    gone.abort()
    expect(shown(await taking)).toBe('nothing')
    await write(output, 'a', 'b', 'c')
    const one = await output.take({ wait: 5, one: true })
    if (one.kind === 'data') one.undo()
    const all = await output.take({ wait: 5 })
    expect(shown(all)).toBe('a\nb\nc\n')
    if (all.kind === 'data') all.undo()
    expect(shown(await output.take({ wait: 5, one: true }))).toBe('a')
    expect(shown(await output.take({ wait: 5 }))).toBe('b\nc\n')
  })

  test('the signal drops what is left and lets everybody go', async () => {
    const stop = new AbortController()
    const output = new RestOutput('chunked', { signal: stop.signal, queueBytes: 1 })
    const writing = write(output, 'abc')
    stop.abort()
    await writing
    expect(shown(await output.take({ wait: 1000 }))).toBe('end')
  })

  test('whatever is written and however it is taken: nothing is lost, nothing comes twice, order stays', async () => {
    const operation = fc.oneof(
      fc.record({ write: fc.array(fc.string(), { maxLength: 5 }) }),
      fc.record({ one: fc.boolean(), undo: fc.boolean() }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async (operations) => {
        const output = new RestOutput('simple')
        const [sent, received]: [string[], string[]] = [[], []]
        const take = async (one: boolean, undo: boolean) => {
          const taken = await output.take({ wait: 0, one })
          if (taken.kind !== 'data') return false
          if (undo) taken.undo()
          else received.push(one ? `${textOf(taken.bytes)}\n` : textOf(taken.bytes))
          return true
        }
        for (const each of operations) {
          if ('write' in each) {
            sent.push(...each.write.map((text) => `${textOf(bytesOf(text))}\n`))
            await write(output, ...each.write)
          } else await take(each.one, each.undo)
        }
        await output.close()
        while (await take(false, false));
        expect(received.join('')).toBe(sent.join(''))
      }),
      { numRuns: 50 },
    )
  })
})
