// Multipart bodies (RFC 2046): bytes cut anywhere come in, parts with their headers and their bytes go out, one after the other.
import { failure } from '@pitot/api'

export interface Part {
  /** From 1. */
  readonly number: number
  /** Names in lower case; the first of headers that stand twice. */
  readonly headers: ReadonlyMap<string, string>
  /** To be read before the next part is asked for; what is left unread is passed over. */
  readonly body: AsyncIterable<Uint8Array>
}

const longestHeaders = 16 * 1024
const mostParts = 1000
/** RFC 2046, 5.1.1: blanks between a boundary and the end of its line are allowed, and to be ignored. */
const longestPadding = 256
const newline = 0x0a
const carriageReturn = 0x0d

/**
 * Lines end with CRLF. A body whose first boundary ends with a bare line feed is taken to have such lines throughout:
 * people who write one by hand do so. Anything before the first boundary and after the last is ignored.
 */
export async function* readMultipart(chunks: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const input = new Window(chunks)
  const lineEnd = await passPreamble(input, boundary)
  const delimiter = Buffer.from(`${lineEnd}--${boundary}`)
  for (let number = 1; lineEnd !== ''; number++) {
    if (number > mostParts) throw failure('bad-multipart', { reason: `it has more than ${mostParts} parts` })
    const headers = await readHeaders(input, number)
    const body = new PartBody(input, delimiter, number)
    yield { number, headers, body: body.read() }
    for await (const _ of body.read()) {
      // What nobody wanted.
    }
    if (body.isLast) return
  }
}

/** Gives the line end of the body; empty when the first boundary is the closing one, so that there are no parts. */
async function passPreamble(input: Window, boundary: string): Promise<string> {
  const opening = Buffer.from(`--${boundary}`)
  for (let isLineStart = true; ; ) {
    const found =
      isLineStart && (await input.startsWith(opening)) ? await readBoundaryEnd(input, opening.length) : undefined
    if (found !== undefined) {
      input.drop(found.length)
      if (found.isLast) return ''
      return found.hasCarriageReturn ? '\r\n' : '\n'
    }
    const end = input.bytes.indexOf(newline)
    isLineStart = end >= 0
    input.drop(end >= 0 ? end + 1 : input.bytes.length)
    if (input.bytes.length === 0 && !(await input.more())) {
      throw failure('bad-multipart', { reason: `the boundary '${boundary}' of the Content-Type is nowhere in it` })
    }
  }
}

interface BoundaryEnd {
  /** Of everything from the start of the window to the end of the boundary's line. */
  readonly length: number
  readonly isLast: boolean
  readonly hasCarriageReturn: boolean
}

/** What follows `at` makes it a boundary, or, when undefined is given, shows that it was none. */
async function readBoundaryEnd(input: Window, at: number): Promise<BoundaryEnd | undefined> {
  await input.atLeast(at + 2)
  if (input.bytes[at] === 0x2d && input.bytes[at + 1] === 0x2d) {
    return { length: at + 2, isLast: true, hasCarriageReturn: true }
  }
  for (let end = at; end < at + longestPadding; end++) {
    if (end >= input.bytes.length && !(await input.more())) return undefined
    const byte = input.bytes[end]
    if (byte === newline) {
      return { length: end + 1, isLast: false, hasCarriageReturn: end > at && input.bytes[end - 1] === carriageReturn }
    }
    if (byte !== 0x20 && byte !== 0x09 && byte !== carriageReturn) return undefined
  }
  return undefined
}

async function readHeaders(input: Window, number: number): Promise<ReadonlyMap<string, string>> {
  const lines: string[] = []
  for (let size = 0; ; ) {
    let end = input.bytes.indexOf(newline)
    while (end < 0) {
      if (size + input.bytes.length > longestHeaders || !(await input.more())) throw headersTrouble(number, input)
      end = input.bytes.indexOf(newline)
    }
    size += end + 1
    if (size > longestHeaders) throw headersTrouble(number, input)
    const line = input.bytes.toString('utf8', 0, end).replace(/\r$/, '')
    input.drop(end + 1)
    if (line === '') return headersOf(lines, number)
    // A line that begins with a blank goes on with the header before it.
    if (/^[ \t]/.test(line) && lines.length > 0) lines.push(`${lines.pop()} ${line.trim()}`)
    else lines.push(line)
  }
}

function headersTrouble(number: number, input: Window) {
  const reason = input.isAtEnd
    ? `it ends inside the headers of part ${number}`
    : `the headers of part ${number} are longer than ${longestHeaders} bytes, or no empty line follows them`
  return failure('bad-multipart', { reason })
}

export function headersOf(lines: readonly string[], number: number): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+)[ \t]*:(.*)$/s.exec(line) ?? []
    if (name === undefined) {
      const shown = JSON.stringify(line.length > 60 ? `${line.slice(0, 60)}…` : line)
      throw failure('bad-multipart', {
        reason: `part ${number} has ${shown} where a header or the empty line after the headers should be`,
      })
    }
    const key = name.toLowerCase()
    if (!headers.has(key)) headers.set(key, value!.trim())
  }
  return headers
}

/** The bytes of one part, up to the boundary that follows them. */
class PartBody {
  isLast = false
  readonly #input: Window
  readonly #delimiter: Buffer
  readonly #number: number
  #isDone = false
  /** A part without any bytes has its boundary right behind the headers: their last line end counts for it too. */
  #isStart = true

  constructor(input: Window, delimiter: Buffer, number: number) {
    this.#input = input
    this.#delimiter = delimiter
    this.#number = number
  }

  async *read(): AsyncGenerator<Uint8Array> {
    if (this.#isStart) await this.#lookForEmptyBody()
    const input = this.#input
    while (!this.#isDone) {
      const found = input.bytes.indexOf(this.#delimiter)
      // The last bytes may be the beginning of a boundary: they wait for those that follow.
      const sure = found >= 0 ? found : Math.max(0, input.bytes.length - this.#delimiter.length + 1)
      if (sure > 0) yield input.take(sure)
      else if (found < 0 && !(await input.more())) throw cutOff(this.#number)
      if (found >= 0 && !(await this.#end(this.#delimiter.length))) yield input.take(1)
    }
  }

  async #lookForEmptyBody(): Promise<void> {
    this.#isStart = false
    const opening = this.#delimiter.subarray(this.#delimiter.indexOf('--'))
    if (await this.#input.startsWith(opening)) await this.#end(opening.length)
  }

  /** Whether the window begins with a whole boundary, which is then taken. */
  async #end(length: number): Promise<boolean> {
    const end = await readBoundaryEnd(this.#input, length)
    if (end === undefined) return false
    this.#input.drop(end.length)
    this.#isDone = true
    this.isLast = end.isLast
    return true
  }
}

function cutOff(number: number) {
  return failure('bad-multipart', { reason: `it ends inside part ${number}, before the closing boundary` })
}

/** The bytes that have come and are not yet used. */
class Window {
  bytes: Buffer = Buffer.alloc(0)
  isAtEnd = false
  readonly #source: AsyncIterator<Uint8Array>

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#source = chunks[Symbol.asyncIterator]()
  }

  /** Adds what comes next; false when nothing comes any more. */
  async more(): Promise<boolean> {
    for (;;) {
      const next = this.isAtEnd ? undefined : await this.#source.next()
      if (next === undefined || next.done === true) {
        this.isAtEnd = true
        return false
      }
      const chunk = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength)
      if (chunk.length === 0) continue
      this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes, chunk])
      return true
    }
  }

  /** Waits for so many bytes, or for the end. */
  async atLeast(count: number): Promise<void> {
    while (this.bytes.length < count && (await this.more())) {
      // Until there are enough.
    }
  }

  async startsWith(text: Buffer): Promise<boolean> {
    await this.atLeast(text.length)
    return this.bytes.length >= text.length && this.bytes.compare(text, 0, text.length, 0, text.length) === 0
  }

  take(count: number): Buffer {
    const taken = this.bytes.subarray(0, count)
    this.drop(count)
    return taken
  }

  drop(count: number): void {
    this.bytes = this.bytes.subarray(count)
  }
}
