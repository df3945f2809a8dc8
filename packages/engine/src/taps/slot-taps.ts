// The points of one slot that sensors can watch: numbers of records and bytes, what was rejected, how long it took.
import { countRecords, type Frames, frameAt } from '@pitot/codec'
import type { StepSeconds } from '@pitot/jet'
import type { EventTap, Taps } from '@pitot/service'
import type { RejectedRecord } from '../job/control.ts'

/** Of the records of one batch so many are shown at most: whoever watches wants examples, not the stream. */
const SHOWN = 20

/** Each method costs one comparison per tap when nobody watches. They are called per piece or batch, never per record. */
export class SlotTaps {
  readonly #count: EventTap<number>
  readonly #size: EventTap<number>
  readonly #rawSize: EventTap<number>
  readonly #records: EventTap<string>
  readonly #debug: EventTap<string>
  readonly #latency: EventTap<number>
  readonly #profile: EventTap
  readonly #rejected: Readonly<Record<'encoding' | 'schema' | 'model', EventTap<string>>>

  constructor(taps: Taps, slot: number) {
    const name = `manifold.${slot}`
    this.#count = taps.event(`${name}.records.count`)
    this.#size = taps.event(`${name}.records.size`)
    this.#rawSize = taps.event(`${name}.raw.size`)
    this.#records = taps.event(`${name}.records`)
    this.#debug = taps.event(`${name}.debug`)
    this.#latency = taps.event(`${name}.latency`)
    this.#profile = taps.event(`${name}.profile`)
    this.#rejected = {
      encoding: taps.event(`${name}.records.rejected.by.encoding`),
      schema: taps.event(`${name}.records.rejected.by.schema`),
      model: taps.event(`${name}.records.rejected.by.model`),
    }
  }

  /** Records that were read or written: `size` bytes of their own, `raw` bytes with everything the envelope adds. */
  moved(frames: Frames, size: number, raw: number): void {
    this.#count.watch?.(countRecords(frames))
    this.#size.watch?.(size)
    this.#rawSize.watch?.(raw)
    if (this.#records.watch !== undefined) this.#show(this.#records, frames)
    if (this.#debug.watch !== undefined) this.#show(this.#debug, frames)
  }

  rejected({ step, bytes }: RejectedRecord): void {
    const tap = this.#rejected[step === 'envelope' ? 'encoding' : step]
    if (tap.watch !== undefined) tap.watch(textOf(bytes))
  }

  /** Seconds from the moment a batch was taken up until everything that came of it was written. */
  delivered(seconds: number): void {
    this.#latency.watch?.(seconds)
  }

  scored(seconds: StepSeconds): void {
    this.#profile.watch?.({ ...seconds })
  }

  #show(tap: EventTap<string>, frames: Frames): void {
    const count = frames.bounds.length / 2
    const step = Math.max(1, Math.floor(count / SHOWN))
    for (let index = 0; index < count; index += step) tap.watch?.(textOf(frameAt(frames, index)))
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}
