// The streams of a job by their slots: opened as they are attached, kept until they are replaced or the job goes.
import type { RejectPolicy } from '../manifold/delivery.ts'
import type { Registry } from '../registry.ts'
import type { SlotContext } from './context.ts'
import { DeadLetters } from './dead-letters.ts'
import { InputSlot, type ReadMark, type ReadSlot } from './input.ts'
import { OutputSlot } from './output.ts'

export type Slot = InputSlot | OutputSlot

export class SlotTable {
  readonly inputs = new Map<number, InputSlot>()
  readonly outputs = new Map<number, OutputSlot>()
  readonly #deadLetters = new Map<number, DeadLetters>()
  readonly #context: SlotContext
  readonly #registry: Registry

  constructor(context: SlotContext, registry: Registry) {
    this.#context = context
    this.#registry = registry
  }

  /**
   * Rejects with a `StreamFailure` when it cannot be opened; what is there then stays. With `resumed` the stream is taken up
   * where an earlier run of the job has left it.
   */
  async open(read: ReadSlot, resumed?: { readonly left?: ReadMark | undefined }): Promise<Slot> {
    const { slot, descriptor } = read
    const hasLetters = descriptor.onError === 'dead-letter'
    const letters = hasLetters && (await DeadLetters.open(descriptor.deadLetter, this.#registry, this.#context))
    try {
      const opened = isInput(slot)
        ? await InputSlot.open(read, this.#context, resumed?.left)
        : await OutputSlot.open(resumed === undefined ? read : appending(read), this.#context)
      await this.#deadLetters.get(slot)?.close()
      if (letters) this.#deadLetters.set(slot, letters)
      else this.#deadLetters.delete(slot)
      return opened
    } catch (error) {
      if (letters) await letters.close()
      throw error
    }
  }

  put(slot: Slot): void {
    if (slot instanceof InputSlot) this.inputs.set(slot.slot, slot)
    else this.outputs.set(slot.slot, slot)
  }

  get(slot: number): Slot | undefined {
    return this.inputs.get(slot) ?? this.outputs.get(slot)
  }

  *all(): Iterable<Slot> {
    yield* this.inputs.values()
    yield* this.outputs.values()
  }

  /** Those that were not part of a job that is over. */
  *fresh(): Iterable<Slot> {
    for (const slot of this.all()) if (!slot.isSpent) yield slot
  }

  /** What is done with a rejected record of a slot. */
  policy(slot: number): RejectPolicy {
    return {
      onError: this.get(slot)?.descriptor.onError ?? 'skip',
      deadLetter: (records) => this.#deadLetters.get(slot)?.write(records) ?? Promise.resolve(),
    }
  }

  /** The job is over: streams are closed and stay to be looked at. What a REST output holds can still be fetched. */
  async retire(log: (message: string) => void): Promise<void> {
    for (const slot of this.fresh()) {
      slot.isSpent = true
      await slot
        .close()
        .catch((error: Error) => log(`the stream of slot ${slot.slot} was not closed: ${error.message}`))
    }
    await this.#closeLetters()
  }

  /** Everything is closed and forgotten. */
  async discard(): Promise<void> {
    await Promise.all(Array.from(this.all(), (slot) => slot.abandon()))
    await this.#closeLetters()
    this.inputs.clear()
    this.outputs.clear()
  }

  async #closeLetters(): Promise<void> {
    await Promise.all(Array.from(this.#deadLetters.values(), (letters) => letters.close()))
    this.#deadLetters.clear()
  }
}

/** What a job has written before it was taken up again is not written over. */
function appending(read: ReadSlot): ReadSlot {
  const { descriptor } = read
  if (descriptor.transport.type !== 'file') return read
  return { ...read, descriptor: { ...descriptor, transportOptions: { ...descriptor.transportOptions, Append: true } } }
}

export function isInput(slot: number): boolean {
  return slot % 2 === 0
}

/** As people call it. */
export function slotName(slot: number): string {
  return slot === 0 ? '0 (in)' : slot === 1 ? '1 (out)' : String(slot)
}
