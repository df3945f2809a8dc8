// What is seen of a trial while it runs: events come in as fast as they happen, the first of each kind are kept and all are counted.
import { countRecords, type Frames, frameAt } from '@pitot/codec'
import type { RejectedRecord } from '../job/control.ts'
import type { JobEvent } from '../job/environment.ts'

/** The first of many, and how many there were. */
export interface Kept<Thing> {
  readonly first: readonly Thing[]
  readonly count: number
}

export interface Output {
  readonly slot: number
  readonly bytes: Uint8Array
}

const mostShown = 20
/** Of records that were rejected for the same reason so many are kept: they would hide the others. */
const mostAlike = 3
/** Bytes of one record that are shown: enough to know it by. One more is kept, to know whether there are more. */
export const longestRecord = 1000
const mostConsole = 16_000

class First<Thing> implements Kept<Thing> {
  readonly first: Thing[] = []
  count = 0

  add(thing: () => Thing, count = 1): void {
    this.count += count
    if (this.first.length < mostShown) this.first.push(thing())
  }
}

export class Findings {
  readonly outputs = new First<Output>()
  readonly rejects = new First<RejectedRecord>()
  /** What the engine has to say of it, such as that a jet was replaced. */
  readonly remarks = new First<string>()
  /** What the model printed, as far as it is kept. */
  console = ''
  /** Characters that it printed besides. */
  consoleCut = 0
  /** Records of inputs that were read and then rejected. */
  rejectedInputs = 0
  /** Pieces of inputs that no record could be cut from. */
  rejectedPieces = 0
  rejectedOutputs = 0
  /** Rejected where no record is to blame. */
  failedEnds = 0

  tell(event: JobEvent): void {
    if (event.kind === 'console') this.#print(event.text)
    if (event.kind === 'rejected') this.#reject(event.record)
  }

  remark(level: string, message: string): void {
    if (level === 'warn' || level === 'error') this.remarks.add(() => message)
  }

  written(slot: number, frames: Frames): void {
    const frameCount = frames.bounds.length / 2
    for (let index = 0; index < frameCount && this.outputs.first.length < mostShown; index++) {
      this.outputs.add(() => ({ slot, bytes: beginning(frameAt(frames, index)) }), 0)
    }
    this.outputs.count += countRecords(frames)
  }

  #print(text: string): void {
    const kept = text.slice(0, mostConsole - this.console.length)
    this.console += kept
    this.consoleCut += text.length - kept.length
  }

  #reject(record: RejectedRecord): void {
    if (record.slot % 2 === 1) this.rejectedOutputs++
    else if (record.step === 'envelope') this.rejectedPieces++
    else if (record.position === null) this.failedEnds++
    else this.rejectedInputs++
    const alike = this.rejects.first.filter(({ step, reason }) => step === record.step && reason === record.reason)
    if (alike.length === mostAlike) this.rejects.count++
    else this.rejects.add(() => ({ ...record, bytes: beginning(record.bytes) }))
  }
}

/** A copy: the bytes of one record are a range of many. */
function beginning(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.subarray(0, longestRecord + 1))
}
