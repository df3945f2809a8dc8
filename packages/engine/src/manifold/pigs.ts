// Pigs between the input they were read from and the outputs they come out of: whoever fetches results waits for them.
import type { ControlPiece } from '@pitot/stream'
import type { InputSlot } from '../slots/input.ts'
import type { OutputSlot } from '../slots/output.ts'

/** Outputs may be replaced while pigs are on their way: each is waited for where it will come out. */
export class Pigs {
  readonly #outputs: ReadonlyMap<number, OutputSlot>
  #count = 0

  constructor(outputs: ReadonlyMap<number, OutputSlot>) {
    this.#outputs = outputs
  }

  /** One was read. Gives what writes it, to be called once, when everything before it is written. */
  enter({ descriptor }: InputSlot, { control, bytes }: ControlPiece): () => Promise<void> {
    this.#count++
    for (const { rest } of this.#outputs.values()) rest?.pigEntered()
    return async () => {
      for (const output of this.#outputs.values()) {
        await output.writeControl(control, { bytes, encoding: descriptor.encoding })
      }
      this.#count--
      for (const { rest } of this.#outputs.values()) rest?.pigLeft()
    }
  }

  /** Pigs that are on their way will come out here: call it before anybody can fetch from it. */
  expectAt({ rest }: OutputSlot): void {
    for (let each = 0; each < this.#count; each++) rest?.pigEntered()
  }
}
