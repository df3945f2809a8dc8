import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { textFrame } from '../src/outlets.ts'

test('a frame is what a websocket client reads as one text message', async () => {
  const server = createServer()
  onTestFinished(() => void server.close())
  const opened = Promise.withResolvers<Duplex>()
  server.on('upgrade', (request, socket, head) => {
    new WebSocketServer({ noServer: true }).handleUpgrade(request, socket, head, () => opened.resolve(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => client.terminate())
  let received: string[] = []
  client.on('message', (data, isBinary) => received.push(isBinary ? 'binary' : String(data)))
  const socket = await opened.promise

  const text = fc.oneof(
    fc.string({ unit: 'binary' }).map((each) => each.toWellFormed()),
    fc.integer({ min: 0, max: 70_000 }).map((length) => 'x'.repeat(length)),
    fc.constantFrom(125, 126, 65_535, 65_536).map((length) => 'y'.repeat(length)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 4 }), async (texts) => {
      received = []
      socket.write(Buffer.concat(texts.map((each) => textFrame(each))))
      await vi.waitFor(() => expect(received).toHaveLength(texts.length), { timeout: 5000, interval: 2 })
      expect(received).toEqual(texts)
    }),
    { numRuns: 50 },
  )
})
