// Bytes of an unfinished frame, kept from one chunk to the next in memory that grows by doubling.

export class Pending {
  #bytes = new Uint8Array(256)
  #length = 0

  get length(): number {
    return this.#length
  }

  add(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const length = this.#length + end - start
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2))
      larger.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = larger
    }
    this.#bytes.set(bytes.subarray(start, end), this.#length)
    this.#length = length
  }

  /** The byte at this index, counted from the end when it is negative. */
  at(index: number): number | undefined {
    return this.#bytes[index < 0 ? this.#length + index : index]
  }

  /** A view, good until the next change. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** The first `length` bytes in memory of their own; nothing is pending any more. */
  take(length = this.#length): Uint8Array {
    const bytes = this.#bytes.slice(0, length)
    this.clear()
    return bytes
  }

  /** Forgets the first so many bytes. */
  drop(count: number): void {
    this.keepLast(this.#length - count)
  }

  /** Forgets all but the last so many bytes. */
  keepLast(count: number): void {
    if (this.#length <= count) return
    this.#bytes.copyWithin(0, this.#length - count, this.#length)
    this.#length = count
  }

  clear(): void {
    this.#length = 0
    // A frame of megabytes is the exception: its memory is not kept for the small ones after it.
    if (this.#bytes.length > 2 ** 20) this.#bytes = new Uint8Array(256)
  }
}
