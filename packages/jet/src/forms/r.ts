// Form `r`: the records of a batch go to the runner as one list in R's serialised form, and the list of what the model emitted
// becomes frames. What has a type is checked here: R itself knows no schemas.
import { countFrames } from '@pitot/codec'
import type { Emissions, JetBatch, SlotEmissions } from '../jet.ts'
import { type Attach, END_OF_SET, type JetReject, type Loaded, NO_FRAME, type Scored } from '../messages.ts'
import { rowsOf } from '../r/convert.ts'
import { readR } from '../r/read.ts'
import { RList, type RValue } from '../r/value.ts'
import { FieldWatches } from '../slot/field-watches.ts'
import type { FormTranslator, SentBatch } from './form.ts'
import { compileRInput, type RInput } from './r-input.ts'
import { compileROutput, Emitted, type ROutputSlot } from './r-output.ts'
import { SlotCodecs } from './slot-codecs.ts'

export class RTranslator implements FormTranslator {
  readonly #codecs = new SlotCodecs<RInput, ROutputSlot>({ input: compileRInput, output: compileROutput })
  /** Output slots whose emissions are record sets. */
  readonly #sets = new Set<number>()
  readonly watches = new FieldWatches()

  loaded(loaded: Loaded): void {
    this.#codecs.loaded(loaded)
    for (const { slot, recordsets } of loaded.slots) if (recordsets && slot % 2 === 1) this.#sets.add(slot)
  }

  attach(attach: Attach): void {
    this.#codecs.attach(attach)
  }

  toJet({ slot, frames, first, isRecordset }: JetBatch): SentBatch | Emissions {
    const { bytes, map, consumed, rejects, seconds } = this.#codecs.input(slot).translate(frames, this.watches.of(slot))
    if (consumed === 0 && countFrames(frames) > 0) {
      const none = { model: 0, checkOutput: 0, encode: 0 }
      return { consumed: 0, seconds: { ...seconds, ...none }, outputs: [], rejects }
    }
    const bounds = new Uint32Array(2 * consumed)
    return { batch: { slot, isRecordset, first, bytes, bounds }, rejects, ...(map && { map }), consumed, seconds }
  }

  fromJet(scored: Scored, sent: SentBatch | undefined): Emissions {
    const map = sent?.map
    const original = (index: number) => (index === NO_FRAME || map === undefined ? index : map[index]!)
    const rejects: JetReject[] = [...(sent?.rejects ?? [])]
    for (const reject of scored.rejects) rejects.push({ ...reject, index: original(reject.index) })
    const outputs: SlotEmissions[] = []
    let { decode, checkInput, model, checkOutput, encode } = scored.seconds
    decode += sent?.seconds.decode ?? 0
    checkInput += sent?.seconds.checkInput ?? 0
    const start = performance.now()
    const bySlot = this.#bySlot(scored, original)
    encode += (performance.now() - start) / 1000
    for (const [slot, emitted] of bySlot) {
      const translated = this.#codecs.outputs.get(slot)!.translate(emitted, this.watches.of(slot))
      outputs.push(translated.emissions)
      rejects.push(...translated.rejects)
      checkOutput += translated.seconds.checkOutput
      encode += translated.seconds.encode
    }
    return {
      consumed: scored.consumed,
      seconds: { decode, checkInput, model, checkOutput, encode },
      outputs,
      rejects,
    }
  }

  /** What was emitted for each slot with a stream; what goes elsewhere goes nowhere. */
  #bySlot({ slots, indexes, bytes }: Scored, original: (index: number) => number): Map<number, Emitted> {
    const bySlot = new Map<number, Emitted>()
    const values = slots.length === 0 ? [] : listed(bytes, slots.length)
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at]! & ~END_OF_SET
      if (!this.#codecs.outputs.has(slot)) continue
      let emitted = bySlot.get(slot)
      if (emitted === undefined) {
        emitted = new Emitted()
        bySlot.set(slot, emitted)
      }
      const index = original(indexes[at]!)
      if (slots[at] !== slot) emitted.endSet()
      else if (this.#sets.has(slot)) emitted.addAll(rowsOf(values[at]!), index)
      else emitted.add(values[at]!, index)
    }
    return bySlot
  }
}

function listed(bytes: Uint8Array, count: number): readonly RValue[] {
  const list = readR(bytes)
  if (!(list instanceof RList) || list.values.length !== count) {
    throw new Error(`the list of emissions does not hold the ${count} that were announced`)
  }
  return list.values
}
