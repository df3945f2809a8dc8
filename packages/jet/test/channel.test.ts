// Messages over real pipes: in order, whole, with back-pressure, and an end that is told once.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { Channel } from '../src/channel.ts'
import {
  decodeHostMessage,
  decodeJetMessage,
  encodeHostMessage,
  encodeJetMessage,
  type HostMessage,
  type JetMessage,
} from '../src/index.ts'
import { comparable, hostMessage } from './messages.ts'

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

async function pair(): Promise<[Socket, Socket]> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as { port: number }).port, '127.0.0.1')
  const [[accepted]] = await Promise.all([once(server, 'connection') as Promise<[Socket]>, once(client, 'connect')])
  server.close()
  sockets.push(client, accepted)
  return [client, accepted]
}

function hostSide(socket: Socket) {
  const received: JetMessage[] = []
  const ends: (Error | undefined)[] = []
  const channel = new Channel<JetMessage, HostMessage>({
    input: socket,
    output: socket,
    encode: encodeHostMessage,
    decode: decodeJetMessage,
    message: (message) => received.push(message),
    ended: (error) => ends.push(error),
  })
  return { channel, received, ends }
}

function jetSide(socket: Socket) {
  const received: HostMessage[] = []
  const ends: (Error | undefined)[] = []
  const channel = new Channel<HostMessage, JetMessage>({
    input: socket,
    output: socket,
    encode: encodeJetMessage,
    decode: decodeHostMessage,
    message: (message) => received.push(message),
    ended: (error) => ends.push(error),
  })
  return { channel, received, ends }
}

const score = (size: number): HostMessage => ({
  kind: 'score',
  batch: {
    batch: 1,
    slot: 0,
    isRecordset: false,
    first: 1,
    bytes: new Uint8Array(size).map((_, index) => index),
    bounds: [0, size],
  },
})

test('whatever is sent arrives, in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostMessage, { maxLength: 20 }), async (messages) => {
      const [one, other] = await pair()
      const { channel } = hostSide(one)
      const { received, ends } = jetSide(other)
      for (const message of messages) channel.send(message)
      channel.endOutput()
      await once(other, 'close')
      expect(received.map(comparable)).toEqual(messages.map(comparable))
      expect(ends).toEqual([undefined])
    }),
    { numRuns: 30 },
  )
})

test('megabytes in both directions at once', async () => {
  const [one, other] = await pair()
  const host = hostSide(one)
  const jet = jetSide(other)
  const sent = Array.from({ length: 5 }, (_, index) => score(3_000_000 + index))
  const failed: JetMessage = { kind: 'failed', sentence: 'x'.repeat(5_000_000) }
  for (const message of sent) host.channel.send(message)
  jet.channel.send(failed)
  await Promise.all([host.channel.drained(), jet.channel.drained()])
  host.channel.endOutput()
  jet.channel.endOutput()
  await Promise.all([once(one, 'close'), once(other, 'close')])
  expect(jet.received.map((message) => message.kind === 'score' && message.batch.bytes.length)).toEqual([
    3_000_000, 3_000_001, 3_000_002, 3_000_003, 3_000_004,
  ])
  expect(host.received).toEqual([failed])
})

test('who sends is told when the other side has taken it', async () => {
  const [one, other] = await pair()
  const { channel } = hostSide(one)
  expect(channel.send({ kind: 'snapshot' })).toBe(true)
  await channel.drained()
  let isTaken = false
  expect(channel.send(score(50_000_000))).toBe(false)
  const taken = channel.drained().then(() => {
    isTaken = true
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(isTaken).toBe(false)
  other.resume()
  await taken
})

describe('ends', () => {
  test('the other side is gone: sending goes nowhere and does not hang', async () => {
    const [one, other] = await pair()
    const { channel, ends } = hostSide(one)
    channel.send(score(50_000_000))
    const draining = channel.drained()
    other.destroy()
    await draining
    expect(channel.send({ kind: 'stop' })).toBe(true)
    await channel.drained()
    expect(ends).toEqual([undefined])
  })

  test('what is no message is told once, and nothing after it is delivered', async () => {
    const [one, other] = await pair()
    const { received, ends } = hostSide(one)
    const good = encodeJetMessage({ kind: 'attached' })
    other.write(Buffer.concat([...good, Buffer.from([1, 0, 0, 0, 99]), ...good]))
    other.end(Buffer.concat(good))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(received).toEqual([{ kind: 'attached' }])
    expect(ends).toEqual([expect.objectContaining({ message: 'there is no message of kind 99 from a jet' })])
  })

  test('a closed channel is silent', async () => {
    const [one, other] = await pair()
    const { channel, received, ends } = hostSide(one)
    channel.close()
    channel.close()
    other.write(Buffer.concat(encodeJetMessage({ kind: 'attached' })))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect({ received, ends }).toEqual({ received: [], ends: [] })
  })
})
