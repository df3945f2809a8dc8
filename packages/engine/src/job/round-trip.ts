// Records that come with a request and whose scores are its answer: a body in the framing of the input, one in that of the output.
import { failure } from '@pitot/api'
import { type Control, controlReader, countFrames, type Frames } from '@pitot/codec'
import { cutWhole, wrapWhole } from '@pitot/stream'
import type { Manifold } from '../manifold/manifold.ts'
import type { InputSlot } from '../slots/input.ts'
import type { OutputSlot } from '../slots/output.ts'
import type { JobControl } from './control.ts'

type ScoreRequest = Pick<Parameters<JobControl['score']>[0], 'body' | 'timeout' | 'signal'>

export async function roundTrip(
  manifold: Manifold,
  from: InputSlot,
  to: OutputSlot,
  { body, timeout, signal }: ScoreRequest,
): ReturnType<JobControl['score']> {
  const { frames, rejects } = cutWhole(from.descriptor, from.type, body)
  const slots = { input: from.slot, output: to.slot }
  const records = frames.map((each) => withoutControls(from, each)).filter((each) => countFrames(each) > 0)
  const trips = await within(Promise.all(records.map((each) => manifold.score(each, slots))), timeout, signal)
  const bytes = wrapWhole(
    to.descriptor,
    to.type,
    trips.map((trip) => trip.frames),
  )
  return { bytes, rejected: trips.reduce((sum, trip) => sum + trip.rejects.length, rejects.length) }
}

/** Control records have no meaning here: the answer itself tells that everything is scored. */
function withoutControls({ descriptor }: InputSlot, frames: Frames): Frames {
  const read: (bytes: Uint8Array, start: number, end: number) => Control | undefined = controlReader(
    descriptor.encoding,
  )
  const { bytes, bounds } = frames
  const kept: number[] = []
  for (let index = 0; index < bounds.length; index += 2) {
    const [start, end] = [bounds[index]!, bounds[index + 1]!]
    if (read(bytes, start, end) === undefined) kept.push(start, end)
  }
  return kept.length === bounds.length ? frames : { ...frames, bounds: kept }
}

async function within<Result>(work: Promise<Result>, timeout: number, signal: AbortSignal): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(failure('score-timeout', { timeout })), timeout)
  const leave = () => reject(new Error('the caller has gone'))
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}
