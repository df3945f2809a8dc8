// Pieces of a byte stream go in, cut anywhere; whole messages come out. A message within one piece is not copied; one across
// several gets memory of its own, which grows fourfold, so that the cost of a long message is in proportion to its length.
import { MAXIMUM_MESSAGE } from './messages.ts'
import { ProtocolError } from './shape.ts'

/** Takes the body as a view that nobody else writes to. */
export type Deliver = (kind: number, body: Uint8Array) => void

const LENGTH = 4
/** A body begins at a multiple of 8 of its memory, so that the numbers in it can be viewed: the kind is before it. */
const KIND_AT = 7
/** Memory for a message grows up to this by what was announced, beyond it only by what has come. */
const TRUSTED = 2 ** 20

export class Assembler {
  readonly #deliver: Deliver
  /** The message that is being put together: the first `#filled` bytes behind `KIND_AT` are there. */
  #memory: Uint8Array | undefined
  #filled = 0
  #length = 0
  /** The length field, when it was cut itself. */
  readonly #cut = new Uint8Array(LENGTH)
  #cutFilled = 0

  constructor(deliver: Deliver) {
    this.#deliver = deliver
  }

  /** Takes over the piece. Throws a ProtocolError when a length is impossible, and whatever `deliver` throws. */
  push(piece: Uint8Array): void {
    let at = 0
    while (at < piece.length) {
      if (this.#memory) at = this.#continue(piece, at)
      else if (this.#cutFilled > 0 || piece.length - at < LENGTH) at = this.#continueLength(piece, at)
      else {
        const length = lengthAt(piece, at)
        at += LENGTH
        if (piece.length - at >= length) {
          this.#deliver(piece[at]!, piece.subarray(at + 1, at + length))
          at += length
        } else this.#expect(length)
      }
    }
  }

  #continueLength(piece: Uint8Array, at: number): number {
    const end = Math.min(piece.length, at + LENGTH - this.#cutFilled)
    this.#cut.set(piece.subarray(at, end), this.#cutFilled)
    this.#cutFilled += end - at
    if (this.#cutFilled === LENGTH) {
      this.#cutFilled = 0
      this.#expect(lengthAt(this.#cut, 0))
    }
    return end
  }

  #expect(length: number): void {
    this.#memory = new Uint8Array(KIND_AT + Math.min(length, TRUSTED))
    this.#filled = 0
    this.#length = length
  }

  #continue(piece: Uint8Array, at: number): number {
    const end = Math.min(piece.length, at + this.#length - this.#filled)
    const filled = this.#filled + end - at
    this.#grow(filled)
    const memory = this.#memory!
    memory.set(at === 0 && end === piece.length ? piece : piece.subarray(at, end), KIND_AT + this.#filled)
    this.#filled = filled
    if (filled === this.#length) {
      this.#memory = undefined
      this.#deliver(memory[KIND_AT]!, memory.subarray(KIND_AT + 1, KIND_AT + filled))
    }
    return end
  }

  #grow(filled: number): void {
    const memory = this.#memory!
    if (KIND_AT + filled <= memory.length) return
    const larger = new Uint8Array(KIND_AT + Math.min(this.#length, Math.max(filled, 4 * memory.length)))
    larger.set(memory)
    this.#memory = larger
  }
}

function lengthAt(bytes: Uint8Array, at: number): number {
  const length = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  if (length === 0) throw new ProtocolError('a message without a kind')
  if (length > MAXIMUM_MESSAGE) {
    throw new ProtocolError(`a message of ${length} bytes is announced: the limit is ${MAXIMUM_MESSAGE}`)
  }
  return length
}
