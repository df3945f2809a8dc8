// A load generator that costs less than any server: raw sockets that send the next request when they have their answer.
import { connect, type Socket } from 'node:net'

const connections = 64
const head = Buffer.from('HTTP/1.1 200')

/** Answers per second that a server gives to one GET, over so many milliseconds. */
export async function answersPerSecond(url: URL, milliseconds: number): Promise<number> {
  const request = Buffer.from(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\n\r\n`)
  let answers = 0
  let running = true
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  const ended = sockets.map(
    (socket) =>
      new Promise<void>((resolve, reject) => {
        socket.on('error', reject)
        socket.on('data', (bytes: Buffer) => {
          // One request is under way at a time, and its answer is small: the packet that begins with a head is all of it.
          if (bytes.indexOf(head) !== 0) return reject(new Error(`unexpected answer: ${bytes.subarray(0, 100)}`))
          answers++
          if (running) return socket.write(request)
          socket.end(resolve)
        })
        socket.write(request)
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
