// What a sensor can see and where the same stands in /metrics: a row for every kind of tap there is.

interface TapMetrics {
  /** `<slot>`, `<sandbox>` and `<path>` stand for what is different in each tap. */
  readonly tap: string
  /** What tells the same, in the service that has the tap; or why nothing does. */
  readonly metrics: readonly string[] | string
}

const random = 'it is random, to try sensors with'
const records = 'these are records, not figures'
/** Figures of a field are in the metrics as its sensors report them: without a sensor nobody looks at values. */
const reported = [
  'values',
  'missing',
  'distinct',
  'numbers',
  'last',
  'sum',
  'min',
  'max',
  'mean',
  'deviation',
  'quantile',
  'bucket',
  'drift_psi',
  'drift_ks',
  'drift_new_categories',
  'alarm',
  'report_timestamp_seconds',
].map((figure) => `pitot_sensor_${figure}`)

export const tapMetrics: readonly TapMetrics[] = [
  { tap: 'sys.memory', metrics: ['process_resident_memory_bytes'] },
  { tap: 'sys.cpu.utilization', metrics: ['process_cpu_user_seconds_total', 'process_cpu_system_seconds_total'] },
  { tap: 'sys.test.int', metrics: random },
  { tap: 'sys.test.float', metrics: random },
  { tap: 'sys.test.bytes', metrics: random },
  { tap: 'sys.test.tagged.int', metrics: random },
  { tap: 'sys.test.tagged.float', metrics: random },
  { tap: 'sys.test.tagged.bytes', metrics: random },
  { tap: 'manifold.<slot>.records.count', metrics: ['pitot_slot_records_total'] },
  { tap: 'manifold.<slot>.records.size', metrics: ['pitot_slot_record_bytes_total'] },
  { tap: 'manifold.<slot>.raw.size', metrics: ['pitot_slot_bytes_total'] },
  { tap: 'manifold.<slot>.records.rejected.by.encoding', metrics: ['pitot_slot_rejected_total'] },
  { tap: 'manifold.<slot>.records.rejected.by.schema', metrics: ['pitot_slot_rejected_total'] },
  { tap: 'manifold.<slot>.records.rejected.by.model', metrics: ['pitot_slot_rejected_total'] },
  { tap: 'manifold.<slot>.records', metrics: records },
  { tap: 'manifold.<slot>.debug', metrics: records },
  { tap: 'manifold.<slot>.latency', metrics: ['pitot_latency_seconds_total', 'pitot_latency_batches_total'] },
  // The jets know how long the model takes.
  { tap: 'manifold.<slot>.profile', metrics: ['pitot_step_seconds_total', 'pitot_jet_model_seconds_total'] },
  { tap: 'manifold.<slot>.field.<path>', metrics: reported },
  { tap: 'manifold.queue', metrics: ['pitot_queue_items', 'pitot_queue_batches', 'pitot_queue_bytes'] },
  { tap: 'manifold.deadlock', metrics: ['pitot_deadlocks_total'] },
  { tap: 'jet.<sandbox>.input.records.count', metrics: ['pitot_jet_consumed_total'] },
  { tap: 'jet.<sandbox>.input.records.size', metrics: ['pitot_jet_consumed_bytes_total'] },
  { tap: 'jet.<sandbox>.output.records.count', metrics: ['pitot_jet_produced_total'] },
  { tap: 'jet.<sandbox>.output.records.size', metrics: ['pitot_jet_produced_bytes_total'] },
]

const parts: Readonly<Record<string, string>> = {
  // Slots 0 and 1 have names as well.
  '<slot>': '(\\d+|input|output)',
  '<sandbox>': '[^.]+',
  '<path>': '.+',
}

/** Which taps a row is about. */
export function expressionOf({ tap }: TapMetrics): RegExp {
  const text = tap.replaceAll('.', '\\.').replaceAll(/<\w+>/g, (part) => parts[part]!)
  return new RegExp(`^${text}$`)
}
