// The job in Prometheus terms: everything is read from its report when the metrics are asked for.
import type { Metrics } from '@pitot/service'
import type { JobControl, JobReport, JobState, SlotReport, StreamReport } from '../job/control.ts'

type Labels = Readonly<Record<string, string | number>>
type Sample = readonly [labels: Labels, value: number]

interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly read: (report: JobReport) => Iterable<Sample>
}

const states: readonly JobState[] = ['INIT', 'RUNNING', 'PAUSED', 'FINISHING', 'FINISHED', 'ERROR']

const families: readonly Family[] = [
  {
    name: 'pitot_job_state',
    help: 'State of the job: 1 for the one it is in.',
    type: 'gauge',
    read: ({ state }) => states.map((each) => [{ state: each.toLowerCase() }, Number(each === state)]),
  },
  {
    name: 'pitot_slot_records_total',
    help: 'Records read from or written to the stream of a slot.',
    type: 'counter',
    read: (report) => attached(report).map(({ labels, stream }) => [labels, stream.total_records]),
  },
  {
    name: 'pitot_slot_bytes_total',
    help: 'Bytes read from or written to the stream of a slot.',
    type: 'counter',
    read: (report) => attached(report).map(({ labels, stream }) => [labels, stream.total_bytes]),
  },
  {
    name: 'pitot_slot_record_bytes_total',
    help: 'Bytes of the records of a slot, without what the envelope adds.',
    type: 'counter',
    read: (report) => attached(report).map(({ labels, stream }) => [labels, stream.record_bytes]),
  },
  {
    name: 'pitot_slot_rejected_total',
    help: 'Records of a slot that were rejected.',
    type: 'counter',
    read: (report) =>
      attached(report).flatMap(({ labels, stream: { rejected } }): Sample[] => [
        [{ ...labels, by: 'encoding' }, rejected.by_encoding],
        [{ ...labels, by: 'schema' }, rejected.by_schema],
        [{ ...labels, by: 'model' }, rejected.by_model],
      ]),
  },
  {
    name: 'pitot_slot_eof',
    help: 'Whether the stream of a slot has ended.',
    type: 'gauge',
    read: (report) => attached(report).map(({ labels, stream }) => [labels, Number(stream.eof)]),
  },
  ofQueue('pitot_queue_items', 'Batches and control records that are not written yet.', 'items'),
  ofQueue('pitot_queue_batches', 'Batches at the jets.', 'batches'),
  ofQueue('pitot_queue_bytes', 'Bytes of input between reading and writing.', 'bytes'),
  {
    name: 'pitot_latency_seconds_total',
    help: 'Time from taking up batches of a slot until everything of them was written.',
    type: 'counter',
    read: ({ latency }) => latency.map(({ slot, seconds }) => [{ slot }, seconds]),
  },
  {
    name: 'pitot_latency_batches_total',
    help: 'Batches of a slot that were written.',
    type: 'counter',
    read: ({ latency }) => latency.map(({ slot, times }) => [{ slot }, times]),
  },
  {
    name: 'pitot_jets',
    help: 'Jets that are there.',
    type: 'gauge',
    read: ({ jets }) => [[{}, jets.length]],
  },
  {
    name: 'pitot_jets_busy',
    help: 'Jets that hold a batch.',
    type: 'gauge',
    read: ({ jets }) => [[{}, jets.filter(({ busy }) => busy).length]],
  },
  ofJets('pitot_jet_consumed_total', 'Records that a jet took.', 'counter', 'total_consumed'),
  ofJets('pitot_jet_produced_total', 'Records that a jet gave.', 'counter', 'total_produced'),
  ofJets('pitot_jet_consumed_bytes_total', 'Bytes of the records that a jet took.', 'counter', 'consumed_bytes'),
  ofJets('pitot_jet_produced_bytes_total', 'Bytes of the records that a jet gave.', 'counter', 'produced_bytes'),
  ofJets('pitot_jet_memory_bytes', 'Resident memory of a jet.', 'gauge', 'memory'),
  ofJets('pitot_jet_model_seconds_total', 'Time that a jet spent in its model.', 'counter', 'model_time'),
  {
    name: 'pitot_jet_cpu_seconds_total',
    help: 'Processor time of a jet.',
    type: 'counter',
    read: ({ jets }) =>
      jets.flatMap(({ sandbox, user_time, kernel_time }): Sample[] => [
        [{ jet: sandbox, mode: 'user' }, user_time],
        [{ jet: sandbox, mode: 'kernel' }, kernel_time],
      ]),
  },
  {
    name: 'pitot_jet_restarts_total',
    help: 'Jets that died and were replaced.',
    type: 'counter',
    read: ({ restarts }) => [[{}, restarts.count]],
  },
  {
    name: 'pitot_deadlocks_total',
    help: 'Times that jets would have waited for each other without end.',
    type: 'counter',
    read: ({ deadlocks }) => [[{}, deadlocks]],
  },
  {
    name: 'pitot_shared_state_bytes',
    help: 'Memory that the cells and pools of the model hold.',
    type: 'gauge',
    read: ({ sharedState }) => [[{}, sharedState.bytes]],
  },
  {
    name: 'pitot_shared_state_limit_bytes',
    help: 'Memory that the cells and pools of the model may hold.',
    type: 'gauge',
    read: ({ sharedState }) => [[{}, sharedState.limit]],
  },
  {
    name: 'pitot_step_seconds_total',
    help: 'Time spent in a step of the way of records.',
    type: 'counter',
    read: ({ steps }) => Object.entries(steps).map(([step, { seconds }]) => [{ step }, seconds]),
  },
  {
    name: 'pitot_step_times_total',
    help: 'How often a step of the way of records was taken.',
    type: 'counter',
    read: ({ steps }) => Object.entries(steps).map(([step, { times }]) => [{ step }, times]),
  },
]

export function addJobMetrics(metrics: Metrics, job: Pick<JobControl, 'report'>): void {
  for (const { name, help, type, read } of families) metrics.observed(name, help, type, () => read(current()))

  // All families of one answer are written without a pause, and tell of the same moment.
  let report: JobReport | undefined
  function current(): JobReport {
    if (report === undefined) {
      report = job.report()
      queueMicrotask(() => {
        report = undefined
      })
    }
    return report
  }
}

function ofJets(
  name: string,
  help: string,
  type: Family['type'],
  field: 'total_consumed' | 'total_produced' | 'consumed_bytes' | 'produced_bytes' | 'memory' | 'model_time',
): Family {
  return { name, help, type, read: ({ jets }) => jets.map((jet) => [{ jet: jet.sandbox }, jet[field]]) }
}

function ofQueue(name: string, help: string, field: keyof JobReport['queue']): Family {
  return { name, help, type: 'gauge', read: ({ queue }) => [[{}, queue[field]]] }
}

function attached({ slots }: JobReport): { labels: Labels; stream: StreamReport }[] {
  const isAttached = (slot: SlotReport): slot is SlotReport & { stream: StreamReport } => slot.stream !== null
  return slots.filter(isAttached).map(({ slot, stream }) => ({
    labels: { slot, direction: slot % 2 === 0 ? 'input' : 'output' },
    stream,
  }))
}
