// Reads one input into its intake: pieces of the stream come in, pieces and marks go out in the same order.
import { bytesOf, countFrames, countRecords } from '@pitot/codec'
import { type ControlPiece, type RejectsPiece, StreamFailure } from '@pitot/stream'
import type { InputSlot } from '../slots/input.ts'
import type { SlotTaps } from '../taps/slot-taps.ts'
import type { Intake } from './intake.ts'

export interface ReaderCallbacks {
  /** A pig or a set: called when it is read, gives what is to happen when everything before it is on its way. */
  readonly control: (input: InputSlot, piece: ControlPiece) => () => void
  readonly rejects: (input: InputSlot, piece: RejectsPiece) => void
  readonly taps?: SlotTaps | undefined
  /** Everything that was read is on its way, and nothing more comes. */
  readonly ended: (input: InputSlot) => void
  readonly fail: (error: unknown) => void
  /** Something was put into the intake. */
  readonly wake: () => void
}

export class Reader {
  readonly input: InputSlot
  readonly intake: Intake
  readonly #callbacks: ReaderCallbacks
  #isStopped = false
  /** Bytes of the stream that taps were told of. */
  #bytesTold: number
  readonly #finished: Promise<void>

  constructor(input: InputSlot, intake: Intake, callbacks: ReaderCallbacks) {
    this.input = input
    this.intake = intake
    this.#callbacks = callbacks
    this.#bytesTold = input.stream.statistics.bytes
    this.#finished = this.#read()
  }

  /**
   * Reads no more, and resolves when all that was read is on its way to a jet. What senders were promised is still read; of
   * other streams, what is on its way at this moment.
   */
  async stop(): Promise<void> {
    if (this.input.rest !== undefined) this.input.rest.end()
    else this.#isStopped = true
    // A stream that is silent would be waited for without end.
    const silence = new Promise<void>((resolve) => setTimeout(resolve, 50))
    await (this.input.rest === undefined ? Promise.race([this.#finished, silence]) : this.#finished)
    await new Promise<void>((resolve) => this.#mark(resolve))
  }

  async #read(): Promise<void> {
    try {
      for await (const piece of this.input.stream) {
        switch (piece.kind) {
          case 'frames': {
            const size = bytesOf(piece.frames)
            this.input.records += countRecords(piece.frames)
            this.input.recordBytes += size
            if (countFrames(piece.frames) > 0) this.intake.put(piece)
            this.#callbacks.taps?.moved(piece.frames, size, this.#rawBytes())
            break
          }
          case 'control':
            this.#mark(this.#callbacks.control(this.input, piece))
            break
          case 'rejects': {
            this.#mark(() => this.#callbacks.rejects(this.input, piece))
            const fatal = piece.rejects.find((reject) => reject.fatal)
            if (fatal !== undefined) throw new StreamFailure(`the input cannot be read on: ${fatal.reason}`)
          }
        }
        this.#callbacks.wake()
        if (this.#isStopped) return
        await this.intake.room()
      }
    } catch (error) {
      if (!this.#isStopped) this.#callbacks.fail(error)
      return
    }
    // The end may have been in the data: whoever sends more must be told.
    this.input.rest?.end()
    if (!this.#isStopped) this.#mark(() => this.#callbacks.ended(this.input))
  }

  /** Bytes that were read since the last time. */
  #rawBytes(): number {
    const { bytes } = this.input.stream.statistics
    // The count begins anew when the statistics are reset.
    const more = bytes < this.#bytesTold ? bytes : bytes - this.#bytesTold
    this.#bytesTold = bytes
    return more
  }

  #mark(reach: () => void): void {
    this.intake.put({ reach })
    this.#callbacks.wake()
  }
}
