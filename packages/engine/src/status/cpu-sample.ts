// What a sample of the processor time looks like outside: the job's measurement comes in, the reply's object goes out.
import type { CpuReport, StepCounts } from '../job/control.ts'

/** Published clients read the operations as one object under `cpu-utilization`; the interface has a list of one at the top. */
export function cpuSample({ steps, ...counters }: CpuReport) {
  const times = operationTimes(steps)
  return { ...counters, jets: [...counters.jets], op_times: [times], 'cpu-utilization': utilization(counters, times) }
}

function utilization(counters: Omit<CpuReport, 'steps'>, times: OperationTimes) {
  return { ...counters, jets: [...counters.jets], op_times: times }
}

type Step = keyof StepCounts
type OperationTimes = Record<Step | `${Step}_n`, number>

function operationTimes(steps: StepCounts): OperationTimes {
  const entries = Object.entries(steps).flatMap(([step, { seconds, times }]) => [
    [step, seconds] as const,
    [`${step}_n`, times] as const,
  ])
  return Object.fromEntries(entries) as OperationTimes
}
