// Resident memory stays flat however much flows through. In CI over a quarter of a gigabyte per input, in the soak run over ten.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { describeKafka, frames } from './transports/kafka/cluster.ts'

const mebibyte = 2 ** 20
const isSoak = process.env.PITOT_TEST_SOAK !== undefined
const total = isSoak ? 10 * 1024 * mebibyte : 256 * mebibyte
const allowedGrowth = 32 * mebibyte
/** From here on it must not grow. */
const warm = 10 * mebibyte
const title = `memory is the same after ${warm / mebibyte} MiB and after ${total / mebibyte} MiB`
const timeout = isSoak ? 1_800_000 : 120_000

const records = Array.from({ length: 5000 }, (_, n) => `{"n":${n},"text":"${'x'.repeat(150)}${n ** 5}"}`)
const lines = Buffer.from(`${records.join('\n')}\n`)

describe('tcp', () => {
  test(
    title,
    async () => {
      const server = createServer((socket) => {
        const send = () => {
          while (socket.writable && socket.write(lines)) {}
        }
        socket.on('drain', send)
        socket.on('error', () => socket.destroy())
        send()
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const { port } = server.address() as { port: number }
      await staysFlat({ Transport: { Type: 'TCP', Host: '127.0.0.1', Port: port } })
    },
    timeout,
  )
})

describe('file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pitot-memory-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([
    ['plain', 'in.ndjson', (bytes: Buffer) => bytes],
    ['gzip', 'in.ndjson.gz', (bytes: Buffer) => gzipSync(bytes)],
    ['zstd', 'in.ndjson.zst', (bytes: Buffer) => zstdCompressSync(bytes)],
  ])(
    `%s: ${title}`,
    async (_, name, pack) => {
      const path = join(folder, name)
      writeFileSync(path, pack(Buffer.concat(Array(60).fill(lines))))
      await staysFlat({ Transport: { Type: 'file', Path: path }, Loop: true })
    },
    timeout,
  )
})

describeKafka('kafka', {}, (brokers) => {
  test.each(['none', 'zstd'])(
    `compression %s: ${title}`,
    async (Compression) => {
      const Topic = await brokers.topic()
      const sink = await brokers.sink({ Topic, Compression })
      for (let round = 0; round < 60; round++) await sink.write(frames(records))
      await sink.close()
      const BootstrapServers = brokers.server.addresses()
      const transport = { Type: 'kafka', BootstrapServers, Topic, MaxWaitTime: 100 }
      await staysFlat({ Transport: transport, Loop: true, SkipToRecord: 'earliest' })
    },
    timeout,
  )
})

/** One process reads all of it, and is looked at again and again. */
async function staysFlat(descriptor: object): Promise<void> {
  const marks = [warm, ...Array.from({ length: 8 }, (_, index) => warm + ((total - warm) / 8) * (index + 1))]
  const reader = join(import.meta.dirname, 'memory', 'reader.ts')
  const given = [descriptor, ...marks].map((each) => JSON.stringify(each))
  const child = spawn(process.execPath, ['--conditions=pitot-source', reader, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.on('data', (text: Buffer) => {
    printed += text.toString()
  })
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
  const seen = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { bytes: number; memory: number })
  expect(seen).toHaveLength(marks.length)
  const growth = seen.map(({ memory }) => memory - seen[0]!.memory)
  if (isSoak) console.log(growth.map((each) => (each / mebibyte).toFixed(0)).join(', '), 'MiB more than at first')
  expect(Math.max(...growth) / mebibyte, JSON.stringify(seen)).toBeLessThan(allowedGrowth / mebibyte)
}
