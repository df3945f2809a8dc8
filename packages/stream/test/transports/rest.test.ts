import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type BodyRefused, RestInput } from '../../src/transports/rest/input.ts'
import { RestOutput } from '../../src/transports/rest/output.ts'
import { rest } from '../../src/transports/rest.ts'
import { bytesOf, framesOf, transportContract } from './contract.ts'

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
