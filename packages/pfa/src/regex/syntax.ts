// What a pattern means: the tree that the parser gives and the matchers read.
import type { CharacterSet } from './alphabet.ts'

export type Assertion = 'start' | 'end' | 'boundary' | 'no boundary' | 'word start' | 'word end'

export type Node =
  | { readonly kind: 'empty' }
  /** One unit of the set with this place in `Pattern.sets`. */
  | { readonly kind: 'set'; readonly set: number }
  | { readonly kind: 'assertion'; readonly test: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  /** Up to `most` times. `mayBeEmpty`: where there is nothing to match, the body still matches once if it can. */
  | { readonly kind: 'repeat'; readonly body: Node; readonly most: number; readonly mayBeEmpty: boolean }
  /** The groups inside it are those after `index`, up to `last`. */
  | { readonly kind: 'group'; readonly index: number; readonly last: number; readonly body: Node }
  | { readonly kind: 'reference'; readonly index: number }

export interface Pattern {
  readonly root: Node
  readonly sets: readonly CharacterSet[]
  /** How many groups there are, not counting the whole match. */
  readonly groups: number
  readonly hasAssertions: boolean
  /** Groups that the pattern refers back to. */
  readonly references: ReadonlySet<number>
}

/** Units are code points of a string, or bytes. */
export interface UnitKind {
  isWord(unit: number): boolean
  /** The named classes of bracket expressions: `[[:alpha:]]`. */
  readonly classes: ReadonlyMap<string, (unit: number) => boolean>
  /** How many units from this one on make one character for `*`, `+`, `?` and `{}`. */
  width(units: ArrayLike<number>, at: number): number
}

/** Thrown while a pattern is read, and caught by the reader's entry: a bad pattern is no exception to its caller. */
export class BadPattern extends Error {}
