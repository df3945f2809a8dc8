// Tries a model once: the model and its streams come in, what came of it goes out, and nothing of it is left.
import { failure, type PitotError } from '@pitot/api'
import type { JobReport, Verification } from '../job/control.ts'
import type { JobEnvironment } from '../job/environment.ts'
import { Job } from '../job/job.ts'
import { readSlot } from '../slots/read.ts'
import { isInput } from '../slots/table.ts'
import type { TrialBounds, TrialLimits } from './bounds.ts'
import { Findings } from './findings.ts'
import type { TrialRequest, TrialStream } from './request.ts'

export interface Trial {
  readonly request: TrialRequest
  readonly loaded: Verification
  /** Spellings of descriptors that were put right, rules that were bent. */
  readonly warnings: readonly string[]
  /** As it was when the trial was over. */
  readonly report: JobReport
  readonly findings: Findings
  readonly limits: TrialLimits
  /** Nothing more was read when the time for it was up. */
  readonly isReadingCut: boolean
  /** The time was up before the last record was written. */
  readonly isCut: boolean
  /** Seconds. */
  readonly loading: number
  readonly running: number
}

/** What the trial is given by the engine it runs in: all that a job needs, but for what watches and keeps the one job. */
export type TrialEnvironment = Pick<JobEnvironment, 'options' | 'registry' | 'log' | 'tell'>

/** Nobody takes records out of it; they are shown as text. */
const shown: TrialStream = { name: undefined, descriptor: { Transport: 'discard', Encoding: 'json' } }

/** Disposes of the model. Rejects when it does not load or a stream cannot be opened; then, too, everything has ended. */
export async function tryModel(
  request: TrialRequest,
  environment: TrialEnvironment,
  bounds: TrialBounds,
): Promise<Trial> {
  const findings = new Findings()
  const over = Promise.withResolvers<void>()
  bounds.stop.addEventListener('abort', () => over.resolve(), { once: true })
  const job = jobOf(environment, bounds, findings, () => over.resolve())
  let isReadingCut = false
  const noteCut = () => {
    isReadingCut = job.report().input?.eof === false
  }
  bounds.enough.addEventListener('abort', noteCut, { once: true })
  try {
    const asked = performance.now()
    const { loaded, warnings } = await start(job, request, environment)
    const begun = performance.now()
    bounds.begin()
    await over.promise
    bounds.throwIfLeft()
    const report = job.report()
    return {
      request,
      loaded,
      warnings,
      report,
      findings,
      limits: bounds.limits,
      isReadingCut,
      isCut: report.state !== 'FINISHED' && report.state !== 'ERROR',
      loading: (begun - asked) / 1000,
      running: (performance.now() - begun) / 1000,
    }
  } catch (error) {
    // Once everything has to end, what goes wrong goes wrong because of that.
    throw bounds.stop.aborted ? bounds.stop.reason : error
  } finally {
    await job.reset()
    await request.model.dispose()
  }
}

/** A job like that of the engine, seen by nobody but us. */
function jobOf(environment: TrialEnvironment, bounds: TrialBounds, findings: Findings, over: () => void): Job {
  return new Job({
    ...environment,
    log(level, message) {
      findings.remark(level, message)
      environment.log('debug', `trial: ${message}`)
    },
    tell(event) {
      findings.tell(event)
      // A console output is for whoever watches the fleet; all else is for the report.
      if (event.kind === 'output') environment.tell(event)
      if (event.kind === 'state' && (event.state === 'FINISHED' || event.state === 'ERROR')) over()
    },
    trial: {
      mostRecords: bounds.limits.records,
      enough: bounds.enough,
      stop: bounds.stop,
      written: (slot, frames) => findings.written(slot, frames),
    },
  })
}

/** Descriptors are read before anything is opened, and the model is loaded before an output could be written over. */
async function start(job: Job, request: TrialRequest, { registry }: TrialEnvironment) {
  const streams = new Map([
    [1, request.output ?? shown],
    [0, request.input],
  ])
  for (const [slot, { descriptor, name }] of streams) {
    const { read } = await readSlot(slot, descriptor, name, registry)
    if (read.descriptor.transport.type === 'REST') throw restRefused(slot)
  }
  const loaded = await job.loadModel(request.model, {})
  const warnings: string[] = []
  for (const { slot, action } of loaded.slots) {
    if (action === null || streams.has(slot)) continue
    if (isInput(slot)) throw secondInput(slot)
    await job.attachStream(slot, shown.descriptor, {})
  }
  for (const [slot, { descriptor, name }] of streams) {
    warnings.push(...(await job.attachStream(slot, descriptor, { name })).warnings)
  }
  return { loaded, warnings }
}

function restRefused(slot: number): PitotError {
  const reason = isInput(slot)
    ? '/input has transport REST, but nobody can send records to a trial: give them as Data of transport debug'
    : '/output has transport REST, but nobody can fetch records from a trial: leave the output out to see them in the report'
  return failure('bad-trial', { reason })
}

function secondInput(slot: number): PitotError {
  const reason = `the model reads slot ${slot} too, but a trial has one input: PUT it to /1/job/model with all its streams`
  return failure('bad-trial', { reason })
}
