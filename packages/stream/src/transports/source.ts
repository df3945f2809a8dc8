// A generator of chunks that stops when its signal fires comes in, a Source goes out. Most transports are made this way.
import type { Chunk, Position, Source, StreamContext } from '../transport.ts'

export interface SourceParts {
  /**
   * Reads until the end. Throws a `StreamFailure` when it cannot go on. When the signal fires, whatever it waits for has
   * to end; what it throws then is not told.
   */
  readonly read: (signal: AbortSignal) => AsyncGenerator<Chunk, void>
  readonly acknowledge?: (position: Position) => Promise<void>
  /** Called once, when nothing is read any more, also when nothing was ever read. */
  readonly dispose?: () => Promise<void> | void
  readonly counters?: () => Readonly<Record<string, number>>
}

export function sourceFrom(context: Pick<StreamContext, 'signal'>, parts: SourceParts): Source {
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, context.signal])
  let disposed: Promise<void> | undefined
  const dispose = () => {
    disposed ??= (async () => parts.dispose?.())()
    return disposed
  }

  async function* chunks(): AsyncGenerator<Chunk, void> {
    try {
      if (!signal.aborted) yield* parts.read(signal)
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      await dispose()
      // A signal that never fires would be kept by the one it follows, which lives as long as the job.
      stop.abort()
    }
  }
  const iteration = chunks()
  // A stream that nobody reads gives back what it holds, too.
  signal.addEventListener('abort', () => void iteration.return().then(dispose, () => undefined), { once: true })

  return {
    [Symbol.asyncIterator]: () => iteration,
    acknowledge: parts.acknowledge ?? (async () => undefined),
    async close() {
      stop.abort()
      await iteration.return()
      await dispose()
    },
    ...(parts.counters && { counters: parts.counters }),
  }
}

/** The same memory as what it is for everybody else: the slice of a Buffer, for one, is no copy. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** One range of bytes of a stream that has no messages; positions are byte offsets. */
export function byteChunk(given: Uint8Array, offset: number, more: Pick<Chunk, 'room' | 'endOfPart'> = {}): Chunk {
  const bytes = plainBytes(given)
  return {
    frames: { bytes, bounds: [0, bytes.length], position: offset },
    position: () => ({ offset: offset + bytes.length }),
    ...more,
  }
}

/** Where a stream of bytes begins: where an earlier reader stood, or where the descriptor says. */
export function startOffset({ from, skipTo }: Pick<StreamContext, 'from' | 'skipTo'>): number {
  return typeof from?.offset === 'number' ? from.offset : (skipTo ?? 0)
}
