// Where rejected records go when a descriptor says `dead-letter`: records come in, one JSON object each goes out.
import { wholeFrame } from '@pitot/codec'
import { StreamFailure } from '@pitot/stream'
import type { RejectedRecord } from '../job/control.ts'
import type { Registry } from '../registry.ts'
import type { SlotContext } from './context.ts'
import { OutputSlot } from './output.ts'
import { readSlot } from './read.ts'

export class DeadLetters {
  readonly #output: OutputSlot

  private constructor(output: OutputSlot) {
    this.#output = output
  }

  /** `given` is a descriptor, or the name of a stored one. */
  static async open(given: unknown, registry: Registry, context: SlotContext): Promise<DeadLetters> {
    const descriptor = typeof given === 'string' ? await registry.stream(given) : given
    if (descriptor === undefined) throw new StreamFailure(`the stream '${given}' that DeadLetter names is not stored`)
    const { read } = await readSlot(1, descriptor, undefined, registry)
    if (read.descriptor.transport.type === 'REST') {
      throw new StreamFailure('a DeadLetter stream cannot be REST: nobody could fetch from it')
    }
    return new DeadLetters(await OutputSlot.open(read, context))
  }

  /** Resolves when the records are durable. */
  async write(records: readonly RejectedRecord[]): Promise<void> {
    for (const record of records) await this.#output.write(wholeFrame(Buffer.from(JSON.stringify(letter(record)))))
    await this.#output.flush()
  }

  close(): Promise<void> {
    return this.#output.close()
  }
}

/** Text where the record is one, and its exact bytes in any case. */
function letter({ time, slot, step, reason, trace, position, bytes }: RejectedRecord): object {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const text = buffer.toString('utf8')
  const isText = Buffer.from(text).equals(buffer)
  return { time, slot, step, reason, trace, position, record: isText ? text : null, bytes: buffer.toString('base64') }
}
