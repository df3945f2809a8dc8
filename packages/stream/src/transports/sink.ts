// What a transport does with frames comes in, a Sink goes out: nothing is written after the end, and closing happens once.
import type { Frames } from '@pitot/codec'
import { type MessageDetails, type Sink, StreamFailure } from '../transport.ts'

export interface SinkParts {
  readonly write: (frames: Frames, details?: readonly MessageDetails[]) => Promise<void>
  readonly flush?: () => Promise<void>
  /** Called once. */
  readonly close?: () => Promise<void>
  readonly counters?: () => Readonly<Record<string, number>>
}

/** `what` names the stream in the sentence for those who write after the end. */
export function sinkFrom(what: string, parts: SinkParts): Sink {
  let closed: Promise<void> | undefined
  return {
    async write(frames, details) {
      if (closed !== undefined) throw new StreamFailure(`${what} is closed: nothing can be written to it any more`)
      await parts.write(frames, details)
    },
    async flush() {
      if (closed === undefined) await parts.flush?.()
    },
    close() {
      closed ??= (async () => parts.close?.())()
      return closed
    },
    ...(parts.counters && { counters: parts.counters }),
  }
}
