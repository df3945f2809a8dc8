// Resident memory stays flat however much flows through. In CI over half a gigabyte, in the soak run over ten.
import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const mebibyte = 2 ** 20
const total = (process.env.PITOT_TEST_SOAK === undefined ? 512 : 10 * 1024) * mebibyte
const allowedGrowth = 32 * mebibyte
/** From here on it must not grow. */
const warm = 10 * mebibyte

test(`memory is the same after ${warm / mebibyte} MiB and after ${total / mebibyte} MiB`, async () => {
  const lines = Buffer.from(Array.from({ length: 5000 }, (_, n) => `{"n":${n},"text":"${'x'.repeat(170)}"}\n`).join(''))
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

  const marks = [warm, ...Array.from({ length: 8 }, (_, index) => warm + ((total - warm) / 8) * (index + 1))]
  const reader = join(import.meta.dirname, 'memory', 'reader.ts')
  // The engine's young generation grows once, by itself, when it likes; held at one size, what is seen is ours.
  const flags = ['--conditions=pitot-source', '--max-semi-space-size=8']
  const child = spawn(process.execPath, [...flags, reader, String(port), ...marks.map(String)], {
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
  expect(Math.max(...growth) / mebibyte, JSON.stringify(seen)).toBeLessThan(allowedGrowth / mebibyte)
}, 600_000)
