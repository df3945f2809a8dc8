// What a run counts: time per step of a record's way, as jets report it with every batch, how long batches take, rejects.
import { countFrames } from '@pitot/codec'
import type { Emissions } from '@pitot/jet'
import type { StepCount } from '../job/control.ts'
import { RejectLog } from './rejects.ts'

interface Count {
  seconds: number
  times: number
}

export type JetStep = 'decode_input_record' | 'type_check_input' | 'type_check_output' | 'decode_output_record'

/** What one run of a job counts; it stays to be looked at when the run is over. */
export class RunStatistics {
  readonly rejects = new RejectLog()
  readonly steps = new StepTimes()
  readonly latency = new LatencyTimes()

  reset(): void {
    this.rejects.resetCounts()
    this.steps.reset()
    this.latency.reset()
  }
}

export class StepTimes {
  readonly #steps: Readonly<Record<JetStep, Count>> = {
    decode_input_record: { seconds: 0, times: 0 },
    type_check_input: { seconds: 0, times: 0 },
    type_check_output: { seconds: 0, times: 0 },
    decode_output_record: { seconds: 0, times: 0 },
  }

  add({ consumed, seconds, outputs }: Emissions): void {
    let produced = 0
    for (const { frames } of outputs) produced += countFrames(frames)
    this.#count('decode_input_record', seconds.decode, consumed)
    this.#count('type_check_input', seconds.checkInput, consumed)
    this.#count('type_check_output', seconds.checkOutput, produced)
    // The interface knows no encoding of outputs; this is the step it has in that place.
    this.#count('decode_output_record', seconds.encode, produced)
  }

  report(): Readonly<Record<JetStep, StepCount>> {
    return structuredClone(this.#steps)
  }

  reset(): void {
    for (const step of Object.values(this.#steps)) {
      step.seconds = 0
      step.times = 0
    }
  }

  #count(step: JetStep, seconds: number, times: number): void {
    this.#steps[step].seconds += seconds
    this.#steps[step].times += times
  }
}

/** How long batches take, by the slot they came from. */
export class LatencyTimes {
  readonly #slots = new Map<number, Count>()

  add(slot: number, seconds: number): void {
    const count = this.#slots.getOrInsertComputed(slot, () => ({ seconds: 0, times: 0 }))
    count.seconds += seconds
    count.times++
  }

  report(): { slot: number; seconds: number; times: number }[] {
    return Array.from(this.#slots, ([slot, count]) => ({ slot, ...count }))
  }

  reset(): void {
    this.#slots.clear()
  }
}
