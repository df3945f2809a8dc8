import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { dropsIn, kernelDrops } from '../../src/transports/udp/kernel-drops.ts'
import type { UdpOptions } from '../../src/transports/udp/options.ts'
import { udp } from '../../src/transports/udp.ts'
import { bytesOf, contextFor, framesOf, readBytes, textOf, transportContract } from './contract.ts'

const toClose: Socket[] = []
const cleanUp = async () => {
  for (const socket of toClose.splice(0)) socket.close()
}

async function bound(address = '127.0.0.1'): Promise<Socket> {
  const socket = createSocket({ type: address.includes(':') ? 'udp6' : 'udp4', recvBufferSize: 4 * 2 ** 20 })
  socket.bind(0, address)
  await once(socket, 'listening')
  return socket
}

async function freePort(address?: string): Promise<number> {
  const socket = await bound(address)
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}

function optionsFor(port: number, more: Partial<UdpOptions> = {}): UdpOptions {
  return { BindTo: '127.0.0.1', Host: '127.0.0.1', Port: port, ReceiveBuffer: 8 * 2 ** 20, ...more }
}

async function send(port: number, messages: readonly Uint8Array[], address = '127.0.0.1'): Promise<void> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  for (const [index, message] of messages.entries()) {
    await new Promise((resolve) => socket.send(message, port, address, resolve))
    if (index % 100 === 99) await sleep(1)
  }
  socket.close()
}

transportContract({
  transport: udp,
  input: async () => {
    const port = await freePort()
    return { options: optionsFor(port), send: (messages) => send(port, messages) }
  },
  output: async () => {
    const socket = await bound()
    toClose.push(socket)
    const received: Uint8Array[] = []
    socket.on('message', (message) => received.push(new Uint8Array(message)))
    return {
      options: optionsFor(socket.address().port),
      async received() {
        for (let before = -1; before !== received.length; ) {
          before = received.length
          await sleep(30)
        }
        return received
      },
    }
  },
  brokenInput: async () => {
    const socket = await bound()
    toClose.push(socket)
    return { options: optionsFor(socket.address().port), mentions: /cannot listen for datagrams .*in use/ }
  },
  brokenOutput: async () => ({
    options: optionsFor(9, { Host: 'no.such.host.invalid' }),
    mentions: /cannot send .*host/,
  }),
  cleanUp,
})

test('datagrams keep their borders, the empty ones too; those that came together are read together', async () => {
  const port = await freePort()
  const source = await udp.open!(optionsFor(port), contextFor())
  await send(port, ['a', '', 'bc\n', 'd'.repeat(60_000)].map(bytesOf))
  await sleep(50)
  const next = await source[Symbol.asyncIterator]().next()
  const { frames, position } = next.value!
  expect(frames.bounds).toEqual([0, 1, 1, 1, 1, 4, 4, 60_004])
  expect([position(0), position()]).toEqual([{ datagram: 1 }, { datagram: 4 }])
  expect(source.counters!()).toEqual({
    received_datagrams: 4,
    kernel_dropped_datagrams: 0,
    reader_dropped_datagrams: 0,
  })
  await source.close()
})

test('IPv6', async () => {
  const port = await freePort('::1')
  const source = await udp.open!(optionsFor(port, { BindTo: '::1' }), contextFor())
  const sink = await udp.create!(optionsFor(port, { Host: '::1' }), contextFor())
  await sink.write(framesOf([bytesOf('six')]))
  expect((await readBytes(source, 3)).map(textOf)).toEqual(['six'])
  await sink.close()
  await source.close()
})

test('datagrams that the kernel drops are counted', async () => {
  const port = await freePort()
  const source = await udp.open!(optionsFor(port, { ReceiveBuffer: 4096 }), contextFor())
  const socket = createSocket('udp4')
  // Sent while this process is too busy to read: the buffer has room for a few only.
  const message = new Uint8Array(1000)
  let sent = 0
  socket.bind(0)
  await once(socket, 'listening')
  const sends: Promise<unknown>[] = []
  for (; sent < 200; sent++) sends.push(new Promise((resolve) => socket.send(message, port, '127.0.0.1', resolve)))
  await Promise.all(sends)
  await sleep(50)
  const counters = source.counters!()
  expect(counters.kernel_dropped_datagrams).toBeGreaterThan(0)
  expect(counters.received_datagrams! + counters.kernel_dropped_datagrams!).toBe(sent)
  await source.close()
  expect(source.counters!().kernel_dropped_datagrams).toBe(counters.kernel_dropped_datagrams)
  socket.close()
})

test('a reader that does not ask: memory is bounded, the rest is counted', async () => {
  const port = await freePort()
  const source = await udp.open!(optionsFor(port), contextFor())
  const message = new Uint8Array(60_000)
  for (let round = 0; round < 50; round++) {
    await send(
      port,
      Array.from({ length: 10 }, () => message),
    )
    await sleep(5)
  }
  const { received_datagrams: received, reader_dropped_datagrams: dropped } = source.counters!()
  expect(received! * message.length).toBeLessThanOrEqual(16 * 2 ** 20)
  expect(dropped).toBeGreaterThan(0)
  await source.close()
})

test('a receive buffer that the kernel does not grant is told', async () => {
  const log: string[] = []
  const options = optionsFor(await freePort(), { ReceiveBuffer: 2 ** 30 })
  const source = await udp.open!(options, contextFor({ log: (_level, line) => void log.push(line) }))
  expect(log).toEqual([expect.stringMatching(/grants \d+ of 1073741824 bytes .*rmem_max/)])
  await source.close()
})

test('a record that fits into no datagram ends the stream before anything of its batch is sent', async () => {
  const sink = await udp.create!(optionsFor(await freePort()), contextFor())
  await expect(sink.write(framesOf([bytesOf('a'), new Uint8Array(65_508)]))).rejects.toThrow(/65508 bytes does not fit/)
  await sink.close()
})

test('the table of the kernel', () => {
  const table = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  100: 0100007F:1F90 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1 2 0000 17
  101: 00000000:1F90 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 2 2 0000 3
  102: 0100007F:1F91 0100007F:1F90 07 00000000:00000000 00:00000000 00000000     0        0 3 2 0000 5
`
  expect([dropsIn(table, 8080), dropsIn(table, 8081), dropsIn(table, 80)]).toEqual([20, 5, undefined])
  expect(kernelDrops(1, 'udp4')).toBe(undefined)
})

test('rules: an output needs a host', () => {
  expect(udp.check!(optionsFor(1, { Host: null }), 'output')).toEqual([expect.stringContaining('Host')])
  expect(udp.check!(optionsFor(1, { Host: null }), 'input')).toEqual([])
})
