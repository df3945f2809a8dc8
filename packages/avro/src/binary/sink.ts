// Bytes that grow: numbers, strings and bytes go in as Avro's binary, one buffer for many records comes out.
import { isLong } from '../value/number.ts'
import { UNSURE } from '../value/refusal.ts'

/** One sink serves many records: write them one after the other, take or copy what `written` shows, and `clear`. */
export class ByteSink {
  bytes: Uint8Array
  view: DataView
  length = 0

  constructor(size = 4096) {
    this.bytes = new Uint8Array(size)
    this.view = new DataView(this.bytes.buffer)
  }

  /** Makes room for so many more bytes. Views of the old buffer are not written to any more. */
  ensure(more: number): void {
    const needed = this.length + more
    if (needed <= this.bytes.length) return
    const bytes = new Uint8Array(Math.max(needed, this.bytes.length * 2))
    bytes.set(this.bytes.subarray(0, this.length))
    this.bytes = bytes
    this.view = new DataView(bytes.buffer)
  }

  /** A view of what has been written since the last `clear`, good until the next write. */
  written(start = 0): Uint8Array {
    return this.bytes.subarray(start, this.length)
  }

  clear(): void {
    this.length = 0
  }
}

export function writeBoolean(sink: ByteSink, value: unknown): void {
  if (typeof value !== 'boolean') throw UNSURE
  sink.ensure(1)
  sink.bytes[sink.length++] = value ? 1 : 0
}

export function writeInt(sink: ByteSink, value: unknown): void {
  if (typeof value !== 'number' || (value | 0) !== value) throw UNSURE
  sink.ensure(5)
  const { bytes } = sink
  let rest = ((value << 1) ^ (value >> 31)) >>> 0
  while (rest > 0x7f) {
    bytes[sink.length++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  bytes[sink.length++] = rest
}

export function writeLong(sink: ByteSink, value: unknown): void {
  if (typeof value === 'number' && (value | 0) === value) writeInt(sink, value)
  else if (!isLong(value)) throw UNSURE
  else if (typeof value === 'number' && Math.abs(value) < 2 ** 52) writeWideNumber(sink, value)
  else writeBigInt(sink, BigInt(value as number | bigint))
}

/** Up to 52 bits, so that twice the number is still exact. */
function writeWideNumber(sink: ByteSink, value: number): void {
  sink.ensure(10)
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  while (rest > 0x7f) {
    sink.bytes[sink.length++] = (rest % 128) | 0x80
    rest = Math.floor(rest / 128)
  }
  sink.bytes[sink.length++] = rest
}

function writeBigInt(sink: ByteSink, value: bigint): void {
  sink.ensure(10)
  let rest = value < 0n ? -2n * value - 1n : 2n * value
  while (rest > 0x7fn) {
    sink.bytes[sink.length++] = Number(rest & 0x7fn) | 0x80
    rest >>= 7n
  }
  sink.bytes[sink.length++] = Number(rest)
}

export function writeFloat(sink: ByteSink, value: unknown): void {
  if (typeof value !== 'number') throw UNSURE
  sink.ensure(4)
  sink.view.setFloat32(sink.length, value, true)
  sink.length += 4
}

export function writeDouble(sink: ByteSink, value: unknown): void {
  if (typeof value !== 'number') throw UNSURE
  sink.ensure(8)
  sink.view.setFloat64(sink.length, value, true)
  sink.length += 8
}

export function writeBytes(sink: ByteSink, value: unknown): void {
  if (!(value instanceof Uint8Array)) throw UNSURE
  writeLong(sink, value.length)
  writeFixed(sink, value, value.length)
}

export function writeFixed(sink: ByteSink, value: unknown, size: number): void {
  if (!(value instanceof Uint8Array) || value.length !== size) throw UNSURE
  sink.ensure(size)
  sink.bytes.set(value, sink.length)
  sink.length += size
}

const encoder = new TextEncoder()
/** The length of such a string takes one byte, and its characters are faster written one by one while they are ASCII. */
const SHORT = 64

export function writeString(sink: ByteSink, value: unknown): void {
  if (typeof value !== 'string') throw UNSURE
  const { length } = value
  sink.ensure(3 * length + 5)
  if (length < SHORT) {
    const { bytes } = sink
    let offset = sink.length
    bytes[offset++] = length << 1
    let index = 0
    for (; index < length; index++) {
      const unit = value.charCodeAt(index)
      if (unit >= 0x80) break
      bytes[offset++] = unit
    }
    if (index === length) {
      sink.length = offset
      return
    }
  }
  writeLongString(sink, value)
}

/** The length in bytes stands before the bytes, but is known only after them: the bytes are moved if it takes more room. */
function writeLongString(sink: ByteSink, text: string): void {
  if (!text.isWellFormed()) throw UNSURE
  const start = sink.length
  const assumed = start + lengthSize(text.length)
  const { written } = encoder.encodeInto(text, sink.bytes.subarray(assumed))
  const behind = start + lengthSize(written)
  if (behind !== assumed) sink.bytes.copyWithin(behind, assumed, assumed + written)
  writeInt(sink, written)
  sink.length = behind + written
}

/** Bytes that a length takes: seven bits each, one of them for the sign. */
function lengthSize(length: number): number {
  return length < 2 ** 6 ? 1 : length < 2 ** 13 ? 2 : length < 2 ** 20 ? 3 : length < 2 ** 27 ? 4 : 5
}
