// Snappy's raw format: compressed bytes go in, the bytes come out.
//
//   the length of the result as a varint, then elements, told apart by the two lowest bits of their first byte:
//   0  literal: length - 1 in the upper six bits; 60 to 63 mean that 1 to 4 bytes with the length - 1 follow
//   1  copy: length - 4 in bits 2 to 4, offset in bits 5 to 7 and the next byte
//   2  copy: length - 1 in the upper six bits, offset in the next two bytes
//   3  copy: the same with four bytes

export function snappyDecompress(data: Uint8Array, maximum: number): Uint8Array {
  const { value: size, next } = readSize(data)
  if (size > maximum) throw new Error(`expected at most ${maximum} bytes in the block, found ${size}`)
  const out = new Uint8Array(size)
  let from = next
  let to = 0
  while (from < data.length) {
    const tag = data[from++]!
    let length = tag >>> 2
    if ((tag & 3) === 0) {
      if (length >= 60) {
        const bytes = length - 59
        length = littleEndian(data, from, bytes)
        from += bytes
      }
      length++
      if (from + length > data.length || to + length > size) throw damaged(from)
      out.set(data.subarray(from, from + length), to)
      from += length
      to += length
      continue
    }
    const width = (tag & 3) === 3 ? 4 : tag & 3
    let offset = littleEndian(data, from, width)
    from += width
    if (width === 1) {
      offset |= (tag & 0xe0) << 3
      length = (length & 7) + 4
    } else length++
    if (offset === 0 || offset > to || to + length > size) throw damaged(from)
    // Byte by byte: a copy may overlap what it writes, and then repeats it.
    for (let index = 0; index < length; index++, to++) out[to] = out[to - offset]!
  }
  if (to !== size) throw damaged(from)
  return out
}

function readSize(data: Uint8Array): { value: number; next: number } {
  let value = 0
  for (let index = 0; index < 5; index++) {
    const byte = data[index]
    if (byte === undefined) break
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return { value, next: index + 1 }
  }
  throw damaged(0)
}

function littleEndian(data: Uint8Array, at: number, width: number): number {
  if (at + width > data.length) throw damaged(at)
  let value = 0
  for (let index = width - 1; index >= 0; index--) value = value * 256 + data[at + index]!
  return value
}

function damaged(at: number): Error {
  return new Error(`the snappy data is damaged at byte ${at} of the block`)
}
