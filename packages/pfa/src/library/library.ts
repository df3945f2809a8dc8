// What a library function is: the place it is called from comes in, the JavaScript function that generated code calls goes out.
import type { AvroType } from '@pitot/avro'
import type { PfaError } from '../errors.ts'

export interface FunctionType {
  readonly kind: 'fcn'
  readonly params: readonly PfaType[]
  readonly result: PfaType
}

export type PfaType = AvroType | FunctionType

/** What a running instance lends to library functions. */
export interface Host {
  /** Uniform in [0, 1), from the document's `randseed` when it has one. */
  random(): number
  /** Seconds since 1970 UTC. */
  now(): number
  /** Called inside long loops of the library, so that time-outs hold there too; throws when the time is up. */
  tick(): void
  /** Whether there is a time limit at all. */
  isLimited?(): boolean
}

/**
 * One call of a library function in a document. The checker has chosen the signature: `params` and `result` are its
 * concrete types, and arguments arrive promoted to `params` (an int given where a double is wanted is a number already,
 * a long given where a double is wanted is no bigint any more). Function arguments arrive as JavaScript functions.
 */
export interface CallSite {
  readonly name: string
  readonly params: readonly PfaType[]
  readonly result: PfaType
  readonly host: Host
  /** The error with this code of `libfcns.xml`, for `throw site.error(15240)`; knows name and place by itself. */
  error(code: number): PfaError
}

/**
 * Called once per call site when an instance starts, never per record: everything that depends on types only is decided
 * here, and the function given back does the work. Values are as described in `@pitot/avro`'s `type.ts`. Values are
 * immutable: an implementation never changes an argument, it makes new arrays, maps and records.
 */
// biome-ignore lint/suspicious/noExplicitAny: arguments are typed by the signature, which only the checker knows
export type Implementation = (site: CallSite) => (...args: any[]) => unknown

/** One library module, keyed by full function name: `'m.sin'`. Joined with the signatures when the package is built. */
export type LibraryModule = Readonly<Record<string, Implementation>>
