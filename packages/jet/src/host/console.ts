// What a model prints: bytes of two pipes come in, whole lines go out, no more than a console can use. Everything is read, so
// that a model that prints without end is not stopped by it; what is too much is counted and left out.
import type { Readable } from 'node:stream'

/** Bytes that may be printed at once, and per second in the long run. */
const BURST = 256 * 1024
const PER_SECOND = 64 * 1024
/** After too much was printed, nothing is shown until there is room for so much again. */
const WORTHWHILE = 16 * 1024
/** Bytes that are read in vain between two ticks; then the model waits for the next tick, so that reading costs little. */
const READ_IN_VAIN = 8 * 2 ** 20
/** A line that is longer is shown in pieces. */
const LONGEST_LINE = 8 * 1024
const LAST_WORDS = 2048

interface Source {
  readonly stream: Readable
  decoder: TextDecoder
  /** A line whose end has not come yet. */
  line: string
}

export class JetConsole {
  readonly #deliver: (text: string) => void
  readonly #sources: Source[]
  readonly #ended: Promise<unknown>
  #allowance = BURST
  #isSkipping = false
  #skipped = 0
  #inVain = 0
  #refilled = performance.now()
  #lastWords = Buffer.alloc(0)

  constructor(stdout: Readable, stderr: Readable, deliver: (text: string) => void) {
    this.#deliver = deliver
    this.#sources = [stdout, stderr].map((stream) => ({ stream, decoder: new TextDecoder(), line: '' }))
    this.#ended = Promise.all(
      this.#sources.map((source) => {
        source.stream.on('data', (bytes: Buffer) => this.#take(source, bytes))
        source.stream.on('error', () => undefined)
        return new Promise((resolve) => source.stream.once('close', resolve))
      }),
    )
    stderr.on('data', (bytes: Buffer) => {
      this.#lastWords = Buffer.concat([this.#lastWords, bytes.subarray(-LAST_WORDS)]).subarray(-LAST_WORDS)
    })
  }

  /** The last lines of the error output, whether they were shown or not. */
  get lastWords(): string {
    const text = new TextDecoder().decode(this.#lastWords).trimEnd()
    const isCut = this.#lastWords.length === LAST_WORDS
    const whole = isCut ? text.slice(text.indexOf('\n') + 1) : text
    return whole.split('\n').slice(-12).join('\n')
  }

  /** To be called a few times a second: shows lines that do not end, and lets the model print again. */
  tick(): void {
    const now = performance.now()
    this.#allowance = Math.min(BURST, this.#allowance + ((now - this.#refilled) / 1000) * PER_SECOND)
    this.#refilled = now
    this.#inVain = 0
    if (this.#isSkipping && this.#allowance >= WORTHWHILE) this.#stopSkipping()
    for (const source of this.#sources) {
      this.#showLine(source)
      source.stream.resume()
    }
  }

  /** Resolves when both pipes have ended, after `patience` milliseconds at most; nothing is shown after that. */
  async finish(patience: number): Promise<void> {
    for (const { stream } of this.#sources) stream.resume()
    let timer: NodeJS.Timeout | undefined
    await Promise.race([
      this.#ended,
      new Promise((resolve) => {
        timer = setTimeout(resolve, patience)
      }),
    ])
    clearTimeout(timer)
    if (this.#isSkipping) this.#stopSkipping()
    for (const source of this.#sources) {
      this.#showLine(source)
      source.stream.removeAllListeners('data')
      source.stream.destroy()
    }
  }

  #take(source: Source, bytes: Buffer): void {
    if (this.#isSkipping) {
      this.#skip(bytes.length)
      return
    }
    const shown = bytes.subarray(0, this.#allowance)
    this.#allowance -= shown.length
    const text = source.line + source.decoder.decode(shown, { stream: true })
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) this.#deliver(text.slice(0, end))
    source.line = text.slice(end)
    if (source.line.length > LONGEST_LINE) this.#showLine(source)
    if (shown.length < bytes.length) {
      this.#isSkipping = true
      this.#skip(bytes.length - shown.length)
    }
  }

  #skip(count: number): void {
    this.#skipped += count
    this.#inVain += count
    if (this.#inVain > READ_IN_VAIN) for (const { stream } of this.#sources) stream.pause()
  }

  #stopSkipping(): void {
    for (const source of this.#sources) {
      this.#showLine(source)
      source.decoder = new TextDecoder()
    }
    this.#deliver(`… ${this.#skipped} bytes of output were left out: more than the console takes\n`)
    this.#isSkipping = false
    this.#skipped = 0
  }

  #showLine(source: Source): void {
    if (source.line === '') return
    this.#deliver(source.line)
    source.line = ''
  }
}
