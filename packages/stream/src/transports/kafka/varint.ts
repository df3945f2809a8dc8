// Numbers of Kafka's wire format: a buffer with a place in it comes in, the number goes out and the place moves on.

/** A place in a buffer that moves on with every number that is read. */
export class Cursor {
  readonly bytes: Buffer
  at: number

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  int8(): number {
    const value = this.bytes.readInt8(this.at)
    this.at += 1
    return value
  }

  int16(): number {
    const value = this.bytes.readInt16BE(this.at)
    this.at += 2
    return value
  }

  int32(): number {
    const value = this.bytes.readInt32BE(this.at)
    this.at += 4
    return value
  }

  /** Offsets and times: whole numbers far below 2^53. */
  int64(): number {
    const value = this.bytes.readInt32BE(this.at) * 4_294_967_296 + this.bytes.readUInt32BE(this.at + 4)
    this.at += 8
    return value
  }

  /** A producer's id, which may use all of its bits. */
  bigint64(): bigint {
    const value = this.bytes.readBigInt64BE(this.at)
    this.at += 8
    return value
  }

  unsignedVarint(): number {
    let value = 0
    let shift = 0
    for (;;) {
      const byte = this.bytes[this.at++]
      if (byte === undefined || shift > 28) throw new RangeError('a number runs beyond its end')
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
      shift += 7
    }
  }

  /** Zigzag: 0, -1, 1, -2, … */
  varint(): number {
    const value = this.unsignedVarint()
    return (value >>> 1) ^ -(value & 1)
  }

  /** Passes over a number of up to ten bytes. */
  skipVarlong(): void {
    while ((this.bytes[this.at++] ?? 0) >= 0x80);
  }

  /** The next bytes as a view. */
  take(length: number): Buffer {
    const end = this.at + length
    if (length < 0 || end > this.bytes.length) throw new RangeError('a length runs beyond the end')
    const view = this.bytes.subarray(this.at, end)
    this.at = end
    return view
  }
}
