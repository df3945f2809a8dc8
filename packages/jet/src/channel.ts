// Whole messages over a pair of byte streams: messages go in on one side, and come out on the other in the same order.
import type { Readable, Writable } from 'node:stream'
import { Assembler } from './assembler.ts'

export interface ChannelOptions<Incoming, Outgoing> {
  readonly input: Readable
  readonly output: Writable
  readonly encode: (message: Outgoing) => Uint8Array[]
  readonly decode: (kind: number, body: Uint8Array) => Incoming
  /** What it throws ends the channel, as an impossible message does. */
  readonly message: (message: Incoming) => void
  /**
   * Called once, when nothing will come any more: with the error when what came was no message. A message that was cut short is
   * none: whoever sends it has ended, and that is what matters.
   */
  readonly ended: (error: Error | undefined) => void
}

export class Channel<Incoming, Outgoing> {
  readonly #options: ChannelOptions<Incoming, Outgoing>
  #isClosed = false

  constructor(options: ChannelOptions<Incoming, Outgoing>) {
    this.#options = options
    const { input, output, decode, message } = options
    const assembler = new Assembler((kind, body) => {
      if (!this.#isClosed) message(decode(kind, body))
    })
    input.on('data', (piece: Uint8Array) => {
      if (this.#isClosed) return
      try {
        assembler.push(piece)
      } catch (error) {
        this.#end(error as Error)
      }
    })
    const ended = () => this.#end(undefined)
    input.on('end', ended)
    input.on('close', ended)
    // A broken pipe: that the other side is gone is told by the end of the input and by its process.
    input.on('error', ended)
    output.on('error', () => undefined)
  }

  /**
   * Whether more may be sent at once; else `drained` tells when. Whoever sends all the same keeps it all in memory. Nothing is
   * copied, so nothing in the message may be written to before its answer. Throws when the message is too long.
   */
  send(message: Outgoing): boolean {
    const { encode, output } = this.#options
    const pieces = encode(message)
    if (this.#isClosed || !output.writable) return true
    if (pieces.length === 1) return output.write(pieces[0])
    output.cork()
    for (const piece of pieces) output.write(piece)
    output.uncork()
    return !output.writableNeedDrain
  }

  /** Resolves when the other side has taken enough, or is gone. */
  async drained(): Promise<void> {
    const { output } = this.#options
    if (this.#isClosed || !output.writable || !output.writableNeedDrain) return
    await new Promise<void>((resolve) => {
      const done = () => {
        output.off('drain', done).off('close', done)
        resolve()
      }
      output.on('drain', done).on('close', done)
    })
  }

  /** Says to the other side that nothing will come any more. */
  endOutput(): void {
    this.#options.output.end()
  }

  /** Lets go of both streams. Nothing is delivered any more. */
  close(): void {
    this.#isClosed = true
    this.#options.input.destroy()
    this.#options.output.destroy()
  }

  #end(error: Error | undefined): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#options.ended(error)
  }
}
