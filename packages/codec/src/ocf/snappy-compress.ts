// Snappy's raw format, the other way: bytes go in, compressed bytes come out. See snappy.ts for the format.

const tableBits = 14
/** Copies reach back this far at most: offsets are two bytes. */
const farthest = 65535
const longestCopy = 64
const shortestMatch = 4

/** Finds repeated sequences by a table of where each four bytes were last seen. */
export function snappyCompress(data: Uint8Array): Uint8Array {
  const out = new Output(data.length)
  out.varint(data.length)
  const table = new Int32Array(1 << tableBits).fill(-1)
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const lastStart = data.length - shortestMatch
  let literalStart = 0
  let at = 0
  while (at <= lastStart) {
    const four = view.getUint32(at, true)
    const slot = Math.imul(four, 0x1e35a7bd) >>> (32 - tableBits)
    const candidate = table[slot]!
    table[slot] = at
    if (candidate < 0 || at - candidate > farthest || view.getUint32(candidate, true) !== four) {
      at++
      continue
    }
    let length = shortestMatch
    while (at + length < data.length && data[candidate + length] === data[at + length]) length++
    out.literal(data, literalStart, at)
    out.copy(at - candidate, length)
    at += length
    literalStart = at
  }
  out.literal(data, literalStart, data.length)
  return out.bytes()
}

class Output {
  readonly #bytes: Uint8Array
  #length = 0

  constructor(size: number) {
    // At worst every fifth byte is a literal of its own: two bytes for it and three for the copy of four before it.
    this.#bytes = new Uint8Array(size + Math.ceil(size / 4) + 32)
  }

  varint(value: number): void {
    let rest = value
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest & 127) | 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#length++] = rest
  }

  literal(data: Uint8Array, start: number, end: number): void {
    const length = end - start
    if (length === 0) return
    const last = length - 1
    if (last < 60) this.#bytes[this.#length++] = last << 2
    else {
      const width = last < 2 ** 8 ? 1 : last < 2 ** 16 ? 2 : last < 2 ** 24 ? 3 : 4
      this.#bytes[this.#length++] = (59 + width) << 2
      for (let index = 0; index < width; index++) this.#bytes[this.#length++] = (last >>> (8 * index)) & 255
    }
    this.#bytes.set(data.subarray(start, end), this.#length)
    this.#length += length
  }

  copy(offset: number, length: number): void {
    for (let left = length; left > 0; left -= longestCopy) {
      const part = Math.min(left, longestCopy)
      this.#bytes[this.#length++] = ((part - 1) << 2) | 2
      this.#bytes[this.#length++] = offset & 255
      this.#bytes[this.#length++] = offset >>> 8
    }
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}
