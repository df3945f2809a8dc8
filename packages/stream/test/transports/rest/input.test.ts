import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type BodyRefused, RestInput } from '../../../src/transports/rest/input.ts'
import { bytesOf, messagesOf, readBytes, textOf } from '../contract.ts'

describe('RestInput', () => {
  const kilobyte = (letter: string) => bytesOf(letter.repeat(1023).concat('\n'))

  test('a full queue holds the request until something is read', async () => {
    const input = new RestInput('chunked', { queueBytes: 4096 })
    let taken = 0
    const sending = (async () => {
      for (let index = 0; index < 100; index++) {
        await input.accept([kilobyte('a')])
        taken++
      }
      input.end()
    })()
    await sleep(20)
    expect(taken).toBe(4)
    expect(input.counters().queued_bytes).toBe(4096)
    const iterator = input[Symbol.asyncIterator]()
    await iterator.next()
    await sleep(20)
    expect(taken).toBeGreaterThan(4)
    expect(taken).toBeLessThan(10)
    while (!(await iterator.next()).done) expect(input.counters().queued_bytes).toBeLessThanOrEqual(4096)
    await sending
    expect(taken).toBe(100)
  })

  test('one body that is larger than the queue passes through it', async () => {
    const input = new RestInput('chunked', { queueBytes: 64 * 1024 })
    const body = (async function* () {
      for (let index = 0; index < 5000; index++) yield kilobyte('b')
    })()
    const sending = input.accept(body).then(() => input.end())
    let size = 0
    for await (const { frames } of input) {
      size += frames.bytes.length
      expect(frames.bytes.length).toBeLessThanOrEqual(2 * 2 ** 20)
    }
    await sending
    expect(size).toBe(5000 * 1024)
  })

  test('bodies that come at the same time are never mixed', async () => {
    const input = new RestInput('chunked', { queueBytes: 8192 })
    const body = async function* (letter: string) {
      for (let index = 0; index < 8; index++) {
        await sleep(Math.random() * 4)
        yield bytesOf(letter.repeat(512 * 1024))
      }
    }
    const sending = Promise.all([...'abcdef'].map((letter) => input.accept(body(letter)))).then(() => input.end())
    let text = ''
    for (const message of await readBytes(input)) text += textOf(message)
    await sending
    expect(text.length).toBe(6 * 8 * 512 * 1024)
    expect([...text.matchAll(/(.)\1*/g)].length).toBe(6)
  })

  test('a sender who is slow, or breaks off, holds nobody up and leaves nothing behind', async () => {
    const input = new RestInput('chunked')
    const stuck = input.accept(
      (async function* () {
        yield bytesOf('half a rec')
        await sleep(100)
        throw new Error('connection reset')
      })(),
    )
    const refused = stuck.catch((error: BodyRefused) => error)
    await input.accept([bytesOf('whole\n')])
    expect(await refused).toMatchObject({ reason: 'broken', message: /connection reset/ })
    input.end()
    expect((await readBytes(input)).map(textOf)).toEqual(['whole\n'])
  })

  test('simple mode: one body is one record, up to a size; small ones are read together', async () => {
    const input = new RestInput('simple', { bodyBytes: 2 ** 21 })
    await input.accept([bytesOf('a\n'), bytesOf('b')])
    await input.accept([])
    await input.accept([bytesOf('c')])
    const large = async function* () {
      for (let index = 0; index < 3000; index++) yield kilobyte('d')
    }
    await expect(input.accept(large())).rejects.toMatchObject({ reason: 'too-large' })
    await input.accept([bytesOf('e')])
    input.end()
    const chunks = []
    for await (const chunk of input) chunks.push(messagesOf(chunk).map(textOf))
    expect(chunks).toEqual([['a\nb', 'c', 'e']])
  })

  test('automatic mode: a body is one record, or lines', async () => {
    const input = new RestInput('automatic')
    await input.accept([bytesOf('{\n"a":'), bytesOf('1\n}')])
    await input.accept([bytesOf('{"a":2}\n{"a":3}')])
    await input.accept([bytesOf('\n \n')])
    input.end()
    expect((await readBytes(input)).map(textOf)).toEqual(['{\n"a":1\n}', '{"a":2}', '{"a":3}'])
  })

  test('after the end nothing is taken, and nobody who waits is forgotten', async () => {
    const input = new RestInput('chunked', { queueBytes: 1 })
    await input.accept([kilobyte('a')])
    const held = [1, 2, 3].map(() => input.accept([kilobyte('b')]).catch((error: BodyRefused) => error.reason))
    await sleep(10)
    await input.close()
    expect(await Promise.all(held)).toEqual(['ended', 'ended', 'ended'])
    await expect(input.accept([kilobyte('c')])).rejects.toMatchObject({ reason: 'ended' })
    expect(await readBytes(input)).toEqual([])
  })

  describe('what is accepted and not read', () => {
    const controlSign = 0x24
    const dollar = bytesOf('{"$pitot":"pig"}\n')

    test('is known by the sign of control records, until the reader has come back for more', async () => {
      const input = new RestInput('chunked', { controlSign })
      await input.accept([bytesOf('1\n')])
      expect(input.unread()).toBeUndefined()
      await input.accept([dollar])
      await input.accept([bytesOf('2\n')])
      const unread = input.unread()!
      let told = 0
      unread.watch(() => told++)
      const iterator = input[Symbol.asyncIterator]()
      await iterator.next()
      expect([unread.isRead(), told, input.unread()?.isRead()]).toEqual([false, 0, false])
      const more = iterator.next()
      await sleep(0)
      expect([unread.isRead(), told, input.unread()]).toEqual([true, 1, undefined])
      input.end()
      await more
    })

    test('counts up to the moment it was asked for', async () => {
      const input = new RestInput('chunked', { controlSign })
      await input.accept([dollar])
      const iterator = input[Symbol.asyncIterator]()
      await iterator.next()
      const unread = input.unread()!
      await input.accept([dollar])
      await iterator.next()
      expect([unread.isRead(), input.unread()?.isRead()]).toEqual([true, false])
    })

    test('is seen where the sign and the rest of its record came in different bodies', async () => {
      const input = new RestInput('chunked', { controlSign })
      await input.accept([bytesOf('1\n{"$pi')])
      const iterator = input[Symbol.asyncIterator]()
      await iterator.next()
      await input.accept([bytesOf('tot":"pig"}\n')])
      expect(input.unread()?.isRead()).toBe(false)
    })

    test('is searched once, however often somebody asks', async () => {
      const input = new RestInput('simple', { controlSign })
      const body = bytesOf('1')
      await input.accept([body])
      expect(input.unread()).toBeUndefined()
      // Nobody does this; it shows that the body is not looked at again.
      body[0] = controlSign
      await input.accept([bytesOf('2')])
      expect(input.unread()).toBeUndefined()
      await input.accept([bytesOf('$')])
      expect(input.unread()?.isRead()).toBe(false)
    })

    test('is nothing where bodies have no control records', async () => {
      const input = new RestInput('chunked')
      await input.accept([dollar])
      expect(input.unread()).toBeUndefined()
    })

    test.each([
      ['the stream is closed', (input: RestInput) => input.close()],
      ['the reader leaves', async (input: RestInput) => void (await input[Symbol.asyncIterator]().return(undefined))],
      [
        'the reader leaves in the middle',
        async (input: RestInput) => {
          for await (const _ of input) break
        },
      ],
    ])('is not waited for when %s', async (title, leave) => {
      const input = new RestInput('chunked', { controlSign })
      await input.accept([dollar])
      const unread = input.unread()!
      await leave(input)
      if (title === 'the reader leaves') await input.close()
      expect([unread.isRead(), input.unread()]).toEqual([true, undefined])
    })
  })
})
