// The operations of the Engine, for an engine that has no job: what it can tell truthfully, it tells.
import { setTimeout as sleep } from 'node:timers/promises'
import { type engineOperations, failure, type Handlers } from '@pitot/api'
import { type CommonHandlers, sensorControlHandlers } from '@pitot/service'

type EngineHandlers = Omit<Handlers<typeof engineOperations>, keyof CommonHandlers>

const sections = { input: null, output: null, model: null, jets: [] }

export function engineHandlers(): EngineHandlers {
  const notOffered = (what: string) => () => {
    throw failure('not-offered', { what })
  }
  return {
    ...sensorControlHandlers(),
    putInputStream: notOffered('attaching a stream'),
    putOutputStream: notOffered('attaching a stream'),
    putJobModel: notOffered('loading a model'),
    sampleStream: notOffered('sampling a stream'),
    rateStream: notOffered('rating a stream'),
    deleteJob: () => ({ status: 204 }),
    scaleJob: () => ({ status: 204 }),
    resetStatistics: () => ({ status: 204 }),
    getDebugOutput: () => ({ status: 200, body: [] }),
    getJobStatus({ query }) {
      const wanted = query.return ?? (Object.keys(sections) as (keyof typeof sections)[])
      return { status: 200, body: Object.fromEntries(wanted.map((section) => [section, sections[section]])) }
    },
    postInput() {
      throw failure('no-rest-stream', { direction: 'input', slot: 'in' })
    },
    getOutput() {
      throw failure('no-rest-stream', { direction: 'output', slot: 'out' })
    },
    async sampleCpu({ query }) {
      const [startTime, startUsage] = [performance.now(), process.cpuUsage()]
      await sleep((query.duration ?? 1) * 1000)
      const { user, system } = process.cpuUsage(startUsage)
      const counters = {
        duration: (performance.now() - startTime) / 1000,
        input_bytes: 0,
        input_records: 0,
        output_bytes: 0,
        output_records: 0,
        user_time: user / 1e6,
        kernel_time: system / 1e6,
        jets: [],
      }
      return {
        status: 200,
        body: { ...counters, op_times: [noTimes], 'cpu-utilization': { ...counters, op_times: noTimes } },
      }
    },
  }
}

const noTimes = {
  unwrap_envelope: 0,
  unwrap_envelope_n: 0,
  wrap_envelope: 0,
  wrap_envelope_n: 0,
  decode_input_record: 0,
  decode_input_record_n: 0,
  decode_output_record: 0,
  decode_output_record_n: 0,
  type_check_input: 0,
  type_check_input_n: 0,
  type_check_output: 0,
  type_check_output_n: 0,
}
