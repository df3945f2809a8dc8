// The library as data: what signatures.generated.ts holds for each function, and its signature text read into patterns.
import { type PrimitiveKind, primitiveNames } from '@pitot/avro'

export interface LibraryEntry {
  /** In the order in which they are tried. */
  readonly signatures: readonly string[]
  /** Error codes with their short messages. */
  readonly errors?: Readonly<Record<number, string>>
  readonly nondeterministic?: 'pseudorandom' | 'unstable' | 'unordered'
}

export type LibrarySignatures = Readonly<Record<string, LibraryEntry>>

/** A type with holes. Labels hold one type over the whole signature. */
export type Pattern =
  | { readonly kind: PrimitiveKind }
  | { readonly kind: 'array'; readonly items: Pattern }
  | { readonly kind: 'map'; readonly values: Pattern }
  | { readonly kind: 'union'; readonly branches: readonly Pattern[] }
  | { readonly kind: 'fcn'; readonly params: readonly Pattern[]; readonly result: Pattern }
  /** Any type, or one of a few primitives. A label named again is `any` again, without the restriction. */
  | { readonly kind: 'any'; readonly label: string; readonly of?: readonly string[] }
  /** A record with at least these fields. */
  | { readonly kind: 'record'; readonly label: string; readonly fields: readonly PatternField[] }
  /** An enum; with `ofRecord`, one whose symbols are the field names of that record, in order. */
  | { readonly kind: 'enum'; readonly label: string; readonly ofRecord?: string }
  | { readonly kind: 'fixed'; readonly label: string }

interface PatternField {
  readonly name: string
  readonly pattern: Pattern
}

export interface Signature {
  readonly params: readonly PatternField[]
  readonly result: Pattern
}

/** Reads `(x: any A of {int, long}, y: A) -> A`. */
class SignatureReader {
  private readonly words: readonly string[]
  private next = 0

  constructor(text: string) {
    this.words = text.match(/->|[(){}:,]|[\w.]+/g) ?? []
  }

  signature(): Signature {
    const params = this.named('(', ')')
    this.expect('->')
    return { params, result: this.pattern() }
  }

  private named(opening: string, closing: string): PatternField[] {
    return this.list(opening, closing, () => {
      const name = this.take()
      this.expect(':')
      return { name, pattern: this.pattern() }
    })
  }

  private list<Item>(opening: string, closing: string, item: () => Item): Item[] {
    this.expect(opening)
    const items: Item[] = []
    while (!this.skip(closing)) {
      items.push(item())
      this.skip(',')
    }
    return items
  }

  private pattern(): Pattern {
    const word = this.take()
    if (primitiveNames.has(word)) return { kind: word as PrimitiveKind }
    switch (word) {
      case 'array':
        return { kind: 'array', items: this.inParentheses() }
      case 'map':
        return { kind: 'map', values: this.inParentheses() }
      case 'union':
        return { kind: 'union', branches: this.list('(', ')', () => this.pattern()) }
      case 'fcn':
        return this.fcn()
      case 'any': {
        const label = this.take()
        return this.skip('of')
          ? { kind: 'any', label, of: this.list('{', '}', () => this.take()) }
          : { kind: 'any', label }
      }
      case 'record':
        return { kind: 'record', label: this.take(), fields: this.words[this.next] === '{' ? this.named('{', '}') : [] }
      case 'enum': {
        const label = this.take()
        return this.skip('of') ? { kind: 'enum', label, ofRecord: this.take() } : { kind: 'enum', label }
      }
      case 'fixed':
        return { kind: 'fixed', label: this.take() }
      default:
        return { kind: 'any', label: word }
    }
  }

  private fcn(): Pattern {
    this.expect('(')
    const params: Pattern[] = []
    while (!this.skip('->')) {
      params.push(this.pattern())
      this.skip(',')
    }
    const result = this.pattern()
    this.expect(')')
    return { kind: 'fcn', params, result }
  }

  private inParentheses(): Pattern {
    this.expect('(')
    const inside = this.pattern()
    this.expect(')')
    return inside
  }

  private take(): string {
    const word = this.words[this.next++]
    if (word === undefined) throw new Error('a signature ends too early')
    return word
  }

  private skip(word: string): boolean {
    if (this.words[this.next] !== word) return false
    this.next++
    return true
  }

  private expect(word: string): void {
    const found = this.take()
    if (found !== word) throw new Error(`a signature has ${found} where ${word} should stand`)
  }
}

export const readSignature = (text: string): Signature => new SignatureReader(text).signature()
