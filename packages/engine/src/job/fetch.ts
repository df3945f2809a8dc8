// What one request fetches from a REST output: everything up to the last pig that was accepted before it, in one reply.
import type { RestOutput, Taken, TakeOptions } from '@pitot/stream'
import type { JobControl } from './control.ts'

type Data = Extract<Taken, { kind: 'data' }>

export interface FetchOptions extends Pick<TakeOptions, 'wait' | 'pigWait' | 'signal'> {
  /** One record for each request, where the stream is one of single records. */
  readonly singly: boolean
}

/** `output` is the one that the slot has now; it may be replaced while it is waited for. */
export async function fetchOutput(
  job: Pick<JobControl, 'restOutput' | 'backlog'>,
  slot: number,
  output: RestOutput,
  { singly, ...options }: FetchOptions,
): Promise<Taken> {
  const backlog = job.backlog()
  const parts: Data[] = []
  for (let from = output; ; ) {
    const one = singly && from.mode === 'simple'
    const taken = await from.take({ ...options, one, backlog })
    if (taken.kind === 'data') parts.push(taken)
    const next = job.restOutput(slot)
    // The end of a stream that was replaced is not the end of the job, and a pig on its way comes out of the next one.
    const isReplaced = next !== undefined && next !== from
    const mayGoOn = taken.kind === 'end' || (taken.kind === 'data' && !one && next?.awaitsPig(backlog))
    if (!isReplaced || !mayGoOn) return parts.length === 0 ? taken : joined(parts)
    from = next
  }
}

function joined(parts: readonly Data[]): Data {
  if (parts.length === 1) return parts[0]!
  return {
    kind: 'data',
    bytes: new Uint8Array(Buffer.concat(parts.map(({ bytes }) => bytes))),
    undo() {
      for (const part of parts) part.undo()
    },
  }
}
