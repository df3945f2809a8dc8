// Time per step of a record's way, as jets report it with every batch.
import { countFrames } from '@pitot/codec'
import type { Emissions } from '@pitot/jet'
import type { StepCount } from '../job/control.ts'

interface Count {
  seconds: number
  times: number
}

export type JetStep = 'decode_input_record' | 'type_check_input' | 'type_check_output' | 'decode_output_record'

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
