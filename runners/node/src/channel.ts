// The runner's end of the protocol: bytes of descriptor 3 come in as messages, messages go out on descriptor 4.
//
// Reading and writing block: while a jet works nothing else is to happen in it. Only a model that has something under way
// by itself, such as a timer, is waited for in a way that lets it run.
import { read, readSync, writeSync, writevSync } from 'node:fs'
import { encodeJetMessage, type JetMessage, MAXIMUM_MESSAGE, ProtocolError } from '@pitot/jet/runner'
import { MESSAGES_FROM_HOST, MESSAGES_TO_HOST } from './descriptors.ts'
import { retry } from './retry.ts'

export interface Received {
  readonly kind: number
  /** A view that holds until the next message is read. */
  readonly body: Uint8Array
}

const HEAD = 4
const USUAL_SIZE = 2 ** 20
/** A buffer that has grown beyond this for one long message is given back after it. */
const KEPT_SIZE = 2 ** 24

export class Channel {
  #buffer = Buffer.allocUnsafeSlow(USUAL_SIZE)
  #start = 0
  #end = 0
  /** When the last message was sent. */
  lastSent = performance.now()

  /** Undefined when the host has closed its end. */
  next(): Received | undefined {
    for (;;) {
      const message = this.#take()
      if (message !== undefined) return message
      if (!this.#added(readNow(this.#buffer, this.#end))) return undefined
    }
  }

  /** The same, and timers and promises go on meanwhile. */
  async nextLater(): Promise<Received | undefined> {
    for (;;) {
      const message = this.#take()
      if (message !== undefined) return message
      if (!this.#added(await readLater(this.#buffer, this.#end))) return undefined
    }
  }

  send(message: JetMessage): void {
    let pieces = encodeJetMessage(message)
    while (pieces.length > 0)
      pieces = rest(
        pieces,
        retry(() => write(pieces)),
      )
    this.lastSent = performance.now()
  }

  #added(count: number): boolean {
    this.#end += count
    if (count === 0 && this.#end > this.#start) throw new ProtocolError('the host left in the middle of a message')
    return count > 0
  }

  /** The next message, if all of it is here; else there is room for all of it. */
  #take(): Received | undefined {
    const available = this.#end - this.#start
    if (available === 0) this.#clear()
    const length = available < HEAD ? 0 : this.#buffer.readUInt32LE(this.#start)
    if (length > MAXIMUM_MESSAGE) throw new ProtocolError(`a message of ${length} bytes is longer than any may be`)
    if (available < HEAD + 1 || available < HEAD + length) {
      this.#makeRoom(HEAD + Math.max(1, length))
      return undefined
    }
    if (length === 0) throw new ProtocolError('a message without a kind')
    const kindAt = this.#start + HEAD
    this.#start = kindAt + length
    return { kind: this.#buffer[kindAt]!, body: this.#buffer.subarray(kindAt + 1, this.#start) }
  }

  #clear(): void {
    this.#start = 0
    this.#end = 0
    if (this.#buffer.length > KEPT_SIZE) this.#buffer = Buffer.allocUnsafeSlow(USUAL_SIZE)
  }

  #makeRoom(size: number): void {
    if (this.#start + size <= this.#buffer.length && this.#end < this.#buffer.length) return
    const source = this.#buffer
    if (size > source.length) this.#buffer = Buffer.allocUnsafeSlow(Math.max(size, 2 * source.length))
    source.copy(this.#buffer, 0, this.#start, this.#end)
    this.#end -= this.#start
    this.#start = 0
  }
}

/** How many bytes came; 0 at the end. */
function readNow(buffer: Buffer, at: number): number {
  return retry(() => readSync(MESSAGES_FROM_HOST, buffer, at, buffer.length - at, null))
}

function readLater(buffer: Buffer, at: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // A process that ends waits for its threads, and the one that reads would wait for the host.
    process.once('exit', endAtOnce)
    read(MESSAGES_FROM_HOST, buffer, at, buffer.length - at, null, (error, count) => {
      process.off('exit', endAtOnce)
      if (error === null) resolve(count)
      else reject(error)
    })
  })
}

function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** How many bytes were taken. Most messages are one piece, which is written in less time by itself. */
function write(pieces: readonly Uint8Array[]): number {
  return pieces.length === 1 ? writeSync(MESSAGES_TO_HOST, pieces[0]!) : writevSync(MESSAGES_TO_HOST, pieces)
}

/** What is left of the pieces when so many bytes are written. */
function rest(pieces: readonly Uint8Array[], written: number): Uint8Array[] {
  let done = 0
  while (done < pieces.length && written >= pieces[done]!.length) written -= pieces[done++]!.length
  const left = pieces.slice(done)
  if (written > 0) left[0] = left[0]!.subarray(written)
  return left
}
