// Operations on REST streams: bodies of requests go into the job, scores come out of it.
import { type engineOperations, failure, type Handlers } from '@pitot/api'
import type { Taken } from '@pitot/stream'
import type { JobControl } from '../job/control.ts'
import { fetchOutput } from '../job/fetch.ts'
import { firstInput, firstOutput, inputSlot, outputSlot } from './slots.ts'

type RestHandlers = Pick<
  Handlers<typeof engineOperations>,
  'postInput' | 'postSlotInput' | 'getOutput' | 'getSlotOutput' | 'headOutput' | 'headSlotOutput'
>

/** How long a request without a slot waits for scores: older clients take anything but 200 for a failure. */
const longPoll = 30_000
/** How long one with a slot does: its clients ask again. */
const shortPoll = 500

const octets = 'application/octet-stream'

export function restHandlers(job: JobControl): RestHandlers {
  async function accept(slot: number, body: { readonly chunks: AsyncIterable<Uint8Array> }) {
    const input = job.restInput(slot)
    if (input === undefined) throw failure('no-rest-stream', { direction: 'input', slot: slotWord(slot) })
    await input.accept(body.chunks)
    return { status: 204 } as const
  }

  function outputOf(slot: number) {
    const output = job.restOutput(slot)
    if (output === undefined) throw failure('no-rest-stream', { direction: 'output', slot: slotWord(slot) })
    return output
  }

  return {
    postInput: ({ body }) => accept(firstInput, body),
    postSlotInput: ({ path, body }) => accept(inputSlot(path.slot), body),

    headOutput() {
      outputOf(firstOutput)
      return { status: 200 }
    },
    headSlotOutput({ path }) {
      outputOf(outputSlot(path.slot))
      return { status: 200 }
    },

    async getOutput({ signal }) {
      const taken = await fetchOutput(job, firstOutput, outputOf(firstOutput), {
        wait: longPoll,
        singly: false,
        signal,
      })
      if (taken.kind === 'end') return { status: 204 }
      return { status: 200, body: taken.kind === 'data' ? kept(taken, signal) : new Uint8Array(), type: octets }
    },

    async getSlotOutput({ path, signal }) {
      const slot = outputSlot(path.slot)
      const taken = await fetchOutput(job, slot, outputOf(slot), { wait: shortPoll, singly: true, signal })
      if (taken.kind === 'end') return { status: 204 }
      if (taken.kind === 'nothing') return { status: 202 }
      return { status: 200, body: kept(taken, signal), type: octets }
    },
  }
}

/** Bytes that go back into the queue when whoever asked for them is gone before they were sent. */
function kept(taken: Extract<Taken, { kind: 'data' }>, signal: AbortSignal): Uint8Array {
  if (signal.aborted) taken.undo()
  else signal.addEventListener('abort', () => taken.undo(), { once: true })
  return taken.bytes
}

export function slotWord(slot: number): string {
  if (slot === firstInput) return 'in'
  return slot === firstOutput ? 'out' : String(slot)
}
