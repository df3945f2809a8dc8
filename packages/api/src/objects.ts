// The JSON objects of the interface: schemas for the swagger documents, types for handlers and clients.
import { Type } from 'typebox'

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

// Sensors

export const AttachedSensor = Type.Object({ id: Type.Integer(), tap: Type.String(), active: Type.Boolean() })
export const SensorDetails = Type.Object({ id: Type.Integer(), tap: Type.String(), permanent: Type.Boolean() })
export const SensorId = Type.Object({ id: Type.Integer() })

// Engine

const descriptor = Type.Record(Type.String(), Type.Unknown())

export const JobStatus = Type.Partial(
  Type.Object({
    input: Type.Union([
      Type.Object({
        descriptor,
        total_records: Type.Integer(),
        total_bytes: Type.Integer(),
        eof: Type.Boolean(),
      }),
      Type.Null(),
    ]),
    output: Type.Union([
      Type.Object({ descriptor, total_records: Type.Integer(), total_bytes: Type.Integer() }),
      Type.Null(),
    ]),
    model: Type.Union([Type.Object({ type: Type.String(), source: Type.String(), attachments: names }), Type.Null()]),
    jets: Type.Array(
      Type.Object({
        pid: Type.Integer(),
        sandbox: Type.String(),
        total_consumed: Type.Integer(),
        total_produced: Type.Integer(),
        run_time: Type.Integer(),
        memory: Type.Integer(),
        busy: Type.Boolean(),
      }),
    ),
  }),
)

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
