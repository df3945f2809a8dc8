// What generated code is given, and what it gives back: the border between one instance and its compiled program.
import type { PfaType } from '../library/library.ts'

/** One place where a document calls a library function. */
export interface LibraryCall {
  readonly name: string
  readonly params: readonly PfaType[]
  readonly result: PfaType
  readonly at: string
}

export interface Box {
  value: unknown
}

/** The items of a pool by key; a Map, or what stands for one that is kept elsewhere. */
export interface PoolItems {
  has(key: string): boolean
  get(key: string): unknown
  set(key: string, value: unknown): unknown
  delete(key: string): unknown
}

/** What a rolling-back pool held before a change; undefined when it did not have the key. */
export interface Undo {
  readonly pool: PoolItems
  readonly key: string
  readonly item: unknown
}

/** Lent to the routines of one instance. */
export interface Environment {
  readonly instance: number
  readonly started: number
  readonly finished: number
  readonly tally: unknown
  /** Those of shared cells and pools are a `SharedCell` and a `SharedPool`. */
  readonly cells: readonly Box[]
  readonly pools: readonly PoolItems[]
  /** Turns what a caller gives into a value of the input type. */
  input(value: unknown): unknown
  emit(value: unknown): void
  log(values: readonly unknown[], namespace: string | undefined): void
  /** The function for one place of `LibraryCall`. */
  library(place: number): (...args: never[]) => unknown
  startClock(milliseconds: number): void
  checkTime(): void
  rollBack(changes: readonly Undo[]): void
  explain(error: unknown): unknown
}

export interface Routines {
  begin(): void
  /** Converts what a caller gives, and runs. */
  action(value: unknown): unknown
  /** The same for a value of the input type. */
  run(input: unknown): unknown
  end(): void
  readonly merge: ((one: unknown, two: unknown) => unknown) | undefined
  counts(): { readonly started: number; readonly finished: number }
  tally(): unknown
  setTally(value: unknown): void
  /** Current values of all cells, in the order of the document. */
  cells(): readonly unknown[]
}

export type RoutinesFactory = (environment: Environment) => Routines
