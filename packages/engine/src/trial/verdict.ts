// The last sentence of a report: what came of a trial goes in; whether the model works, and what to do next, goes out.
import type { RejectedRecord } from '../job/control.ts'
import type { Findings } from './findings.ts'
import type { Trial } from './trial.ts'

/** Records that were read, and those that the model took without complaint. */
export function countsOf({ report, findings }: Trial): { readonly read: number; readonly scored: number } {
  const read = report.input?.total_records ?? 0
  const undecoded = report.input?.rejected.by_encoding ?? 0
  const answered = Math.min(read, report.steps.decode_input_record.times + undecoded)
  const settled = report.state === 'FINISHED' ? read : answered
  return { read, scored: Math.max(0, settled - findings.rejectedInputs) }
}

/** What helps, by the step that rejected a record; what is said first is of more use than what is said last. */
const advice: Readonly<Record<RejectedRecord['step'], string>> = {
  model: 'correct the model where the reasons above point',
  schema: 'compare the data with the schemas of stream and model',
  encoding: "compare the data with the stream's Encoding",
  envelope: "compare the data with the stream's Envelope",
}

/** What weighs most is said: the first that applies. */
export function verdict(trial: Trial): string {
  const { findings, report, limits } = trial
  const { read, scored } = countsOf(trial)
  const next = nextStep(findings)
  const written = findings.outputs.count
  if (report.state === 'ERROR') {
    return `The model does not work: the trial stopped, because ${report.reason}. Next: ${next}, and try again.`
  }
  if (trial.isCut) {
    return `It is not known whether the model works: ${scored} of ${read} records were scored when the time was up. Next: see where the model waits or hangs, or give it fewer records; a trial may take ${limits.time / 1000} s, a record --jet-timeout.`
  }
  if (read === 0 && findings.rejectedPieces === 0) {
    return 'It is not known whether the model works: there were no records. Next: give an input that has some, such as Data of transport debug.'
  }
  if (scored === 0) return `The model does not work: 0 of ${read} records were scored. Next: ${next}, and try again.`
  if (findings.failedEnds > 0) {
    return `The model does not work to the end: it failed after the last record. Next: ${next}, and try again.`
  }
  if (findings.rejectedOutputs > 0) {
    return `The model does not work: it gave records that were rejected, ${findings.rejectedOutputs} in number. Next: compare what it gives with its output schema, and try again.`
  }
  const rejected = findings.rejectedInputs + findings.rejectedPieces
  if (rejected > 0) {
    return `The model works on ${scored} of ${read} records; rejected: ${rejected}. Next: ${next}, or let OnError of the input say what becomes of such records.`
  }
  if (written === 0) {
    return `The model works on ${scored} of ${read} records, but gave none. Next: make sure that it returns, yields or emits its scores.`
  }
  return `The model works: ${scored} of ${read} records were scored. Next: PUT it to /1/job/model.`
}

function nextStep({ rejects }: Findings): string {
  const steps = new Set<string>(rejects.first.map(({ step }) => step))
  return Object.entries(advice).find(([step]) => steps.has(step))?.[1] ?? 'look at what is said above'
}
