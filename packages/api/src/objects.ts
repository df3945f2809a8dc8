// The JSON objects of the interface: schemas for the swagger documents, types for handlers and clients.
import { type TSchema, Type } from 'typebox'

const names = Type.Array(Type.String())

export const Names = names
export const Health = Type.Object({
  id: Type.String({ description: 'Instance identifier, new with every start.' }),
  release: Type.String({ description: 'Release of the platform.' }),
  built_on: Type.String({ description: 'When this build was made, as `date -u` prints it.' }),
})

// Connect

export const HealthWord = Type.Union([Type.Literal('ok'), Type.Literal('fail')])
export const FleetEntry = Type.Partial(
  Type.Object({
    id: Type.Union([Type.String(), Type.Null()]),
    name: Type.String(),
    api: Type.String(),
    host: Type.String(),
    port: Type.Integer(),
    release: Type.Union([Type.String(), Type.Null()]),
    built_on: Type.Union([Type.String(), Type.Null()]),
    health: HealthWord,
    since: Type.String({ description: 'When health last changed. Only when asked for by `return`.' }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: 'Why health is fail, null when it is ok. Only when asked for by `return`.',
    }),
    scheme: Type.String({
      description: 'http or https, where the configuration says so. Only when asked for by `return`.',
    }),
  }),
)
export const HealthChange = Type.Object({
  time: Type.String(),
  name: Type.String(),
  health: HealthWord,
  reason: Type.Union([Type.String(), Type.Null()]),
})

export const NotificationObject = Type.Object(
  { src: Type.String(), timestamp: Type.String(), type: Type.String() },
  { description: 'Fields besides these depend on `type`.' },
)

// Model Manage

export const ModelEntry = Type.Object({
  name: Type.String(),
  type: Type.Optional(Type.String()),
  attachments: Type.Optional(names),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export const ModelList = Type.Union([names, Type.Array(ModelEntry)])
export const AssetVersion = Type.Object({
  version: Type.Integer(),
  type: Type.String({ description: 'Content type it was stored with.' }),
  size: Type.Integer({ description: 'Bytes.' }),
  sha256: Type.String(),
  created_on: Type.String({ description: 'ISO 8601, UTC.' }),
  current: Type.Boolean({ description: 'True for the version that a plain GET gives.' }),
})

export const Snapshot = Type.Object({
  id: Type.String(),
  created_on: Type.String({ description: 'ISO 8601, UTC.' }),
  type: Type.String({ description: 'What kind of contents it has.' }),
  size: Type.Integer({ description: 'Bytes of the contents.' }),
})
export const SnapshotId = Type.Object({ id: Type.String() })

// Sensors

export const AttachedSensor = Type.Object({ id: Type.Integer(), tap: Type.String(), active: Type.Boolean() })
export const SensorDetails = Type.Object({ id: Type.Integer(), tap: Type.String(), permanent: Type.Boolean() })
export const SensorId = Type.Object({ id: Type.Integer() })

// Engine

const descriptor = Type.Record(Type.String(), Type.Unknown())
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
const avro = Type.Unknown({ description: 'Avro schema as JSON; null where there is none.' })

export const Resolved = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The descriptor with every default filled in.',
})

const stream = {
  name: nullable(Type.String({ description: 'Name that the stream was attached under.' })),
  descriptor,
  total_records: Type.Integer({ description: 'Since the start or the last reset of the statistics.' }),
  total_bytes: Type.Integer(),
  rejected: Type.Object({ by_encoding: Type.Integer(), by_schema: Type.Integer(), by_model: Type.Integer() }),
  eof: Type.Boolean(),
}
const slot = {
  slot: Type.Integer({ description: 'Even for inputs, odd for outputs.' }),
  schema: avro,
  recordsets: Type.Boolean(),
  action: nullable(Type.String({ description: 'The function that takes its records; null for a slot not used.' })),
}
const snapshots = Type.Union([Type.Literal('none'), Type.Literal('eof')])

export const JobStatus = Type.Partial(
  Type.Object({
    input: nullable(Type.Object(stream)),
    output: nullable(Type.Object(stream)),
    model: nullable(
      Type.Object({
        name: Type.String(),
        type: Type.String(),
        source: Type.String(),
        attachments: names,
        input_schema: avro,
        output_schema: avro,
        recordsets: Type.String({ description: 'none, input, output or both.' }),
        snapshots,
      }),
    ),
    jets: Type.Array(
      Type.Object({
        pid: Type.Integer(),
        sandbox: Type.String(),
        total_consumed: Type.Integer(),
        total_produced: Type.Integer(),
        run_time: Type.Integer({ description: 'Seconds, at least 1.' }),
        memory: Type.Integer({ description: 'Bytes resident.' }),
        busy: Type.Boolean(),
        isolation: Type.Array(Type.String(), { description: 'What keeps the model from doing harm, in words.' }),
      }),
    ),
    slots: Type.Array(Type.Object({ ...slot, stream: nullable(Type.Object(stream)) })),
    state: Type.String({ description: 'init, running, paused, finishing, finished or error.' }),
    reason: nullable(Type.String({ description: 'Why the state is error, or what the job waits for.' })),
    snapshots,
    restarts: Type.Object({
      count: Type.Integer({ description: 'Jets that died and were replaced.' }),
      waiting: Type.Number({ description: 'Seconds until the next start, when jets die too often.' }),
      last: nullable(Type.String({ description: 'Why the last one died.' })),
    }),
    shared_state: Type.Object({
      bytes: Type.Integer({ description: 'Memory that cells and pools hold.' }),
      limit: Type.Integer({ description: 'Memory that they may hold.' }),
    }),
  }),
)

export const ModelVerification = Type.Object({
  slots: Type.Array(Type.Object(slot)),
  install_libs: names,
  warn_libs: names,
  attach_libs: names,
  snapshots,
  warnings: names,
})

export const RejectedRecord = Type.Object({
  time: Type.String({ description: 'ISO 8601, UTC.' }),
  slot: Type.Integer(),
  step: Type.String({ description: 'What refused it: envelope, encoding, schema or model.' }),
  reason: Type.String(),
  trace: Type.Optional(Type.String({ description: 'Where in the model it was raised.' })),
  position: Type.Unknown({ description: 'Where it stood in its stream, as the transport tells it.' }),
  record: Type.String({ description: 'Its bytes as text, or in base64 where they are no UTF-8.' }),
  base64: Type.Boolean(),
})

const counters = {
  duration: Type.Number(),
  input_bytes: Type.Integer(),
  input_records: Type.Integer(),
  output_bytes: Type.Integer(),
  output_records: Type.Integer(),
  user_time: Type.Number(),
  kernel_time: Type.Number(),
}
const OperationTimes = Type.Object({
  unwrap_envelope: Type.Number(),
  unwrap_envelope_n: Type.Integer(),
  wrap_envelope: Type.Number(),
  wrap_envelope_n: Type.Integer(),
  decode_input_record: Type.Number(),
  decode_input_record_n: Type.Integer(),
  decode_output_record: Type.Number(),
  decode_output_record_n: Type.Integer(),
  type_check_input: Type.Number(),
  type_check_input_n: Type.Integer(),
  type_check_output: Type.Number(),
  type_check_output_n: Type.Integer(),
})
const JetSample = Type.Object({
  input_records: Type.Integer(),
  output_records: Type.Integer(),
  user_time: Type.Number(),
  kernel_time: Type.Number(),
  model_time: Type.Number(),
})
export const CpuSample = Type.Object({
  ...counters,
  op_times: Type.Array(OperationTimes),
  jets: Type.Array(JetSample),
  'cpu-utilization': Type.Object({ ...counters, op_times: OperationTimes, jets: Type.Array(JetSample) }),
})
export const StreamRate = Type.Array(Type.Object({ rps: Type.Number(), mbps: Type.Number() }))
/** What the data of a profile sensor is; see docs/sensors.md. */
export const Profiles = Type.Record(
  Type.String(),
  Type.Object(
    { count: Type.Integer(), missing: Type.Integer(), distinct: Type.Integer(), sketch: Type.Object({}) },
    { additionalProperties: true },
  ),
)
