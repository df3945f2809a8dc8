// Items of R's serialised form: values go in, bytes come out. Knows R's kinds, not Avro's.
import { ByteSink } from '@pitot/avro'
import {
  HAS_ATTRIBUTES,
  HAS_TAG,
  IS_OBJECT,
  IS_UTF8,
  KIND,
  LONG_CLASS,
  MAGIC,
  NA_INTEGER,
  NA_LOWER,
  NA_UPPER,
  OLDEST_READER,
  VERSION,
  WRITER,
} from './layout.ts'

const encoder = new TextEncoder()
/** Below this length characters are faster written one by one while they are ASCII. */
const SHORT = 64

/** R ends its texts with the character U+0000 and has no others that hold it. */
export class UnwritableText extends Error {
  override readonly name = 'UnwritableText'
}

export class ROutput {
  readonly #sink: ByteSink
  /** Symbols in the order in which references number them, and where they stand. */
  readonly #symbols: { readonly name: string; readonly at: number }[] = []

  /** Where the flags of the batch's list stand. */
  #batchAt = 0

  constructor(size = 65536) {
    this.#sink = new ByteSink(size)
  }

  get length(): number {
    return this.#sink.length
  }

  /** What was written, in memory that is not written to again. */
  get bytes(): Uint8Array {
    return this.#sink.written()
  }

  /** Takes back what was written since `length` was this. */
  rewind(length: number): void {
    this.#sink.length = length
    while (this.#symbols.length > 0 && this.#symbols.at(-1)!.at >= length) this.#symbols.pop()
  }

  /** The header, and a list of items that are to follow; `endBatch` says how many there were. */
  startBatch(): void {
    this.#header()
    this.list(0, false)
    this.#batchAt = this.length - 8
  }

  /** With the attribute `frames` where it is given. */
  endBatch(count: number, frames?: readonly number[]): void {
    const { view } = this.#sink
    view.setInt32(this.#batchAt + 4, count, true)
    if (frames === undefined) return
    view.setInt32(this.#batchAt, KIND.list | HAS_ATTRIBUTES, true)
    this.#attribute('frames')
    this.integers(frames)
    this.null()
  }

  /** A bare 32-bit number. */
  number(value: number): void {
    const sink = this.#sink
    sink.ensure(4)
    sink.view.setInt32(sink.length, value, true)
    sink.length += 4
  }

  null(): void {
    this.number(KIND.null)
  }

  logical(value: boolean): void {
    this.#start(KIND.logical, 1, 4)
    this.number(value ? 1 : 0)
  }

  integer(value: number): void {
    this.#start(KIND.integer, 1, 4)
    this.number(value)
  }

  double(value: number): void {
    this.#start(KIND.double, 1, 8)
    this.#float(value)
  }

  character(value: string): void {
    this.#start(KIND.character, 1, 8)
    this.#text(value)
  }

  raw(value: Uint8Array): void {
    this.#start(KIND.raw, value.length, value.length)
    this.#sink.bytes.set(value, this.#sink.length)
    this.#sink.length += value.length
  }

  /** The digits of a whole number, with a class that says so. */
  long(value: bigint): void {
    this.#start(KIND.character | IS_OBJECT | HAS_ATTRIBUTES, 1, 8)
    this.#text(String(value))
    this.#attribute('class')
    this.character(LONG_CLASS)
    this.null()
  }

  logicals(values: readonly (boolean | null)[]): void {
    this.#start(KIND.logical, values.length, 4 * values.length)
    for (const value of values) this.number(value === null ? NA_INTEGER : value ? 1 : 0)
  }

  integers(values: readonly (number | null)[]): void {
    this.#start(KIND.integer, values.length, 4 * values.length)
    for (const value of values) this.number(value ?? NA_INTEGER)
  }

  doubles(values: readonly (number | null)[]): void {
    this.#start(KIND.double, values.length, 8 * values.length)
    for (const value of values) {
      if (value === null) {
        this.number(NA_LOWER)
        this.number(NA_UPPER)
      } else this.#float(value)
    }
  }

  characters(values: readonly (string | null)[]): void {
    this.#start(KIND.character, values.length, 8 * values.length)
    for (const value of values) this.#text(value)
  }

  /** So many items follow, and after them `names` when the list has them. */
  list(length: number, hasNames: boolean): void {
    this.#start(hasNames ? KIND.list | HAS_ATTRIBUTES : KIND.list, length, 0)
  }

  names(names: readonly string[]): void {
    this.#attribute('names')
    this.characters(names)
    this.null()
  }

  /** Like `names`, for names that were prepared with `preparedNames`. */
  preparedNames(prepared: Uint8Array): void {
    this.#attribute('names')
    const sink = this.#sink
    sink.ensure(prepared.length)
    sink.bytes.set(prepared, sink.length)
    sink.length += prepared.length
  }

  #header(): void {
    const sink = this.#sink
    sink.ensure(14)
    sink.view.setUint16(sink.length, MAGIC, true)
    sink.length += 2
    this.number(VERSION)
    this.number(WRITER)
    this.number(OLDEST_READER)
  }

  #start(flags: number, length: number, more: number): void {
    const sink = this.#sink
    sink.ensure(8 + more)
    sink.view.setInt32(sink.length, flags, true)
    sink.view.setInt32(sink.length + 4, length, true)
    sink.length += 8
  }

  #float(value: number): void {
    const sink = this.#sink
    sink.ensure(8)
    sink.view.setFloat64(sink.length, value, true)
    sink.length += 8
  }

  /** One attribute's pair as far as its value. After the last value comes `null`. */
  #attribute(name: string): void {
    this.number(KIND.pairs | HAS_TAG)
    const known = this.#symbols.findIndex((symbol) => symbol.name === name)
    if (known < 0) {
      this.#symbols.push({ name, at: this.length })
      this.number(KIND.symbol)
      this.#text(name)
    } else this.number(KIND.reference | ((known + 1) << 8))
  }

  #text(value: string | null): void {
    const sink = this.#sink
    if (value === null) {
      this.number(KIND.text)
      this.number(-1)
      return
    }
    const { length } = value
    sink.ensure(8 + 3 * length)
    const start = sink.length + 8
    sink.view.setInt32(start - 8, KIND.text | IS_UTF8, true)
    const size = length < SHORT ? writeAscii(sink.bytes, start, value) : -1
    const written = size === length ? size : writeUtf8(sink.bytes, start, value)
    sink.view.setInt32(start - 4, written, true)
    sink.length = start + written
  }
}

/** How many characters were written: fewer than there are when one is not ASCII. */
function writeAscii(bytes: Uint8Array, start: number, text: string): number {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0x80 || unit === 0) return index
    bytes[start + index] = unit
  }
  return text.length
}

function writeUtf8(bytes: Uint8Array, start: number, text: string): number {
  if (text.includes('\0')) throw new UnwritableText('a text holds the character U+0000, which texts in R cannot')
  return encoder.encodeInto(text, bytes.subarray(start)).written
}

/** The item of a list's names and the end of its attributes, for lists that all have the same. */
export function prepareNames(names: readonly string[]): Uint8Array {
  const output = new ROutput(1024)
  output.characters(names)
  output.null()
  return output.bytes
}
