import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RestOutput, type Taken } from '../../../src/transports/rest/output.ts'
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
