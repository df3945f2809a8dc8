import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BodyRefused, RestInput } from '../../src/transports/rest/input.ts'
import { RestOutput, type Taken } from '../../src/transports/rest/output.ts'
import { splitBody } from '../../src/transports/rest/split-body.ts'
import { rest } from '../../src/transports/rest.ts'
import { bytesOf, framesOf, messagesOf, readBytes, textOf, transportContract } from './contract.ts'

/** Queues as a job would keep them. */
function queues() {
  const kept: { input?: RestInput; output?: RestOutput } = {}
  const attach = {
    attachInput(queue: RestInput) {
      kept.input = queue
    },
    attachOutput(queue: RestOutput) {
      kept.output = queue
    },
  }
  return { kept, context: { rest: attach } }
}

async function takeAll(output: RestOutput): Promise<Uint8Array[]> {
  const bodies: Uint8Array[] = []
  for (;;) {
    const taken = await output.take({ wait: 0, one: output.mode !== 'chunked' })
    if (taken.kind !== 'data') return bodies
    bodies.push(taken.bytes)
  }
}

describe.each(['chunked', 'simple'] as const)('REST, mode %s', (Mode) => {
  transportContract({
    transport: rest,
    input: async () => {
      const { kept, context } = queues()
      return {
        options: { Mode },
        context,
        send: async (messages) => {
          for (const message of messages) await kept.input!.accept([message])
        },
        end: async () => kept.input!.end(),
      }
    },
    output: async () => {
      const { kept, context } = queues()
      return { options: { Mode }, context, received: () => takeAll(kept.output!) }
    },
    brokenInput: async () => ({ options: { Mode }, mentions: /running job/ }),
    brokenOutput: async () => ({ options: { Mode }, mentions: /running job/ }),
  })
})

describe('the mode that is not written down', () => {
  test.each([
    ['json', undefined, 'automatic'],
    ['null', undefined, 'simple'],
    ['csv', undefined, 'chunked'],
    ['json', 'delimited', 'chunked'],
    ['json', 'null', 'simple'],
  ])('encoding %s, envelope %s: %s', (encoding, envelope, mode) => {
    expect(rest.settle!({ Mode: null }, { direction: 'input', encoding, envelope })).toEqual({ Mode: mode })
    expect(rest.settle!({ Mode: 'simple' }, { direction: 'input', encoding, envelope })).toEqual({ Mode: 'simple' })
  })
})

describe('splitBody', () => {
  test.each([
    ['', []],
    ['1', ['1']],
    ['{"a":1}\n', ['{"a":1}']],
    ['{"a":1}\n{"a":2}', ['{"a":1}', '{"a":2}']],
    ['{"a":1}\r\n\r\n{"a":2}\r\n', ['{"a":1}', '{"a":2}']],
    ['{\n  "a": 1\n}\n', ['{\n  "a": 1\n}']],
    ['\n[1,\n2]\n\n', ['[1,\n2]']],
    ['not json\n2', ['not json', '2']],
    ['{"a":\n2', ['{"a":', '2']],
    ['1\n{"$pitot":"pig"}\n', ['1', '{"$pitot":"pig"}']],
  ])('%j', (body, records) => {
    const bytes = bytesOf(body)
    const bounds = splitBody(bytes)
    expect(messagesOf({ frames: { bytes, bounds, position: 0 }, position: () => ({}) }).map(textOf)).toEqual(records)
  })

  test('any JSON values on lines come apart, any one value stays whole however it is laid out', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(4), (values, indent) => {
        const body = bytesOf(values.map((value) => JSON.stringify(value)).join('\n'))
        expect(splitBody(body).length / 2).toBe(values.length)
        expect(splitBody(bytesOf(JSON.stringify(values, null, indent))).length).toBe(2)
      }),
    )
  })
})

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
})

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

test('through a real server: a full queue holds the POST, a GET waits for what comes', async () => {
  const input = new RestInput('chunked', { queueBytes: 2 ** 16 })
  const output = new RestOutput('chunked')
  const server = createServer(async (request, response) => {
    if (request.method === 'POST') {
      const refused = await input.accept(request).then(
        () => undefined,
        (error: BodyRefused) => error,
      )
      return void response.writeHead(refused === undefined ? 204 : 403).end(refused?.message)
    }
    const taken = await output.take({ wait: 5000 })
    response.writeHead(taken.kind === 'end' ? 204 : 200).end(taken.kind === 'data' ? taken.bytes : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const line = `${'x'.repeat(1023)}\n`
  let done = false
  const posting = fetch(url, { method: 'POST', body: line.repeat(8192) }).then((response) => {
    done = true
    return response.status
  })
  const getting = fetch(url).then((response) => response.text())
  await sleep(100)
  expect(done).toBe(false)
  expect(input.counters().queued_bytes).toBeLessThanOrEqual(2 ** 18)
  let size = 0
  for await (const { frames } of input) {
    size += frames.bytes.length
    if (size === 8192 * 1024) break
  }
  expect(await posting).toBe(204)
  await output.write(framesOf([bytesOf('scored\n')]))
  expect(await getting).toBe('scored\n')
  await Promise.all([input.close(), output.close()])
  expect((await fetch(url, { method: 'POST', body: 'late' })).status).toBe(403)
  expect((await fetch(url)).status).toBe(204)
  server.closeAllConnections()
  server.close()
})

test('memory stays bounded whatever goes through', async () => {
  const input = new RestInput('simple', { queueBytes: 2 ** 20 })
  const output = new RestOutput('simple', { queueBytes: 2 ** 20 })
  const body = new Uint8Array(64 * 1024).fill(0x61)
  const senders = Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let index = 0; index < 100; index++) await input.accept([body])
    }),
  ).then(() => input.end())
  const moving = (async () => {
    for await (const { frames } of input) {
      expect(input.counters().queued_bytes).toBeLessThanOrEqual(2 ** 20 + body.length)
      await output.write(frames)
      expect(output.counters().queued_bytes).toBeLessThanOrEqual(2 ** 20 + 2 ** 20)
    }
    await output.close()
  })()
  let size = 0
  for (
    let taken = await output.take({ wait: 1000 });
    taken.kind === 'data';
    taken = await output.take({ wait: 1000 })
  ) {
    size += taken.bytes.length - taken.bytes.filter((byte) => byte === 0x0a).length
  }
  await Promise.all([senders, moving])
  expect(size).toBe(8 * 100 * body.length)
})
