// Datagrams on their way to a reader: gathered in one piece of memory, a range each.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import { type Chunk, type Source, type StreamContext, StreamFailure } from '../../transport.ts'
import { networkReason } from '../network-failure.ts'
import { sourceFrom } from '../source.ts'
import { kernelDrops } from './kernel-drops.ts'
import type { UdpOptions } from './options.ts'

/** Datagrams wait here, besides the kernel's buffer, while nobody asks; more are dropped, and counted. */
const WAITING_BYTES = 16 * 2 ** 20
const FIRST_MEMORY = 2 ** 16

export async function readUdp({ BindTo, Port, ReceiveBuffer }: UdpOptions, context: StreamContext): Promise<Source> {
  const family = isIPv6(BindTo) ? 'udp6' : 'udp4'
  const socket = createSocket({ type: family, recvBufferSize: ReceiveBuffer })
  const gathered = new Gathered()
  let [received, dropped] = [0, 0]
  socket.on('message', (datagram) => {
    if (gathered.add(datagram)) received++
    else dropped++
    socket.emit('gathered')
  })
  try {
    socket.bind({ address: BindTo, port: Port })
    await once(socket, 'listening')
  } catch (error) {
    socket.close()
    throw new StreamFailure(`cannot listen for datagrams on ${BindTo}:${Port}: ${networkReason(error)}`, {
      cause: error,
    })
  }
  const granted = socket.getRecvBufferSize()
  if (granted < ReceiveBuffer) {
    const advice = 'raise net.core.rmem_max if datagrams are dropped'
    context.log(
      'info',
      `the kernel grants ${granted} of ${ReceiveBuffer} bytes to receive datagrams on ${Port}; ${advice}`,
    )
  }
  let lastDrops = 0
  let isClosed = false
  const drops = () => {
    lastDrops = kernelDrops(Port, family) ?? lastDrops
    return lastDrops
  }
  return sourceFrom(context, {
    async *read(signal) {
      for (;;) {
        while (gathered.isEmpty) await once(socket, 'gathered', { signal })
        yield gathered.take()
      }
    },
    dispose() {
      // The figures of a closed socket are gone.
      drops()
      socket.close()
      isClosed = true
    },
    counters: () => ({
      received_datagrams: received,
      kernel_dropped_datagrams: isClosed ? lastDrops : drops(),
      reader_dropped_datagrams: dropped,
    }),
  })
}

/** Grows by doubling; what is taken belongs to the taker. */
class Gathered {
  #memory = new Uint8Array(FIRST_MEMORY)
  #bounds: number[] = []
  #size = 0
  #count = 0

  get isEmpty(): boolean {
    return this.#bounds.length === 0
  }

  add(datagram: Uint8Array): boolean {
    const end = this.#size + datagram.length
    if (end > WAITING_BYTES || this.#bounds.length > WAITING_BYTES / 64) return false
    if (end > this.#memory.length) {
      const larger = new Uint8Array(Math.max(2 * this.#memory.length, end))
      larger.set(this.#memory.subarray(0, this.#size))
      this.#memory = larger
    }
    this.#memory.set(datagram, this.#size)
    this.#bounds.push(this.#size, end)
    this.#size = end
    return true
  }

  take(): Chunk {
    const bounds = this.#bounds
    const first = this.#count
    const chunk: Chunk = {
      frames: { bytes: this.#memory.subarray(0, this.#size), bounds, position: 0 },
      position: (index = bounds.length / 2 - 1) => ({ datagram: first + index + 1 }),
    }
    this.#count += bounds.length / 2
    // About as much as last time: bursts come in a row.
    this.#memory = new Uint8Array(Math.max(FIRST_MEMORY, Math.min(this.#size, 2 ** 20)))
    this.#bounds = []
    this.#size = 0
    return chunk
  }
}
