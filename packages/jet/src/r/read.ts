// R's serialised form, version 2 in the byte order of this machine: bytes go in, objects of R come out.
// What is no data is read past, so that it can be refused where it stands.
import { decodeUtf8 } from '@pitot/avro'
import { skipBytecode } from './bytecode.ts'
import { HAS_ATTRIBUTES, HAS_TAG, IS_LATIN1, KIND, MAGIC, NA_INTEGER, NA_LOWER, VERSION } from './layout.ts'
import { NA, type RAttributes, RForeign, RList, type RScalar, type RValue, RVector, textsOf } from './value.ts'

/** Throws an Error when the bytes are anything else. */
export function readR(bytes: Uint8Array): RValue {
  const reader = new RReader(bytes)
  reader.header()
  return reader.item()
}

/** How many different lists of names are remembered. */
const REMEMBERED = 16

export class RReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  /** What references refer to: texts of symbols, undefined for the rest. */
  readonly #references: (string | undefined)[] = []
  /** Names as bytes and as texts: records have the same ones again and again. */
  readonly #remembered: { readonly bytes: Uint8Array; readonly names: readonly string[] }[] = []
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  header(): void {
    if (this.#view.getUint16(0, true) !== MAGIC) throw new Error('the bytes are not of the form that R serialises to')
    this.#at = 2
    const version = this.int()
    this.#at += 8
    if (version !== VERSION) throw new Error(`version ${version} of R's serialised form is not known`)
  }

  int(): number {
    const value = this.#view.getInt32(this.#at, true)
    this.#at += 4
    return value
  }

  item(): RValue {
    return this.itemOf(this.int())
  }

  itemOf(flags: number): RValue {
    switch (flags & 0xff) {
      case KIND.null:
        return null
      case KIND.logical:
        return this.#logicals(flags)
      case KIND.integer:
        return this.#integers(flags)
      case KIND.double:
        return this.#doubles(flags)
      case KIND.character:
        return this.#characters(flags)
      case KIND.raw:
        return this.#raw(flags)
      case KIND.list:
        return this.#list(flags)
      default:
        return this.#foreign(flags)
    }
  }

  #logicals(flags: number): RValue {
    const length = this.#length(4)
    if (length === 1 && !(flags & HAS_ATTRIBUTES)) {
      const value = this.int()
      return value === NA_INTEGER ? NA : value !== 0
    }
    const values: RScalar[] = []
    for (let index = 0; index < length; index++) {
      const value = this.int()
      values.push(value === NA_INTEGER ? null : value !== 0)
    }
    return new RVector(values, this.#attributes(flags))
  }

  #integers(flags: number): RValue {
    const length = this.#length(4)
    if (length === 1 && !(flags & HAS_ATTRIBUTES)) {
      const value = this.int()
      return value === NA_INTEGER ? NA : value
    }
    const values: RScalar[] = []
    for (let index = 0; index < length; index++) {
      const value = this.int()
      values.push(value === NA_INTEGER ? null : value)
    }
    return new RVector(values, this.#attributes(flags))
  }

  #doubles(flags: number): RValue {
    const length = this.#length(8)
    if (length === 1 && !(flags & HAS_ATTRIBUTES)) {
      const value = this.#double()
      return value ?? NA
    }
    const start = this.#at
    const values: RScalar[] = []
    for (let index = 0; index < length; index++) values.push(this.#double())
    const attributes = this.#attributes(flags)
    // The package bit64 keeps whole numbers of 64 bits in the memory of doubles.
    if (textsOf(attributes?.class)?.includes('integer64')) {
      for (let index = 0; index < length; index++) values[index] = this.#long(start + 8 * index)
    }
    return new RVector(values, attributes)
  }

  #double(): number | null {
    const at = this.#at
    this.#at += 8
    const value = this.#view.getFloat64(at, true)
    return Number.isNaN(value) && this.#view.getInt32(at, true) === NA_LOWER ? null : value
  }

  #long(at: number): RScalar {
    const value = this.#view.getBigInt64(at, true)
    if (value === -(2n ** 63n)) return null
    return Number.isSafeInteger(Number(value)) ? Number(value) : value
  }

  #characters(flags: number): RValue {
    const length = this.#length(8)
    if (length === 1 && !(flags & HAS_ATTRIBUTES)) return this.text() ?? NA
    const values: RScalar[] = []
    for (let index = 0; index < length; index++) values.push(this.text())
    return new RVector(values, this.#attributes(flags))
  }

  #raw(flags: number): RValue {
    const length = this.#length(1)
    // Not `slice`: a Node Buffer's shares the memory.
    const value = new Uint8Array(this.#bytes.subarray(this.#at, this.#at + length))
    this.#at += length
    this.#attributes(flags)
    return value
  }

  #list(flags: number): RList {
    const length = this.#length(4)
    const values: RValue[] = []
    for (let index = 0; index < length; index++) values.push(this.item())
    if (!(flags & HAS_ATTRIBUTES)) return new RList(values)
    let names: readonly string[] | undefined
    let others: Record<string, RValue> | undefined
    for (let pair = this.int(); (pair & 0xff) !== KIND.null; pair = this.int()) {
      const tag = this.#tag(pair)
      const kind = this.int()
      if (tag === 'names' && kind === KIND.character) names = this.#names()
      else {
        others ??= {}
        others[tag] = this.itemOf(kind)
      }
    }
    return new RList(values, names, others)
  }

  /** Those of a list, whose flags have been read. */
  #names(): readonly string[] {
    const start = this.#at
    for (const { bytes, names } of this.#remembered) {
      if (!this.#startsWith(bytes, start)) continue
      this.#at = start + bytes.length
      return names
    }
    const length = this.#length(8)
    const names: string[] = []
    for (let index = 0; index < length; index++) names.push(this.text() || String(index + 1))
    if (this.#remembered.length < REMEMBERED) {
      this.#remembered.push({ bytes: this.#bytes.subarray(start, this.#at), names })
    }
    return names
  }

  #startsWith(bytes: Uint8Array, at: number): boolean {
    if (at + bytes.length > this.#bytes.length) return false
    for (let index = 0; index < bytes.length; index++) if (bytes[index] !== this.#bytes[at + index]) return false
    return true
  }

  #attributes(flags: number): RAttributes | undefined {
    return flags & HAS_ATTRIBUTES ? this.#pairs() : undefined
  }

  #pairs(): RAttributes {
    const attributes: Record<string, RValue> = {}
    for (let pair = this.int(); (pair & 0xff) !== KIND.null; pair = this.int()) {
      const tag = this.#tag(pair)
      attributes[tag] = this.item()
    }
    return attributes
  }

  /** What stands before the value of a pair. */
  #tag(pair: number): string {
    if ((pair & 0xff) !== KIND.pairs)
      throw new Error(`expected a pair of R at byte ${this.#at}, found kind ${pair & 0xff}`)
    if (pair & HAS_ATTRIBUTES) this.item()
    return pair & HAS_TAG ? this.#symbol() : ''
  }

  #symbol(): string {
    const flags = this.int()
    if ((flags & 0xff) === KIND.symbol) {
      const name = this.text() ?? 'NA'
      this.#references.push(name)
      return name
    }
    if ((flags & 0xff) !== KIND.reference) throw new Error(`expected a symbol of R at byte ${this.#at}`)
    return this.#references[(flags >>> 8 || this.int()) - 1] ?? ''
  }

  /** A text with its flags; null for NA. */
  text(): string | null {
    const flags = this.int()
    if ((flags & 0xff) !== KIND.text)
      throw new Error(`expected a text of R at byte ${this.#at}, found kind ${flags & 0xff}`)
    const length = this.int()
    if (length < 0) return null
    const start = this.#at
    const end = start + length
    if (end > this.#bytes.length) throw new Error(`a text of R of ${length} bytes at byte ${start} is cut off`)
    this.#at = end
    const text = flags & IS_LATIN1 ? undefined : decodeUtf8(this.#bytes, start, end)
    return text ?? Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, length).toString('latin1')
  }

  /** How many elements follow, each of so many bytes at least. */
  #length(size: number): number {
    const length = this.int()
    if (length < 0 || length > (this.#bytes.length - this.#at) / size) {
      throw new Error(`a vector of R of ${length} elements at byte ${this.#at - 4} is cut off`)
    }
    return length
  }

  #skip(length: number): void {
    this.#at += length
  }

  /** Reads past what is no data. */
  #foreign(flags: number): RForeign {
    const kind = flags & 0xff
    switch (kind) {
      case KIND.symbol:
        this.#references.push(this.text() ?? 'NA')
        break
      case KIND.reference:
        if (flags >>> 8 === 0) this.#at += 4
        break
      case KIND.pairs:
      case KIND.closure:
      case KIND.promise:
      case KIND.language:
      case KIND.dots:
        this.#skipPair(flags)
        break
      case KIND.special:
      case KIND.builtin:
        this.#skip(this.#length(1))
        break
      case KIND.environment:
        this.#references.push(undefined)
        this.#at += 4
        // Enclosure, frame, hash table, attributes.
        for (let part = 0; part < 4; part++) this.item()
        break
      case KIND.complex:
        this.#skip(16 * this.#length(16))
        this.#attributes(flags)
        break
      case KIND.expression:
        for (let rest = this.#length(4); rest > 0; rest--) this.item()
        this.#attributes(flags)
        break
      case KIND.bytecode:
        skipBytecode(this)
        this.#attributes(flags)
        break
      case KIND.pointer:
        this.#references.push(undefined)
        this.item()
        this.item()
        this.#attributes(flags)
        break
      case KIND.weak:
        this.#references.push(undefined)
        this.#attributes(flags)
        break
      case KIND.s4:
        this.#attributes(flags)
        break
      case KIND.hooked:
      case KIND.package:
      case KIND.namespace:
        this.int()
        for (let rest = this.#length(8); rest > 0; rest--) this.text()
        this.#references.push(undefined)
        break
      case KIND.baseEnvironment:
      case KIND.emptyEnvironment:
      case KIND.globalEnvironment:
      case KIND.baseNamespace:
      case KIND.missingArgument:
      case KIND.unbound:
        break
      default:
        throw new Error(`an object of R of kind ${kind} at byte ${this.#at - 4} is not known`)
    }
    return new RForeign(NOUNS[kind] ?? 'an object of R that is no data')
  }

  /** Attributes, tag, value, and the next. */
  #skipPair(flags: number): void {
    if (flags & HAS_ATTRIBUTES) this.item()
    if (flags & HAS_TAG) this.item()
    this.item()
    this.item()
  }
}

const NOUNS: Readonly<Record<number, string>> = {
  [KIND.symbol]: 'a symbol of R',
  [KIND.closure]: 'a function',
  [KIND.special]: 'a function',
  [KIND.builtin]: 'a function',
  [KIND.language]: 'a piece of R code',
  [KIND.expression]: 'a piece of R code',
  [KIND.environment]: 'an environment',
  [KIND.hooked]: 'an environment',
  [KIND.globalEnvironment]: 'an environment',
  [KIND.baseEnvironment]: 'an environment',
  [KIND.namespace]: 'an environment',
  [KIND.complex]: 'a complex number',
  [KIND.s4]: 'an S4 object',
  [KIND.pointer]: 'an external pointer',
}
