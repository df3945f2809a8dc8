// Where the time goes: two reports of a job, some seconds apart, come in; the difference goes out.
import { setTimeout as sleep } from 'node:timers/promises'
import type { CpuReport, JobReport, StepCount, StepCounts, StreamReport } from './control.ts'

export async function sampleCpu(report: () => JobReport, seconds: number, signal: AbortSignal): Promise<CpuReport> {
  const [started, usage, before] = [performance.now(), process.cpuUsage(), report()]
  await sleep(seconds * 1000, undefined, { signal })
  const after = report()
  const { user, system } = process.cpuUsage(usage)
  return {
    duration: (performance.now() - started) / 1000,
    input_bytes: grown(before.input, after.input, 'total_bytes'),
    input_records: grown(before.input, after.input, 'total_records'),
    output_bytes: grown(before.output, after.output, 'total_bytes'),
    output_records: grown(before.output, after.output, 'total_records'),
    user_time: user / 1e6,
    kernel_time: system / 1e6,
    steps: subtractSteps(after.steps, before.steps),
    jets: after.jets.map((jet) => {
      const old = before.jets.find(({ sandbox }) => sandbox === jet.sandbox)
      const growth = (field: 'total_consumed' | 'total_produced' | 'user_time' | 'kernel_time' | 'model_time') =>
        difference(jet[field], old?.[field] ?? 0)
      return {
        input_records: growth('total_consumed'),
        output_records: growth('total_produced'),
        user_time: growth('user_time'),
        kernel_time: growth('kernel_time'),
        model_time: growth('model_time'),
      }
    }),
  }
}

/** Counters begin anew when a stream is replaced or the statistics are reset: then all of the new figure is growth. */
function difference(after: number, before: number): number {
  return after >= before ? after - before : after
}

function grown(
  before: StreamReport | null,
  after: StreamReport | null,
  field: 'total_bytes' | 'total_records',
): number {
  return after === null ? 0 : difference(after[field], before?.[field] ?? 0)
}

function subtractSteps(after: StepCounts, before: StepCounts): StepCounts {
  const entries = Object.entries(after).map(([name, step]) => {
    const old = before[name as keyof StepCounts]
    const count: StepCount = {
      seconds: difference(step.seconds, old.seconds),
      times: difference(step.times, old.times),
    }
    return [name, count]
  })
  return Object.fromEntries(entries) as StepCounts
}
