// One score per request over HTTP: the engine's round trip against a bare handler with the model in its process.
//   node --conditions=pitot-source bench/engine/round-trip.ts
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { works } from '../pfa/documents.ts'
import { median } from '../turns.ts'
import { startEngine } from './engine.ts'

const turn = 1000
/** The first are not counted: what is compiled only after some ten thousand requests is to be compiled by then. */
const rounds = { warm: 8, counted: 15 }
const forest = works().find(({ name }) => name === 'c_forest')!
const data = mkdtempSync(join(tmpdir(), 'pitot-bench-'))
const head = Buffer.from('HTTP/1.1 200')

/** Requests per second, and the milliseconds within which 99 of 100 were answered. */
async function load(url: URL, connections: number, milliseconds: number): Promise<{ rate: number; p99: number }> {
  const body = forest.lines[0]!
  const request = Buffer.from(
    `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  const latencies: number[] = []
  let running = true
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  const ended = sockets.map(
    (socket) =>
      new Promise<void>((resolve, reject) => {
        let sent = performance.now()
        socket.on('error', reject)
        socket.on('data', (bytes: Buffer) => {
          // One request is under way at a time, and its answer is small: the packet that begins with a head is all of it.
          if (bytes.indexOf(head) !== 0) return reject(new Error(`unexpected answer: ${bytes.subarray(0, 300)}`))
          latencies.push(performance.now() - sent)
          if (!running) return socket.end(resolve)
          sent = performance.now()
          socket.write(request)
        })
        socket.write(request)
      }),
  )
  const start = performance.now()
  await new Promise((resume) => setTimeout(resume, milliseconds))
  const rate = latencies.length / ((performance.now() - start) / 1000)
  running = false
  await Promise.all(ended)
  latencies.sort((a, b) => a - b)
  return { rate, p99: latencies[Math.floor(latencies.length * 0.99)]! }
}

function open(url: URL): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname, () => resolve(socket))
    socket.once('error', reject)
    socket.setNoDelay(true)
  })
}

writeFileSync(join(data, 'forest.json'), forest.document)
const script = fileURLToPath(new URL('bare-server.ts', import.meta.url))
const bare = spawn(process.execPath, ['--conditions=pitot-source', script, join(data, 'forest.json')], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
const bareUrl = await new Promise<string>((resolve) => {
  bare.stdout.on('data', (text: Buffer) => resolve(/http:\S+/.exec(text.toString())![0]))
})
const engine = await startEngine(data)
try {
  const rest = JSON.stringify({ Transport: 'REST', Encoding: 'json' })
  await engine.put('/1/job/stream/out', 'application/json', rest)
  await engine.put('/1/job/stream/in', 'application/json', rest)
  await engine.put('/1/job/model', 'application/vnd.pitot.model-pfa+json', forest.document)
  const targets = { pitot: new URL('/1/job/score', engine.url), bare: new URL('/score', bareUrl) }
  const [throughput, latency]: [number[], number[]] = [[], []]
  for (let round = -rounds.warm; round < rounds.counted; round++) {
    const [one, other] = [await load(targets.pitot, 64, turn), await load(targets.bare, 64, turn)]
    const [alone, bareAlone] = [await load(targets.pitot, 1, turn), await load(targets.bare, 1, turn)]
    if (round < 0) continue
    throughput.push(one.rate / other.rate)
    latency.push(alone.p99 / bareAlone.p99)
    console.log(
      `round ${round + 1}: 64 connections ${Math.round(one.rate)}/s against ${Math.round(other.rate)}/s, ratio ${(one.rate / other.rate).toFixed(2)}; one connection p99 ${alone.p99.toFixed(2)} ms against ${bareAlone.p99.toFixed(2)} ms, ratio ${(alone.p99 / bareAlone.p99).toFixed(2)}`,
    )
  }
  const [rate, p99] = [median(throughput), median(latency)]
  console.log(
    `round trip, 64 connections: ${rate.toFixed(2)} of the bare handler (bar 0.6) ${rate >= 0.6 ? 'met' : 'MISSED'}`,
  )
  console.log(
    `round trip, one connection: p99 ${p99.toFixed(2)} times the bare handler's (bar 3) ${p99 < 3 ? 'met' : 'MISSED'}`,
  )
} finally {
  bare.kill()
  await engine.stop()
  rmSync(data, { recursive: true, force: true })
}
