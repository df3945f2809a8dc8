// What can be told of a job: its parts come in, the report goes out.
import type { StepTime } from '@pitot/stream'
import type { JetPool } from '../jets/pool.ts'
import type { Manifold } from '../manifold/manifold.ts'
import type { RejectLog } from '../manifold/rejects.ts'
import type { RunStatistics } from '../manifold/statistics.ts'
import type { InputSlot } from '../slots/input.ts'
import type { OutputSlot } from '../slots/output.ts'
import type { JetReport, JobReport, JobState, ModelReport, SlotReport, StepCounts, StreamReport } from './control.ts'
import type { RunningModel } from './running-model.ts'

export interface JobParts {
  readonly state: JobState
  readonly reason: string | undefined
  readonly inputs: ReadonlyMap<number, InputSlot>
  readonly outputs: ReadonlyMap<number, OutputSlot>
  readonly model: RunningModel | undefined
  readonly manifold: Manifold | undefined
  readonly statistics: RunStatistics
  /** As they were when the job was over. */
  readonly lastJets: readonly JetReport[]
  /** Bytes that cells and pools of a model may hold. */
  readonly stateLimit: number
}

const NO_RESTARTS = { count: 0, waiting: 0, last: undefined }
const NO_QUEUE = { items: 0, batches: 0, bytes: 0 }
const NO_STEP = { seconds: 0, times: 0 }

export function report(parts: JobParts): JobReport {
  const { state, reason, inputs, outputs, model, manifold, lastJets } = parts
  const streams = [...inputs.values(), ...outputs.values()].map((slot) => streamReport(slot, parts.statistics.rejects))
  return {
    state,
    reason,
    input: streams.find(({ slot }) => slot === 0)?.stream ?? null,
    output: streams.find(({ slot }) => slot === 1)?.stream ?? null,
    model: model === undefined ? null : modelReport(model),
    jets: manifold === undefined ? lastJets : jetReports(manifold.pool),
    slots: slotReports(model, streams),
    restarts: manifold?.pool.restarts ?? NO_RESTARTS,
    deadlocks: model?.state.deadlockCount ?? 0,
    sharedState: { bytes: model?.state.bytes ?? 0, limit: parts.stateLimit },
    queue: manifold?.gauges ?? NO_QUEUE,
    latency: parts.statistics.latency.report(),
    steps: steps(parts),
  }
}

export function jetReports(pool: JetPool): JetReport[] {
  return pool.members.map((member) => {
    const { memory, user, kernel } = member.jet.usage()
    return {
      pid: member.jet.pid,
      sandbox: member.jet.sandbox,
      total_consumed: member.consumed,
      total_produced: member.produced,
      consumed_bytes: member.consumedBytes,
      produced_bytes: member.producedBytes,
      run_time: member.runTime,
      memory,
      busy: member.load > 0,
      user_time: user,
      kernel_time: kernel,
      model_time: member.modelSeconds,
      isolation: member.jet.isolation,
    }
  })
}

function streamReport(slot: InputSlot | OutputSlot, rejects: RejectLog) {
  const { byEncoding, bySchema, byModel } = rejects.counts(slot.slot)
  const isInput = 'records' in slot
  const stream: StreamReport = {
    descriptor: slot.given,
    name: slot.name,
    total_records: isInput ? slot.records : slot.stream.statistics.records,
    total_bytes: slot.stream.statistics.bytes,
    record_bytes: slot.recordBytes,
    rejected: { by_encoding: byEncoding, by_schema: bySchema, by_model: byModel },
    eof: isInput ? slot.stream.eof : slot.eof,
  }
  return { slot: slot.slot, stream }
}

function modelReport({ package: given, loaded }: RunningModel): ModelReport {
  const slot = (number: number) => loaded.slots.find((each) => each.slot === number)
  const sets = { in: slot(0)?.recordsets ?? false, out: slot(1)?.recordsets ?? false }
  return {
    name: given.name,
    type: given.language,
    source: Buffer.from(given.source).toString(),
    attachments: given.attachments.map(({ name }) => name),
    input_schema: slot(0)?.schema ?? null,
    output_schema: slot(1)?.schema ?? null,
    recordsets: sets.in ? (sets.out ? 'both' : 'input') : sets.out ? 'output' : 'none',
    snapshots: loaded.snapshots,
  }
}

function slotReports(
  model: RunningModel | undefined,
  streams: readonly { readonly slot: number; readonly stream: StreamReport }[],
): SlotReport[] {
  const ofModel = new Map(model?.loaded.slots.map((slot) => [slot.slot, slot]))
  const numbers = [...new Set([...ofModel.keys(), ...streams.map(({ slot }) => slot)])].sort((a, b) => a - b)
  return numbers.map((slot) => ({
    slot,
    schema: ofModel.get(slot)?.schema ?? null,
    recordsets: ofModel.get(slot)?.recordsets ?? false,
    action: ofModel.get(slot)?.action ?? null,
    stream: streams.find((each) => each.slot === slot)?.stream ?? null,
  }))
}

function steps({ inputs, outputs, statistics }: JobParts): StepCounts {
  const sum = (counts: readonly StepTime[]) =>
    counts.reduce((all, each) => ({ seconds: all.seconds + each.seconds, times: all.times + each.times }), NO_STEP)
  return {
    unwrap_envelope: sum([...inputs.values()].map(({ stream }) => stream.statistics.unwrapEnvelope)),
    wrap_envelope: sum([...outputs.values()].map(({ stream }) => stream.statistics.wrapEnvelope)),
    ...statistics.steps.report(),
  }
}
