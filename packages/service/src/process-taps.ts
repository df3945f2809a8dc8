// The taps that every service has: memory and processor time of its process, and values to try sensors with.
import type { Reading } from '@pitot/sensor'
import type { Taps } from './taps.ts'

const byteCount = 8

function int(): number {
  return Math.floor(Math.random() * 1000)
}

function text(): string {
  return Array.from({ length: byteCount }, () => String.fromCharCode(0x61 + Math.floor(Math.random() * 26))).join('')
}

const gauges: Readonly<Record<string, () => Reading>> = {
  // Bytes, resident.
  'sys.memory': () => process.memoryUsage.rss(),
  // Seconds of processor time since the start.
  'sys.cpu.utilization': () => {
    const { user, system } = process.cpuUsage()
    return { kernel: system / 1e6, user: user / 1e6 }
  },
  'sys.test.int': int,
  'sys.test.float': () => Math.random(),
  'sys.test.bytes': text,
  'sys.test.tagged.int': () => ({ a: int(), b: int() }),
  'sys.test.tagged.float': () => ({ a: Math.random(), b: Math.random() }),
  'sys.test.tagged.bytes': () => ({ a: text(), b: text() }),
}

export function addProcessTaps(taps: Taps): void {
  for (const [name, read] of Object.entries(gauges)) taps.gauge(name, read)
}
