// What a stream counts while it runs: records, bytes, rejects, and the time of its steps.

/** Steps by the names they have in a CPU sample; seconds, and how many times. */
export interface StepTime {
  seconds: number
  times: number
}

export class StreamStatistics {
  records = 0
  bytes = 0
  rejects = 0
  readonly unwrapEnvelope: StepTime = { seconds: 0, times: 0 }
  readonly wrapEnvelope: StepTime = { seconds: 0, times: 0 }

  reset(): void {
    this.records = 0
    this.bytes = 0
    this.rejects = 0
    for (const step of [this.unwrapEnvelope, this.wrapEnvelope]) {
      step.seconds = 0
      step.times = 0
    }
  }
}

/** Runs one step and adds its time. Called per chunk or batch, never per record. */
export function timed<Result>(step: StepTime, times: number, work: () => Result): Result {
  const start = performance.now()
  const result = work()
  step.seconds += (performance.now() - start) / 1000
  step.times += times
  return result
}
