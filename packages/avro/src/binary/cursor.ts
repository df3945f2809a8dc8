// A place in bytes from which Avro's binary is read: bytes go in, numbers, strings and byte ranges come out, the place moves on.
import { Refusal } from '../value/refusal.ts'
import { decodeUtf8 } from './utf8.ts'

/** The functions below read at `offset`, never at or beyond `end`, and move `offset`. They throw a `Refusal`. */
export class ByteCursor {
  bytes: Uint8Array
  offset: number
  end: number
  view: DataView
  /** Where `bytes` starts in the buffer of `view`. */
  base: number

  constructor(bytes: Uint8Array, offset = 0, end = bytes.length) {
    this.bytes = bytes
    this.offset = offset
    this.end = end
    this.view = new DataView(bytes.buffer)
    this.base = bytes.byteOffset
  }

  /** Goes to other bytes; cheap when they lie in the same buffer. */
  reset(bytes: Uint8Array, offset = 0, end = bytes.length): void {
    if (bytes !== this.bytes) {
      this.bytes = bytes
      this.base = bytes.byteOffset
      if (bytes.buffer !== this.view.buffer) this.view = new DataView(bytes.buffer)
    }
    this.offset = offset
    this.end = end
  }
}

/** The data may be right as far as it goes: more bytes could make it complete. */
export class Truncated extends Refusal {}

function truncated(cursor: ByteCursor, expected: string): Truncated {
  return new Truncated(`the end of the data at byte ${cursor.end}`, expected)
}

/** Anything longer than this is taken for damage, not for data of which the rest is missing. */
const MAXIMUM_LENGTH = 2 ** 31

function beyond(count: number | bigint, found: string, expected: string): Refusal {
  return count >= 0 && count < MAXIMUM_LENGTH ? new Truncated(found, expected) : new Refusal(found, expected)
}

export function readBoolean(cursor: ByteCursor): boolean {
  if (cursor.offset >= cursor.end) throw truncated(cursor, 'a boolean')
  const byte = cursor.bytes[cursor.offset++]!
  if (byte > 1) throw new Refusal(`the byte ${byte} at ${cursor.offset - 1}`, 'a boolean (the byte 0 or 1)')
  return byte === 1
}

/** Zigzag, then seven bits a byte, lowest first; the eighth bit says that another byte follows. */
export function readInt(cursor: ByteCursor): number {
  const { bytes, offset, end } = cursor
  const first = bytes[offset]!
  if (offset < end && first < 0x80) {
    cursor.offset = offset + 1
    return (first >>> 1) ^ -(first & 1)
  }
  const long = readLong(cursor)
  if ((Number(long) | 0) !== long) {
    cursor.offset = offset
    throw new Refusal(`the number ${long} at byte ${offset}`, 'an int (a whole number of 32 bits)')
  }
  return long
}

export function readLong(cursor: ByteCursor): number | bigint {
  const { bytes, end } = cursor
  let offset = cursor.offset
  let low = 0
  for (let shift = 0; shift < 28; shift += 7) {
    if (offset >= end) throw truncated(cursor, 'the rest of a number')
    const byte = bytes[offset++]!
    low |= (byte & 0x7f) << shift
    if (byte < 0x80) {
      cursor.offset = offset
      return (low >>> 1) ^ -(low & 1)
    }
  }
  let high = 0
  for (let shift = 0; shift < 28; shift += 7) {
    if (offset >= end) throw truncated(cursor, 'the rest of a number')
    const byte = bytes[offset++]!
    high |= (byte & 0x7f) << shift
    if (byte < 0x80) {
      cursor.offset = offset
      return zigzag(low, high, 0)
    }
  }
  return readLongest(cursor, offset, low, high)
}

/** The ninth and tenth byte: seven bits, and the one bit that is left of 64. */
function readLongest(cursor: ByteCursor, start: number, low: number, high: number): number | bigint {
  if (start >= cursor.end) throw truncated(cursor, 'the rest of a number')
  const ninth = cursor.bytes[start]!
  let offset = start + 1
  let top = ninth & 0x7f
  if (ninth >= 0x80) {
    if (offset >= cursor.end) throw truncated(cursor, 'the rest of a number')
    const tenth = cursor.bytes[offset++]!
    if (tenth > 1)
      throw new Refusal(`a number of more than 64 bits at byte ${cursor.offset}`, 'a long (at most ten bytes)')
    top |= tenth << 7
  }
  cursor.offset = offset
  return zigzag(low, high, top)
}

const TWO_28 = 2 ** 28

/** From 28, 28 and 8 bits. Sums below 2^53 are exact as numbers. */
function zigzag(low: number, high: number, top: number): number | bigint {
  if (top === 0 && high < 2 ** 25) {
    const sum = high * TWO_28 + low
    return low & 1 ? -(sum + 1) / 2 : sum / 2
  }
  const sum = (BigInt(top) << 56n) | (BigInt(high) << 28n) | BigInt(low)
  const long = sum & 1n ? -((sum + 1n) >> 1n) : sum >> 1n
  return Number.isSafeInteger(Number(long)) ? Number(long) : long
}

export function readFloat(cursor: ByteCursor): number {
  const { offset } = cursor
  if (offset + 4 > cursor.end) throw truncated(cursor, 'the four bytes of a float')
  cursor.offset = offset + 4
  return cursor.view.getFloat32(cursor.base + offset, true)
}

export function readDouble(cursor: ByteCursor): number {
  const { offset } = cursor
  if (offset + 8 > cursor.end) throw truncated(cursor, 'the eight bytes of a double')
  cursor.offset = offset + 8
  return cursor.view.getFloat64(cursor.base + offset, true)
}

/** A copy, so that a record that is kept does not keep the whole chunk it came in. */
export function readFixed(cursor: ByteCursor, size: number): Uint8Array {
  const { offset } = cursor
  if (size > cursor.end - offset) throw truncated(cursor, `${size} bytes`)
  cursor.offset = offset + size
  // Not `slice`: a Node Buffer's shares the memory.
  return new Uint8Array(cursor.bytes.subarray(offset, offset + size))
}

export function skipBytes(cursor: ByteCursor, size: number): void {
  if (size > cursor.end - cursor.offset) throw truncated(cursor, `${size} bytes`)
  cursor.offset += size
}

export function readBytes(cursor: ByteCursor): Uint8Array {
  return readFixed(cursor, readLength(cursor))
}

export function readLength(cursor: ByteCursor): number {
  const start = cursor.offset
  const length = readLong(cursor)
  if (typeof length === 'bigint' || length < 0 || length > cursor.end - cursor.offset) {
    const rest = cursor.end - cursor.offset
    throw beyond(length, `a length of ${length} at byte ${start}`, `a length from 0 to the ${rest} bytes that are left`)
  }
  return length
}

export function readString(cursor: ByteCursor): string {
  const length = readLength(cursor)
  const start = cursor.offset
  const end = start + length
  const text = decodeUtf8(cursor.bytes, start, end)
  if (text === undefined) throw new Refusal(`bytes ${start} to ${end - 1} that are no UTF-8`, 'a string')
  cursor.offset = end
  return text
}

/** The index of a branch or symbol, from 0 to `count - 1`. */
export function readIndex(cursor: ByteCursor, count: number, expected: string): number {
  const start = cursor.offset
  const index = readInt(cursor)
  if (index < 0 || index >= count)
    throw new Refusal(`the index ${index} at byte ${start}`, `${expected} (an index from 0 to ${count - 1})`)
  return index
}

/** Items that take no bytes at all are limited by this alone. */
const MAXIMUM_EMPTY_ITEMS = 2 ** 20

/**
 * How many items of an array or map follow, 0 at the end. `minimum`: the bytes that each takes at least; `already`: the
 * items read before, so that a wild count is seen before anything is made for it.
 */
export function readBlock(cursor: ByteCursor, minimum: number, already: number): number {
  const start = cursor.offset
  let count = readLong(cursor)
  // A negative count is followed by the size of the block in bytes, for those who want to skip it.
  if (count < 0) {
    count = -count
    readLength(cursor)
  }
  const limit = minimum === 0 ? MAXIMUM_EMPTY_ITEMS - already : (cursor.end - cursor.offset) / minimum
  if (typeof count === 'bigint' || count > limit) {
    const found = `a block of ${count} items at byte ${start}`
    const expected = `at most ${Math.floor(limit)} items, which the data can hold`
    throw minimum === 0 ? new Refusal(found, expected) : beyond(count, found, expected)
  }
  return count
}
