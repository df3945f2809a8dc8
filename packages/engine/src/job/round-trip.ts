// Records that come with a request and whose scores are its answer: a body in the framing of the input, one in that of the output.
import { failure } from '@pitot/api'
import { controlReader, copyOf, countFrames, type Frames, frameAt, type ReadControl } from '@pitot/codec'
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
  const slots = { input: from.slot, output: to.slot }
  const records = frames.map((each) => withoutControls(from, each)).filter((each) => countFrames(each) > 0)
  const trips = await within(scoreAll(manifold, records, slots), timeout)
  const bytes = wrapWhole(
    to.descriptor,
    to.type,
    trips.map((trip) => trip.frames),
  )
  if (rejects.length === 0 && trips.every((trip) => trip.rejects.length === 0)) return { bytes, rejected: [] }
  const time = new Date().toISOString()
  const uncut = rejects.map(({ step, reason, position, bytes: refused }) => ({
    time,
    slot: from.slot,
    step,
    reason,
    position: { offset: position },
    bytes: refused,
  }))
  const unscored = trips.flatMap((trip, index) =>
    trip.rejects.map((reject) => describe(reject, records[index]!, from.slot, time)),
  )
  return { bytes, rejected: [...uncut, ...unscored] }
}

/** As a rule it is one piece. */
async function scoreAll(
  manifold: Manifold,
  pieces: readonly Frames[],
  slots: { input: number; output: number },
): Promise<RoundTrip[]> {
  const trips = pieces.map((each) => manifold.score(each, slots))
  return trips.length === 1 ? [await trips[0]!] : Promise.all(trips)
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
  const kept: number[] = []
  for (let index = 0; index < bounds.length; index += 2) {
    const start = bounds[index]!
    const end = bounds[index + 1]!
    if (read(bytes, start, end) === undefined) kept.push(start, end)
  }
  return kept.length === bounds.length ? frames : { ...frames, bounds: kept }
}

/** A caller who goes away is not looked for: his records are scored or not, and nobody waits longer than the time he gave. */
function within<Result>(work: Promise<Result>, timeout: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(failure('score-timeout', { timeout })), timeout)
    const settled = () => clearTimeout(timer)
    work.then(resolve, reject).then(settled)
  })
}
