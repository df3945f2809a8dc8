// Form `wire`: the runner decodes, checks and encodes by itself, so batches and answers pass as they are.
import { countFrames } from '@pitot/codec'
import type { Emissions, JetBatch } from '../jet.ts'
import type { Scored } from '../messages.ts'
import type { FormTranslator, SentBatch } from './form.ts'
import { emissionsBySlot } from './slots.ts'

export class WireTranslator implements FormTranslator {
  readonly watches = undefined

  loaded(): void {}

  attach(): void {}

  toJet({ slot, frames, first, isRecordset }: JetBatch): SentBatch {
    return {
      batch: { slot, isRecordset, first, ...frames },
      rejects: [],
      consumed: countFrames(frames),
      seconds: { decode: 0, checkInput: 0 },
    }
  }

  fromJet(scored: Scored): Emissions {
    const { consumed, seconds, rejects } = scored
    return { consumed, seconds, outputs: emissionsBySlot(scored), rejects }
  }
}
