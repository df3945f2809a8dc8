// Avro binary, to be compared and kept, not sent: a type comes in, once; functions from its values to bytes go out.
import { type AvroType, Branch } from '@pitot/avro'
import { branchFinder } from '../runtime/compare.ts'
import type { Long } from '../runtime/longs.ts'
import { compare as compareStrings } from '../runtime/strings.ts'
import { toBase64 } from './bytes/base64.ts'

// biome-ignore lint/suspicious/noExplicitAny: values are typed by the Avro type the writer was made for
type Value = any
type Write = (sink: Sink, value: Value) => void

/** Bytes written so far; grows by itself and is used again for the next key. */
class Sink {
  #bytes = new Uint8Array(256)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  start(): void {
    this.#length = 0
  }

  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  base64(): string {
    return toBase64(this.#bytes, this.#length)
  }

  #reserve(count: number): number {
    const at = this.#length
    this.#length += count
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(this.#length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
      this.#view = new DataView(larger.buffer)
    }
    return at
  }

  byte(value: number): void {
    const at = this.#reserve(1)
    this.#bytes[at] = value
  }

  bytes(value: Uint8Array): void {
    const at = this.#reserve(value.length)
    this.#bytes.set(value, at)
  }

  float(value: number): void {
    const at = this.#reserve(4)
    this.#view.setFloat32(at, value, true)
  }

  double(value: number): void {
    const at = this.#reserve(8)
    this.#view.setFloat64(at, value, true)
  }

  /** Zigzag, then seven bits a byte, the low ones first. */
  long(value: Long): void {
    if (typeof value === 'number' && value >= -1073741824 && value < 1073741824) {
      let rest = (value << 1) ^ (value >> 31)
      for (; rest > 127; rest >>>= 7) this.byte((rest & 127) | 128)
      this.byte(rest)
      return
    }
    const exact = BigInt(value)
    let rest = BigInt.asUintN(64, (exact << 1n) ^ (exact >> 63n))
    for (; rest > 127n; rest >>= 7n) this.byte(Number(rest & 127n) | 128)
    this.byte(Number(rest))
  }
}

const encoder = new TextEncoder()

function writeString(sink: Sink, value: string): void {
  const bytes = encoder.encode(value)
  sink.long(bytes.length)
  sink.bytes(bytes)
}

function writer(type: AvroType, known: Map<AvroType, Write>): Write {
  const made = known.get(type)
  if (made !== undefined) return made
  let finished: Write | undefined
  known.set(type, (sink, value) => finished!(sink, value)) // a record may hold itself
  finished = makeWriter(type, known)
  return finished
}

function makeWriter(type: AvroType, known: Map<AvroType, Write>): Write {
  switch (type.kind) {
    case 'null':
      return () => {}
    case 'boolean':
      return (sink, value) => sink.byte(value ? 1 : 0)
    case 'int':
    case 'long':
      return (sink, value) => sink.long(value)
    case 'float':
      return (sink, value) => sink.float(value)
    case 'double':
      return (sink, value) => sink.double(value)
    case 'string':
      return writeString
    case 'bytes':
      return (sink, value: Uint8Array) => {
        sink.long(value.length)
        sink.bytes(value)
      }
    case 'fixed':
      return (sink, value) => sink.bytes(value)
    case 'enum': {
      const places = new Map(type.symbols.map((symbol, place) => [symbol, place]))
      return (sink, value) => sink.long(places.get(value)!)
    }
    case 'array': {
      const writeItem = writer(type.items, known)
      return (sink, value: Value[]) => {
        if (value.length > 0) sink.long(value.length)
        for (const item of value) writeItem(sink, item)
        sink.long(0)
      }
    }
    case 'map': {
      const writeValue = writer(type.values, known)
      return (sink, value: Map<string, Value>) => {
        if (value.size > 0) sink.long(value.size)
        // Sorted, so that equal maps have the same key.
        for (const key of [...value.keys()].sort(compareStrings)) {
          writeString(sink, key)
          writeValue(sink, value.get(key))
        }
        sink.long(0)
      }
    }
    case 'record': {
      const fields = type.fields.map((field) => ({ name: field.name, write: writer(field.type, known) }))
      return (sink, value) => {
        for (const { name, write } of fields) write(sink, value[name])
      }
    }
    case 'union': {
      const branchOf = branchFinder(type)
      const branches = type.branches.map((branch) => writer(branch, known))
      return (sink, value) => {
        const branch = branchOf(value)
        sink.long(branch)
        branches[branch]!(sink, value instanceof Branch ? value.value : value)
      }
    }
  }
}

export function binary(type: AvroType): (value: unknown) => Uint8Array {
  const write = writer(type, new Map())
  const sink = new Sink()
  return (value) => {
    sink.start()
    write(sink, value)
    return sink.copy()
  }
}

/** The key of a value in a set that is kept as a map: base 64 of its Avro binary. */
export function setKey(type: AvroType): (value: unknown) => string {
  const write = writer(type, new Map())
  const sink = new Sink()
  return (value) => {
    sink.start()
    write(sink, value)
    return sink.base64()
  }
}
