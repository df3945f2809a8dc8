// Records that come with a request and whose scores are its answer: a body in the framing of the input, one in that of the output.
import { failure } from '@pitot/api'
import { controlReader, copyOf, countFrames, type Frames, frameAt, type ReadControl, type Reject } from '@pitot/codec'
import type { JetReject } from '@pitot/jet'
import { cutWhole, wrapWhole } from '@pitot/stream'
import type { Manifold } from '../manifold/manifold.ts'
import type { RoundTrip } from '../manifold/round-trips.ts'
import type { InputSlot } from '../slots/input.ts'
import type { OutputSlot } from '../slots/output.ts'
import type { JobControl, RejectedRecord } from './control.ts'

type ScoreRequest = Pick<Parameters<JobControl['score']>[0], 'body' | 'timeout'>

export async function roundTrip(
  manifold: Manifold,
  from: InputSlot,
  to: OutputSlot,
  { body, timeout }: ScoreRequest,
): ReturnType<JobControl['score']> {
  const { frames, rejects } = cutWhole(from.descriptor, from.type, body)
  const pieces = frames.map((each) => withoutControls(from, each)).filter((each) => countFrames(each) > 0)
  const trips = await scoreWithin(timeout, manifold, pieces, { input: from.slot, output: to.slot })
  const bytes = wrapWhole(
    to.descriptor,
    to.type,
    trips.map((trip) => trip.frames),
  )
  if (rejects.length === 0 && trips.every((trip) => trip.rejects.length === 0)) return { bytes, rejected: [] }
  return { bytes, rejected: describeAll(from.slot, rejects, pieces, trips) }
}

/** Nobody waits longer than the time he gave. Who goes away is not looked for: his records are scored or not. */
function scoreWithin(
  timeout: number,
  manifold: Manifold,
  pieces: readonly Frames[],
  slots: { readonly input: number; readonly output: number },
): Promise<RoundTrip[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(failure('score-timeout', { timeout })), timeout)
    Promise.all(pieces.map((piece) => manifold.score(piece, slots))).then(
      (trips) => {
        clearTimeout(timer)
        resolve(trips)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

function describeAll(
  slot: number,
  rejects: readonly Reject[],
  pieces: readonly Frames[],
  trips: readonly RoundTrip[],
): RejectedRecord[] {
  const time = new Date().toISOString()
  const uncut = rejects.map(({ step, reason, position, bytes }) => ({
    time,
    slot,
    step,
    reason,
    position: { offset: position },
    bytes,
  }))
  const unscored = trips.flatMap((trip, index) =>
    trip.rejects.map((reject) => describe(reject, pieces[index]!, slot, time)),
  )
  return [...uncut, ...unscored]
}

/** Positions are offsets in the body of the request. */
function describe(reject: JetReject, frames: Frames, input: number, time: string): RejectedRecord {
  const { index, step, reason, trace, slot = input, bytes } = reject
  return {
    time,
    slot,
    step,
    reason,
    trace,
    position: { offset: frames.bounds[2 * index] },
    bytes: bytes === undefined ? copyOf(frameAt(frames, index)) : Buffer.from(bytes, 'base64'),
  }
}

/** Control records have no meaning here: the answer itself tells that everything is scored. */
function withoutControls({ descriptor }: InputSlot, frames: Frames): Frames {
  const read: ReadControl = controlReader(descriptor.encoding)
  const { bytes, bounds } = frames
  const isControl = (index: number) => read(bytes, bounds[index]!, bounds[index + 1]!) !== undefined
  let index = 0
  while (index < bounds.length && !isControl(index)) index += 2
  if (index === bounds.length) return frames
  const kept = bounds.slice(0, index)
  for (; index < bounds.length; index += 2) if (!isControl(index)) kept.push(bounds[index]!, bounds[index + 1]!)
  return { ...frames, bounds: kept }
}
