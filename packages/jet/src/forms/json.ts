// Form `json`: frames of streams go to the runner as JSON texts, and the JSON texts that a model writes become frames.
// What has a type is checked here, so that runners need not know of schemas.
import { countFrames } from '@pitot/codec'
import type { Emissions, JetBatch, SlotEmissions } from '../jet.ts'
import { type Attach, type JetReject, type Loaded, NO_FRAME, type Scored } from '../messages.ts'
import { FieldWatches } from '../slot/field-watches.ts'
import type { FormTranslator, SentBatch } from './form.ts'
import { compileJsonInput, type JsonInput } from './json-input.ts'
import { compileJsonOutput, type JsonOutput } from './json-output.ts'
import { SlotCodecs } from './slot-codecs.ts'
import { emissionsBySlot } from './slots.ts'

export class JsonTranslator implements FormTranslator {
  readonly #codecs = new SlotCodecs<JsonInput, JsonOutput>({ input: compileJsonInput, output: compileJsonOutput })
  readonly watches = new FieldWatches()

  loaded(loaded: Loaded): void {
    this.#codecs.loaded(loaded)
  }

  attach(attach: Attach): void {
    this.#codecs.attach(attach)
  }

  toJet({ slot, frames, first, isRecordset }: JetBatch): SentBatch | Emissions {
    const { bytes, bounds, map, consumed, rejects, seconds } = this.#codecs
      .input(slot)
      .translate(frames, this.watches.of(slot))
    if (consumed === 0 && countFrames(frames) > 0) {
      return { consumed: 0, seconds: { ...NO_SECONDS, ...seconds }, outputs: [], rejects }
    }
    return {
      batch: { slot, isRecordset, first, bytes, bounds },
      rejects,
      ...(map && { map }),
      consumed,
      seconds,
    }
  }

  fromJet(scored: Scored, sent: SentBatch | undefined): Emissions {
    expectIndexes(scored, sent === undefined ? 0 : sent.batch.bounds.length / 2)
    const outputs: SlotEmissions[] = []
    const rejects: JetReject[] = [...(sent?.rejects ?? []), ...original(scored.rejects, sent?.map)]
    let { decode, checkInput, model, checkOutput, encode } = scored.seconds
    decode += sent?.seconds.decode ?? 0
    checkInput += sent?.seconds.checkInput ?? 0
    for (const emissions of emissionsBySlot(scored)) {
      // What a model emits where no stream is attached goes nowhere.
      const output = this.#codecs.outputs.get(emissions.slot)
      if (output === undefined) continue
      const translated = output.translate(withOriginalIndexes(emissions, sent?.map), this.watches.of(emissions.slot))
      outputs.push(translated.emissions)
      rejects.push(...translated.rejects)
      checkOutput += translated.seconds.checkOutput
      encode += translated.seconds.encode
    }
    const seconds = { decode, checkInput, model, checkOutput, encode }
    return { consumed: scored.consumed, seconds, outputs, rejects }
  }
}

const NO_SECONDS = { decode: 0, checkInput: 0, model: 0, checkOutput: 0, encode: 0 }

function expectIndexes({ indexes, rejects }: Scored, count: number): void {
  for (let at = 0; at < indexes.length; at++) expectIndex(indexes[at]!, count)
  for (const { index } of rejects) expectIndex(index, count)
}

function expectIndex(index: number, count: number): void {
  if (index >= count && index !== NO_FRAME)
    throw new Error(`frame ${index} of a batch of ${count} is said to be scored`)
}

function original(rejects: readonly JetReject[], map: ArrayLike<number> | undefined): readonly JetReject[] {
  if (map === undefined) return rejects
  return rejects.map((reject) => (reject.index === NO_FRAME ? reject : { ...reject, index: map[reject.index]! }))
}

function withOriginalIndexes(emissions: SlotEmissions, map: ArrayLike<number> | undefined): SlotEmissions {
  if (map === undefined) return emissions
  const indexes = Array.from(emissions.indexes, (index) => (index === NO_FRAME ? index : map[index]!))
  return { ...emissions, indexes }
}
