// What a transport is: it moves bytes and knows no records. Envelopes and encodings are none of its business.
import type { Frames } from '@pitot/codec'
import type { Fields } from './field.ts'
import type { RestInput } from './transports/rest/input.ts'
import type { RestOutput } from './transports/rest/output.ts'

/**
 * Where reading stands. Opaque to everybody but the transport that made it: it is kept, handed back to `acknowledge`, and
 * stored as JSON so that reading can go on there after a restart.
 */
export type Position = Readonly<Record<string, unknown>>

/** What travels beside the bytes of a message, where a transport has such a thing. */
export interface MessageDetails {
  readonly key?: Uint8Array
  readonly headers?: readonly (readonly [name: string, value: Uint8Array])[]
}

/** One piece of what was read: many bytes at once, never one record at a time when there are more. */
export interface Chunk {
  /** One range per message where the transport keeps boundaries, one range in all where it does not. */
  readonly frames: Frames
  /** As many as there are ranges, or none at all. */
  readonly details?: readonly MessageDetails[]
  /** Where range `index` ends, to be acknowledged when everything up to there is durable; the last one when not given. */
  position(index?: number): Position
  /** That many bytes of the memory before the first range are free to be written to by whoever cuts the chunk. */
  readonly room?: number
  /**
   * Nothing that follows continues these bytes: what is unfinished ends here, and a header may come next. So it is at
   * the end of a file that was rotated away, and of a connection that broke.
   */
  readonly endOfPart?: boolean
}

/**
 * An open input. Iterate it once; to ask for the next chunk is to have room for it, so a consumer that does not ask slows
 * the sender down. The iteration ends at the end of the stream and throws a `StreamFailure` when it cannot go on.
 */
export interface Source extends AsyncIterable<Chunk> {
  /** Everything up to here is durable downstream. Never called backwards. Does nothing where nothing is kept. */
  acknowledge(position: Position): Promise<void>
  /** Ends the iteration, also while it waits. Idempotent. */
  close(): Promise<void>
  /** Figures of the transport's own, such as datagrams that the kernel dropped; for status and metrics. */
  counters?(): Readonly<Record<string, number>>
}

/** An open output. Calls come one after the other: the next `write` only when the one before has resolved. */
export interface Sink {
  /**
   * Resolves when the frames are durable in the meaning of the transport. `frames` are wrapped already where the
   * transport keeps no boundaries (one range); otherwise one range is one message.
   */
  write(frames: Frames, details?: readonly MessageDetails[]): Promise<void>
  /** Resolves when nothing that was written can be lost by a crash of this process. */
  flush(): Promise<void>
  /** Flushes and closes. Idempotent. */
  close(): Promise<void>
  counters?(): Readonly<Record<string, number>>
  /** Present when what is written can become visible together with the input positions it came from. */
  readonly transactions?: Transactions
}

/**
 * Exactly once from an input to an output that both can do it: `begin`, any number of `write`, then `commit` or `abort`.
 * One transaction at a time. After a failed `commit` or `write` the caller aborts and opens its inputs anew: they go on at
 * the last commit.
 */
export interface Transactions {
  begin(): Promise<void>
  /** Everything written since `begin` and these positions become durable at once, or neither does; in place of `acknowledge`. */
  commit(read?: readonly { readonly source: Source; readonly position: Position }[]): Promise<void>
  /** Nothing that was written since `begin` is ever seen by a reader. */
  abort(): Promise<void>
}

/** What a transport may need from whoever opens a stream. */
export interface StreamContext {
  /** One line for the log; transports do not log by themselves. */
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', message: string) => void
  /** Fires when the stream is to end at once. */
  readonly signal: AbortSignal
  /** Where to go on, from an earlier `Chunk.position`; undefined means from the start the descriptor names. */
  readonly from?: Position | undefined
  /** Byte offset to start at, for transports that can seek in bytes. */
  readonly skipTo?: number | undefined
  /** Record to start at, for transports that can seek in records. */
  readonly skipToRecord?: number | 'earliest' | 'latest' | undefined
  /** Files are looked for below this folder only, when it is set. */
  readonly fileRoot?: string | undefined
  /** Executables that `exec` may start. */
  readonly allowExec: readonly string[]
  /** Where the REST transport leaves its queues, for the HTTP operations of the slot; absent outside of a job. */
  readonly rest?: RestQueues | undefined
  /** Where the debug and console transports put their output. */
  readonly outputs?: { debug(record: Uint8Array): void; console(records: readonly Uint8Array[]): void } | undefined
}

/** Told by the REST transport: from now on the bodies of requests go here, and replies come from there. */
export interface RestQueues {
  /** A byte without which a body holds no control record; undefined where no body ever does. */
  readonly controlSign?: number | undefined
  attachInput(queue: RestInput): void
  attachOutput(queue: RestOutput): void
}

/** What a transport may want to know of the rest of a descriptor. */
export interface DescriptorContext {
  readonly direction: 'input' | 'output'
  readonly encoding: string
  /** As it was written, null for none; undefined when it was left out. */
  readonly envelope: string | undefined
}

/** One transport. `Options` are its fields of a descriptor, read and checked, by the names they have there. */
// biome-ignore lint/suspicious/noExplicitAny: a list of transports holds many kinds of options
export interface Transport<Options = any> {
  /** As in a descriptor: `REST`, `kafka`, … */
  readonly type: string
  /** Its own fields of a descriptor, by name. Other spellings are none of its business: `descriptor/spellings.ts` has them. */
  readonly fields: Fields
  /** Gives values to options whose default depends on the rest of the descriptor, and drops what has no meaning in it. */
  settle?(options: Options, context: DescriptorContext): Options
  /** One chunk range is one message; depends on the options for some (debug with a string or an array). */
  preservesBoundaries(options: Options): boolean
  readonly seekable: 'bytes' | 'records' | false
  /** Rules about several fields at once; a sentence per broken rule. */
  check?(options: Options, direction: 'input' | 'output'): readonly string[]
  /** Absent when it has no meaning as an input. Rejects with a `StreamFailure` when the stream cannot be opened. */
  open?(options: Options, context: StreamContext): Promise<Source>
  /** Absent when it has no meaning as an output. */
  create?(options: Options, context: StreamContext): Promise<Sink>
}

/** A stream that cannot be opened or cannot go on: what, where, and what to do next, in one sentence. */
export class StreamFailure extends Error {
  override readonly name = 'StreamFailure'
  /** True when the same may work later: the caller may try again. */
  readonly passing: boolean

  constructor(sentence: string, options: { passing?: boolean; cause?: unknown } = {}) {
    super(sentence, options.cause === undefined ? undefined : { cause: options.cause })
    this.passing = options.passing ?? false
  }
}
