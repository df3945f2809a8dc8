// Operations on the job as a whole: its size, its state, its figures, and what it left behind.
import { type engineOperations, failure, type Handlers } from '@pitot/api'
import type { JobControl } from '../job/control.ts'
import { cpuSample } from '../status/cpu-sample.ts'
import { jobStatus } from '../status/job-status.ts'
import { recordText } from '../status/record-text.ts'

type JobHandlers = Pick<
  Handlers<typeof engineOperations>,
  | 'deleteJob'
  | 'scaleJob'
  | 'getJobStatus'
  | 'resetStatistics'
  | 'getRejected'
  | 'putState'
  | 'putModelState'
  | 'sampleCpu'
  | 'getDebugOutput'
>

/** Seconds. */
const usualSample = 1
const mostJets = 1024

export function jobHandlers(job: JobControl): JobHandlers {
  const restore = async ({ body }: { readonly body: Uint8Array }) => {
    await job.restoreState(body)
    return { status: 204 } as const
  }
  return {
    async deleteJob() {
      await job.reset()
      return { status: 204 }
    },

    async scaleJob({ query, body }) {
      await job.scale(query.n ?? countIn(body))
      return { status: 204 }
    },

    getJobStatus: ({ query }) => ({ status: 200, body: jobStatus(job.report(), query.return) }),

    resetStatistics() {
      job.resetStatistics()
      return { status: 204 }
    },

    getRejected({ query }) {
      const records = job.rejected(query).map(({ bytes, trace, ...facts }) => {
        const { text, isBase64 } = recordText(bytes)
        return { ...facts, ...(trace !== undefined && { trace }), record: text, base64: isBase64 }
      })
      return { status: 200, body: records }
    },

    putState: restore,
    putModelState: restore,

    async sampleCpu({ query, signal }) {
      return { status: 200, body: cpuSample(await job.sampleCpu(query.duration ?? usualSample, signal)) }
    },

    getDebugOutput: () => ({ status: 200, body: job.debugOutput().map((record) => recordText(record).text) }),
  }
}

/** Older clients send the number as the body of the request. */
function countIn(body: Uint8Array): number {
  const text = new TextDecoder().decode(body).trim()
  const allowed = `a whole number from 0 to ${mostJets}`
  if (text === '') throw failure('missing-parameter', { name: 'n', allowed })
  const count = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (!(count <= mostJets)) throw failure('bad-parameter', { name: 'n', found: text, allowed })
  return count
}
