// A load generator that costs less than any server: raw sockets, requests written in bursts, answers counted by their heads.
import { connect, type Socket } from 'node:net'

const connections = 16
const burst = 8
const head = Buffer.from('HTTP/1.1 200')

/** Answers per second that a server gives to one GET, over so many milliseconds. */
export async function answersPerSecond(url: URL, milliseconds: number): Promise<number> {
  const request = Buffer.from(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`.repeat(burst))
  let answers = 0
  let running = true
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  const ended = sockets.map(
    (socket) =>
      new Promise<void>((resolve, reject) => {
        let pending = 0
        const send = () => {
          if (!running) return void socket.end(resolve)
          pending = burst
          socket.write(request)
        }
        socket.on('error', reject)
        socket.on('data', (bytes: Buffer) => {
          const count = countHeads(bytes)
          answers += count
          pending -= count
          if (pending === 0) send()
        })
        send()
      }),
  )
  const start = performance.now()
  await new Promise((resume) => setTimeout(resume, milliseconds))
  const rate = answers / ((performance.now() - start) / 1000)
  running = false
  await Promise.all(ended)
  return rate
}

function open(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => resolve(socket))
    socket.once('error', reject)
    socket.setNoDelay(true)
  })
}

/** A head could be cut by a packet border; it is long enough and rare enough there to be looked for from one byte on. */
function countHeads(bytes: Buffer): number {
  let count = 0
  for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + head.length)) count++
  return count
}
