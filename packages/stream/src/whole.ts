// One message by itself, in the framing of a stream: its bytes come in and frames go out, or the other way round.
import type { AvroType } from '@pitot/avro'
import { copyOf, type Frames, type Reject, wholeFrame } from '@pitot/codec'
import { unwrapperOf, wrapperOf } from './codecs.ts'
import type { Descriptor } from './descriptor/descriptor.ts'
import { splitBody } from './transports/rest/split-body.ts'

const LINE_FEED = 0x0a

/** The frames of a whole message, as a REST input would cut it if nothing else were sent. */
export function cutWhole(
  descriptor: Descriptor,
  type: AvroType | null,
  bytes: Uint8Array,
): { readonly frames: readonly Frames[]; readonly rejects: readonly Reject[] } {
  if (!keepsBoundaries(descriptor)) {
    const unwrapper = unwrapperOf(descriptor, type)
    const [begin, end] = [unwrapper.push(bytes), unwrapper.end()]
    return { frames: [...begin.frames, ...end.frames], rejects: [...begin.rejects, ...end.rejects] }
  }
  const isOneRecord = descriptor.transportOptions.Mode !== 'automatic'
  const frames = isOneRecord ? wholeFrame(bytes) : { bytes, bounds: splitBody(bytes), position: 0 }
  return { frames: [frames], rejects: [] }
}

/** A whole message of these frames, as one reply from a REST output would be. */
export function wrapWhole(descriptor: Descriptor, type: AvroType | null, frames: readonly Frames[]): Uint8Array {
  if (keepsBoundaries(descriptor)) return inLines(frames)
  const wrapper = wrapperOf(descriptor, type)
  return concatenate([wrapper.start(), ...frames.map((each) => wrapper.wrap(each))])
}

function keepsBoundaries({ transport, transportOptions }: Descriptor): boolean {
  return transport.preservesBoundaries(transportOptions)
}

/** One record stands alone; several get a line each. */
function inLines(frames: readonly Frames[]): Uint8Array {
  const records: Uint8Array[] = []
  for (const { bytes, bounds } of frames) {
    for (let index = 0; index < bounds.length; index += 2)
      records.push(bytes.subarray(bounds[index], bounds[index + 1]))
  }
  if (records.length === 1) return copyOf(records[0]!)
  const lineFeed = Uint8Array.of(LINE_FEED)
  return concatenate(records.flatMap((record) => [record, lineFeed]))
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
