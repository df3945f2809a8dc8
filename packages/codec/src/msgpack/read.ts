// MessagePack to values: a place in bytes goes in, a JSON-like value comes out (bin as Uint8Array, wide integers as bigint).
import { decodeUtf8 } from '@pitot/avro'
import { copyOf } from '../frames.ts'
import { setOwn } from '../own.ts'

/** More bytes could make the value complete. */
export class MoreBytesNeeded extends Error {
  constructor(at: number) {
    super(`expected the rest of a value, found the end of the data at byte ${at}`)
  }
}

const MAXIMUM_DEPTH = 1000

export class MsgpackReader {
  #bytes: Uint8Array = new Uint8Array()
  #view: DataView = new DataView(new ArrayBuffer(0))
  #end = 0
  #depth = 0
  /** Behind the value read last. */
  offset = 0

  /** Reads the value at `start`; throws `MoreBytesNeeded` when it goes beyond `end`. */
  read(bytes: Uint8Array, start: number, end: number): unknown {
    if (bytes !== this.#bytes) {
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    }
    this.offset = start
    this.#end = end
    this.#depth = 0
    return this.#value()
  }

  #value(): unknown {
    const at = this.#take(1)
    const head = this.#bytes[at]!
    if (head < 0x80) return head
    if (head >= 0xe0) return head - 0x100
    if (head < 0x90) return this.#map(head & 0x0f)
    if (head < 0xa0) return this.#array(head & 0x0f)
    if (head < 0xc0) return this.#text(head & 0x1f)
    switch (head) {
      case 0xc0:
        return null
      case 0xc2:
        return false
      case 0xc3:
        return true
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#binary(this.#unsigned(1 << (head - 0xc4)))
      case 0xca:
        return this.#view.getFloat32(this.#take(4))
      case 0xcb:
        return this.#view.getFloat64(this.#take(8))
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(1 << (head - 0xcc))
      case 0xcf:
        return narrow(this.#view.getBigUint64(this.#take(8)))
      case 0xd0:
        return this.#view.getInt8(this.#take(1))
      case 0xd1:
        return this.#view.getInt16(this.#take(2))
      case 0xd2:
        return this.#view.getInt32(this.#take(4))
      case 0xd3:
        return narrow(this.#view.getBigInt64(this.#take(8)))
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(1 << (head - 0xd9)))
      case 0xdc:
      case 0xdd:
        return this.#array(this.#unsigned(2 << (head - 0xdc)))
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(2 << (head - 0xde)))
      default:
        throw new TypeError(`expected a value of JSON or bytes, found the type 0x${head.toString(16)} at byte ${at}`)
    }
  }

  /** Moves on, and gives the place before. */
  #take(size: number): number {
    const at = this.offset
    if (at + size > this.#end) throw new MoreBytesNeeded(this.#end)
    this.offset = at + size
    return at
  }

  #unsigned(width: number): number {
    const at = this.#take(width)
    return width === 1 ? this.#view.getUint8(at) : width === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at)
  }

  #text(length: number): string {
    const at = this.#take(length)
    const text = decodeUtf8(this.#bytes, at, at + length)
    if (text === undefined) throw new TypeError(`expected UTF-8, found other bytes at byte ${at}`)
    return text
  }

  #binary(length: number): Uint8Array {
    const at = this.#take(length)
    return copyOf(this.#bytes, at, at + length)
  }

  #enter(items: number): void {
    // Every item takes a byte at least, so a wild count is seen before anything is made for it.
    if (items > this.#end - this.offset) throw new MoreBytesNeeded(this.#end)
    if (++this.#depth > MAXIMUM_DEPTH)
      throw new RangeError(`expected at most ${MAXIMUM_DEPTH} levels of nesting, found more`)
  }

  #array(count: number): unknown[] {
    this.#enter(count)
    const array: unknown[] = []
    for (let index = 0; index < count; index++) array.push(this.#value())
    this.#depth--
    return array
  }

  #map(count: number): object {
    this.#enter(2 * count)
    const object: Record<string, unknown> = {}
    for (let index = 0; index < count; index++) {
      const at = this.offset
      const key = this.#value()
      if (typeof key !== 'string') throw new TypeError(`expected a string as key, found another value at byte ${at}`)
      setOwn(object, key, this.#value())
    }
    this.#depth--
    return object
  }
}

function narrow(wide: bigint): number | bigint {
  const number = Number(wide)
  return Number.isSafeInteger(number) ? number : wide
}
