// Values to MessagePack: a value goes in, its bytes are added to a sink.
import { Branch, type ByteSink } from '@pitot/avro'

const MAXIMUM_DEPTH = 1000
const encoder = new TextEncoder()

/** Records and maps become maps, a value of a union that does not tell its branch becomes a map from the branch to the value. */
export function writeMsgpack(sink: ByteSink, value: unknown, depth = 0): void {
  if (depth > MAXIMUM_DEPTH) throw new RangeError(`expected at most ${MAXIMUM_DEPTH} levels of nesting, found more`)
  if (value === null) putByte(sink, 0xc0)
  else if (typeof value === 'boolean') putByte(sink, value ? 0xc3 : 0xc2)
  else if (typeof value === 'number') putNumber(sink, value)
  else if (typeof value === 'bigint') putWide(sink, value)
  else if (typeof value === 'string') putText(sink, value)
  else if (typeof value === 'object') putObject(sink, value, depth + 1)
  else throw new TypeError(`expected a JSON value or bytes, found a ${typeof value}`)
}

function putNumber(sink: ByteSink, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) putInteger(sink, value)
  else putDouble(sink, value)
}

function putByte(sink: ByteSink, byte: number): void {
  sink.ensure(1)
  sink.bytes[sink.length++] = byte
}

/** A head byte and a number behind it. */
function put(sink: ByteSink, head: number, width: 1 | 2 | 4, value: number): void {
  sink.ensure(1 + width)
  sink.bytes[sink.length] = head
  const at = sink.length + 1
  if (width === 1) sink.view.setUint8(at, value)
  else if (width === 2) sink.view.setUint16(at, value)
  else sink.view.setUint32(at, value)
  sink.length = at + width
}

function putInteger(sink: ByteSink, value: number): void {
  if (value >= 0) {
    if (value < 0x80) putByte(sink, value)
    else if (value < 0x100) put(sink, 0xcc, 1, value)
    else if (value < 0x10000) put(sink, 0xcd, 2, value)
    else if (value < 2 ** 32) put(sink, 0xce, 4, value)
    else putWide(sink, BigInt(value))
  } else if (value >= -0x20) putByte(sink, value + 0x100)
  else if (value >= -0x80) put(sink, 0xd0, 1, value)
  else if (value >= -0x8000) put(sink, 0xd1, 2, value)
  else if (value >= -(2 ** 31)) put(sink, 0xd2, 4, value)
  else putWide(sink, BigInt(value))
}

function putDouble(sink: ByteSink, value: number): void {
  sink.ensure(9)
  sink.bytes[sink.length] = 0xcb
  sink.view.setFloat64(sink.length + 1, value)
  sink.length += 9
}

function putWide(sink: ByteSink, value: bigint): void {
  if (value < -(2n ** 63n) || value >= 2n ** 64n) throw new RangeError(`expected an integer of 64 bits, found ${value}`)
  sink.ensure(9)
  sink.bytes[sink.length] = value < 0n ? 0xd3 : 0xcf
  sink.view.setBigUint64(sink.length + 1, BigInt.asUintN(64, value))
  sink.length += 9
}

/** Heads for lengths of 8, 16 and 32 bits; `short` up to `limit` is a head of its own. */
function putLength(
  sink: ByteSink,
  length: number,
  short: number,
  limit: number,
  heads: readonly [number, number, number],
): void {
  if (length < limit) putByte(sink, short | length)
  else if (length < 0x100 && heads[0] !== 0) put(sink, heads[0], 1, length)
  else if (length < 0x10000) put(sink, heads[1], 2, length)
  else put(sink, heads[2], 4, length)
}

function putText(sink: ByteSink, text: string): void {
  if (!text.isWellFormed()) throw new TypeError('expected a string of whole characters, found half of a surrogate pair')
  const bytes = encoder.encode(text)
  putLength(sink, bytes.length, 0xa0, 32, [0xd9, 0xda, 0xdb])
  putBytes(sink, bytes)
}

function putBytes(sink: ByteSink, bytes: Uint8Array): void {
  sink.ensure(bytes.length)
  sink.bytes.set(bytes, sink.length)
  sink.length += bytes.length
}

function putObject(sink: ByteSink, value: object, depth: number): void {
  if (value instanceof Branch) {
    // Null is never tagged.
    if (value.value !== null) {
      putByte(sink, 0x81)
      putText(sink, value.type)
      writeMsgpack(sink, value.value, depth)
    } else putByte(sink, 0xc0)
  } else if (Array.isArray(value)) {
    putLength(sink, value.length, 0x90, 16, [0, 0xdc, 0xdd])
    for (const item of value) writeMsgpack(sink, item, depth)
  } else if (value instanceof Uint8Array) {
    putLength(sink, value.length, 0, 0, [0xc4, 0xc5, 0xc6])
    putBytes(sink, value)
  } else {
    const entries = value instanceof Map ? [...value] : Object.entries(value)
    putLength(sink, entries.length, 0x80, 16, [0, 0xde, 0xdf])
    for (const [key, item] of entries) {
      putText(sink, String(key))
      writeMsgpack(sink, item, depth)
    }
  }
}
