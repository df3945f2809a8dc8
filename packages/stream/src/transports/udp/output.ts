// One datagram for each message.
import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { countFrames, frameAt } from '@pitot/codec'
import { type Sink, StreamFailure } from '../../transport.ts'
import { networkReason } from '../network-failure.ts'
import { sinkFrom } from '../sink.ts'
import type { UdpOptions } from './options.ts'

/** So many datagrams are on their way to the kernel at once; more would only wait in memory. */
const AT_ONCE = 256
const LARGEST = 65_507

/** Written means that the kernel has taken it: nobody can know whether a datagram arrives. */
export async function writeUdp({ Host, Port }: UdpOptions): Promise<Sink> {
  const to = `${Host}:${Port}`
  const found = await lookup(Host!).catch((error) => {
    throw new StreamFailure(`cannot send datagrams to ${to}: ${networkReason(error)}`, { passing: true, cause: error })
  })
  const socket = createSocket(found.family === 6 ? 'udp6' : 'udp4')
  // What is wrong is told to whoever sends.
  socket.on('error', () => undefined)

  const send = (message: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      socket.send(message, Port, found.address, (error) => {
        if (error === null) return resolve()
        reject(new StreamFailure(`cannot send a datagram to ${to}: ${networkReason(error)}`, { cause: error }))
      })
    })

  return sinkFrom(`the stream to ${to}`, {
    async write(frames) {
      const count = countFrames(frames)
      for (let index = 0; index < count; index++) {
        const size = frames.bounds[2 * index + 1]! - frames.bounds[2 * index]!
        if (size > LARGEST) {
          throw new StreamFailure(
            `a record of ${size} bytes does not fit into a datagram, which has ${LARGEST} at most`,
          )
        }
      }
      for (let from = 0; from < count; from += AT_ONCE) {
        const length = Math.min(AT_ONCE, count - from)
        await Promise.all(Array.from({ length }, (_, index) => send(frameAt(frames, from + index))))
      }
    },
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  })
}
