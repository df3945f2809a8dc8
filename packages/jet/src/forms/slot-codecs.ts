// What the host translates the records of each slot with: streams come in as they are attached, what was compiled for them goes out.
import { ModelFailure } from '../jet.ts'
import type { Attach, Loaded, SlotStream } from '../messages.ts'

export interface SlotCompilers<Input, Output> {
  /** They throw an Error when the slot cannot take the stream. `schema` is the model's own, where it has one. */
  input(stream: SlotStream, schema: unknown): Input
  output(stream: SlotStream, schema: unknown, slot: number): Output
}

export class SlotCodecs<Input, Output> {
  readonly inputs = new Map<number, Input>()
  readonly outputs = new Map<number, Output>()
  readonly #compile: SlotCompilers<Input, Output>
  readonly #schemas = new Map<number, unknown>()

  constructor(compile: SlotCompilers<Input, Output>) {
    this.#compile = compile
  }

  loaded({ slots }: Loaded): void {
    for (const { slot, schema } of slots) this.#schemas.set(slot, schema)
  }

  /** Throws a ModelFailure when the slot cannot take this stream; the stream before it then stays. */
  attach({ slot, stream }: Attach): void {
    const isInput = slot % 2 === 0
    if (stream === null) {
      if (isInput) this.inputs.delete(slot)
      else this.outputs.delete(slot)
      return
    }
    try {
      const schema = this.#schemas.get(slot)
      if (isInput) this.inputs.set(slot, this.#compile.input(stream, schema))
      else this.outputs.set(slot, this.#compile.output(stream, schema, slot))
    } catch (error) {
      throw new ModelFailure(`slot ${slot} cannot take this stream: ${(error as Error).message}`)
    }
  }

  /** Batches are given only to slots that have a stream. */
  input(slot: number): Input {
    const input = this.inputs.get(slot)
    if (input === undefined) throw new Error(`there is no stream at slot ${slot}`)
    return input
  }
}
