// The streams of a model's slots: batches of frames become records for the model, what it emits becomes frames again.
import type { Frames } from '@pitot/codec'
import {
  type Attach,
  compileInput,
  compileOutput,
  END_OF_SET,
  FieldWatches,
  type Input,
  type JetReject,
  type Output,
  ProtocolError,
  type ScoreBatch,
  type Scored,
  type See,
} from '@pitot/jet/runner'
import type { EmissionList, SlotList } from './emissions.ts'
import { LoadFailure, type Model } from './model.ts'

export class Slots {
  readonly #model: Model
  readonly #inputs = new Map<number, Input>()
  readonly #outputs = new Map<number, Output>()
  /** What sensors watch in the records of all slots. */
  readonly watches = new FieldWatches()

  constructor(model: Model) {
    this.#model = model
  }

  /** Throws a `LoadFailure` when the model cannot take or fill this stream; the stream before it then stays. */
  attach({ slot, stream }: Attach): void {
    const streams: Map<number, unknown> = slot % 2 === 0 ? this.#inputs : this.#outputs
    if (stream === null) {
      streams.delete(slot)
      return
    }
    const { loaded, isTrusted } = this.#model
    const schema = loaded.slots.find((each) => each.slot === slot)?.schema
    try {
      if (slot % 2 === 0) this.#inputs.set(slot, compileInput(stream, schema))
      else this.#outputs.set(slot, compileOutput(stream, schema, { slot, isTrusted }))
    } catch (error) {
      throw new LoadFailure(`slot ${slot} cannot take this stream: ${(error as Error).message}`)
    }
  }

  decode({ slot, bytes, bounds, counts, header, writerSchema }: ScoreBatch): ReturnType<Input['decode']> {
    const input = this.#inputs.get(slot)
    if (input === undefined) throw new ProtocolError(`a batch for slot ${slot}, which has no stream`)
    const frames: Frames = {
      bytes,
      // Decoders only look at single bounds and at how many there are.
      bounds: bounds as readonly number[],
      position: 0,
      ...(counts && { counts }),
      ...(header && { header }),
      ...(writerSchema !== undefined && { writerSchema }),
    }
    const decoded = input.decode(frames)
    this.watches.of(slot)?.(decoded.records)
    return decoded
  }

  /** Emissions to slots without a stream are dropped: nobody wants them. */
  encode(emissions: EmissionList): EncodedEmissions {
    const encoded = new EncodedEmissions(emissions.rejects)
    for (const list of emissions.lists) {
      const output = this.#outputs.get(list.slot)
      if (output !== undefined && list.records.length + list.ends.length > 0)
        encoded.add(list, output, this.watches.of(list.slot))
    }
    return encoded
  }
}

/** Frames of all slots, one slot after the other. */
class EncodedEmissions implements Pick<Scored, 'bytes' | 'bounds' | 'indexes' | 'slots' | 'rejects'> {
  bytes: Uint8Array = new Uint8Array()
  bounds = new Uint32Array()
  indexes = new Uint32Array()
  slots = new Uint16Array()
  readonly rejects: JetReject[]
  readonly seconds = { checkOutput: 0, encode: 0 }

  constructor(rejects: JetReject[]) {
    this.rejects = rejects
  }

  add(list: SlotList, output: Output, see: See | undefined): void {
    const { slot, records, indexes, ends } = list
    const { frames, ...batch } = output.encode(records, ends.length === 0 ? indexes : records.map((_, at) => at), see)
    this.seconds.checkOutput += batch.seconds.checkOutput
    this.seconds.encode += batch.seconds.encode
    if (ends.length === 0) {
      for (const reject of batch.rejects) this.rejects.push(reject)
      this.#append(frames.bytes, frames.bounds, batch.indexes, new Uint16Array(batch.indexes.length).fill(slot))
      return
    }
    // Here each "index" is the place of the record in the list, so that the ends can be put where they belong.
    for (const reject of batch.rejects) this.rejects.push({ ...reject, index: indexes[reject.index]! })
    const marked = withEnds(list, frames.bounds, batch.indexes)
    this.#append(frames.bytes, marked.bounds, marked.indexes, marked.slots)
  }

  #append(bytes: Uint8Array, bounds: readonly number[], indexes: ArrayLike<number>, slots: Uint16Array): void {
    const [shift, before] = [this.bytes.length, this.indexes.length]
    this.bytes = shift === 0 ? bytes : Buffer.concat([this.bytes, bytes])
    this.bounds = joined(Uint32Array, this.bounds, bounds)
    if (shift > 0) for (let at = 2 * before; at < this.bounds.length; at++) this.bounds[at]! += shift
    this.indexes = joined(Uint32Array, this.indexes, indexes)
    this.slots = joined(Uint16Array, this.slots, slots)
  }
}

function joined<Numbers extends Uint16Array | Uint32Array>(
  type: new (length: number) => Numbers,
  before: Numbers,
  more: ArrayLike<number>,
): Numbers {
  const all = new type(before.length + more.length)
  all.set(before)
  all.set(more, before.length)
  return all
}

/** An end of a set stands behind those of its records that were not refused; `places` are these records' in the list. */
function withEnds({ slot, indexes, ends }: SlotList, bounds: readonly number[], places: Uint32Array) {
  const count = places.length + ends.length
  const marked = {
    bounds: new Array<number>(2 * count),
    indexes: new Uint32Array(count),
    slots: new Uint16Array(count),
  }
  let [frame, end] = [0, 0]
  for (let at = 0; at < count; at++) {
    const isEnd = end < ends.length && (frame === places.length || places[frame]! >= ends[end]!.after)
    marked.bounds[2 * at] = isEnd ? 0 : bounds[2 * frame]!
    marked.bounds[2 * at + 1] = isEnd ? 0 : bounds[2 * frame + 1]!
    marked.slots[at] = isEnd ? slot | END_OF_SET : slot
    marked.indexes[at] = isEnd ? ends[end++]!.index : indexes[places[frame++]!]!
  }
  return marked
}
