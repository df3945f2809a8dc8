// The round trip: the records of a request are scored, and their scores are its reply.
import { type engineOperations, failure, type Handlers } from '@pitot/api'
import type { JobControl } from '../job/control.ts'
import { slotWord } from './rest.ts'
import { firstInput, firstOutput, inputSlot, outputSlot } from './slots.ts'

type ScoreHandlers = Pick<Handlers<typeof engineOperations>, 'scoreRecords' | 'roundTrip'>

const usualTimeout = 30_000

export function scoreHandlers(job: JobControl): ScoreHandlers {
  async function score(input: number, output: number, { body, query, headers }: ScoreRequest) {
    if (job.restInput(input) === undefined)
      throw failure('no-rest-stream', { direction: 'input', slot: slotWord(input) })
    if (job.restOutput(output) === undefined)
      throw failure('no-rest-stream', { direction: 'output', slot: slotWord(output) })
    const timeout = query.timeout ?? usualTimeout
    const { bytes, rejected } = await job.score({ input, output, body, timeout })
    const [first] = rejected
    if (first !== undefined && bytes.length === 0) {
      throw failure('nothing-scored', { count: rejected.length, step: first.step, reason: first.reason })
    }
    const type = isJson(headers['content-type']) ? 'application/json' : 'application/octet-stream'
    if (first === undefined) return { status: 200, body: bytes, type } as const
    return { status: 200, body: bytes, type, headers: { 'x-pitot-rejected': String(rejected.length) } } as const
  }
  return {
    scoreRecords: (request) => score(firstInput, firstOutput, request),
    roundTrip: (request) => score(inputSlot(request.path.input), outputSlot(request.path.output), request),
  }
}

interface ScoreRequest {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly query: { readonly timeout: number | undefined }
}

function isJson(contentType: string | string[] | undefined): boolean {
  return /^\s*application\/json\s*(;|$)/i.test(String(contentType ?? ''))
}
