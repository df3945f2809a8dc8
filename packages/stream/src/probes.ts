// Looks at a stream outside of any job: a descriptor comes in; a few records, or how fast it can be read, go out.
import { bytesOf, countFrames, countRecords, type Frames, frameAt, splitBlocks } from '@pitot/codec'
import type { Descriptor } from './descriptor/descriptor.ts'
import { type InputOptions, InputStream } from './input-stream.ts'
import { StreamFailure } from './transport.ts'

/** A stream that has nothing to say is not waited for any longer. */
const samplePatience = 5000
const measurements = 3
const longestMeasurement = 1000
/** Fewer records do not make a measurement. */
const fewestRecords = 10

/** Frames as they come, a block of an object container file as one, until `take` says no; a silent stream is not waited for. */
export function readFrames(descriptor: Descriptor, options: InputOptions, take: (frames: Frames) => boolean) {
  return reading(descriptor, options, samplePatience, take)
}

/** The first `count` records at most, as they stand in the stream; fewer when it ends or falls silent. */
export async function sampleStream(
  descriptor: Descriptor,
  options: InputOptions,
  count: number,
): Promise<Uint8Array[]> {
  const records: Uint8Array[] = []
  await readFrames(descriptor, options, (frames) => {
    const piece = splitBlocks(frames, options.type)
    for (let index = 0; index < countFrames(piece) && records.length < count; index++) {
      // Copied: a frame is a range of a large piece of memory.
      records.push(frameAt(piece, index).slice())
    }
    return records.length < count
  })
  return records
}

export interface StreamRate {
  /** Records per second. */
  readonly rps: number
  /** Mebibytes per second. */
  readonly mbps: number
}

/** Reads at full speed and measures a few times in a row. Rejects when there is not enough to measure. */
export async function rateStream(descriptor: Descriptor, options: InputOptions): Promise<StreamRate[]> {
  const rates: StreamRate[] = []
  let start = performance.now()
  let records = 0
  let bytes = 0
  const measure = () => {
    const seconds = Math.max((performance.now() - start) / 1000, 1e-6)
    rates.push({ rps: records / seconds, mbps: bytes / 2 ** 20 / seconds })
    start = performance.now()
    records = 0
    bytes = 0
  }
  await reading(descriptor, options, measurements * longestMeasurement, (frames) => {
    records += countRecords(frames)
    bytes += bytesOf(frames)
    if (performance.now() - start >= longestMeasurement && records >= fewestRecords) measure()
    return rates.length < measurements
  })
  if (records >= fewestRecords && rates.length < measurements) measure()
  if (rates.length > 0) return rates
  throw new StreamFailure(`the stream is too short to measure: it gave ${records} records, ${fewestRecords} are needed`)
}

/** Reads until `take` says no, the stream ends, or the time is up. A looping stream is read once. */
async function reading(
  descriptor: Descriptor,
  options: InputOptions,
  patience: number,
  take: (frames: Frames) => boolean,
): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([options.context.signal, stop.signal])
  const stream = await InputStream.open(
    { ...descriptor, loop: false },
    { ...options, context: { ...options.context, signal } },
  )
  const timer = setTimeout(() => void stream.close(), patience)
  try {
    for await (const piece of stream) if (piece.kind === 'frames' && !take(piece.frames)) break
  } finally {
    clearTimeout(timer)
    await stream.close()
    stop.abort()
  }
}
