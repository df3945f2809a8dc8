// What came of a batch goes to where it belongs: frames to the streams of their slots, rejects to the log and where the policy says.
import { bytesOf, copyOf, countFrames, frameAt, type Reject } from '@pitot/codec'
import { type Emissions, type JetReject, NO_FRAME, type SlotEmissions } from '@pitot/jet'
import type { MessageDetails, OnError, Position } from '@pitot/stream'
import type { RejectedRecord } from '../job/control.ts'
import type { OutputSlot } from '../slots/output.ts'
import type { EngineTaps } from '../taps/engine-taps.ts'
import type { Batch } from './batch.ts'
import type { RejectLog } from './rejects.ts'

/** Where rejected records of a slot go besides the log. */
export interface RejectPolicy {
  readonly onError: OnError
  /** Resolves when the records are durable. */
  readonly deadLetter?: ((records: readonly RejectedRecord[]) => Promise<void>) | undefined
}

export interface DeliveryOptions {
  readonly outputs: ReadonlyMap<number, OutputSlot>
  readonly rejects: RejectLog
  readonly policy: (slot: number) => RejectPolicy
  /** Told of every rejected record. */
  readonly rejected: (record: RejectedRecord) => void
  readonly taps?: EngineTaps | undefined
}

/** A record was rejected and the policy of its stream is to stop. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused'
}

export class Delivery {
  readonly #options: DeliveryOptions

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Resolves when everything is written; rejects with `RecordRefused` when a policy says so, after what came before it. */
  async deliver(batch: Batch, emissions: Emissions): Promise<void> {
    const rejected = emissions.rejects.map((reject) => ({ reject, record: describe(batch, reject) }))
    const last = rejected.findIndex(({ record }) => this.#options.policy(record.slot).onError === 'fail')
    const end = last < 0 ? Number.POSITIVE_INFINITY : rejected[last]!.reject.index
    for (const output of emissions.outputs) await this.#write(batch, last < 0 ? output : before(output, end))
    await this.refuse(rejected.slice(0, last < 0 ? rejected.length : last + 1).map(({ record }) => record))
  }

  /** What `begin` and `end` emit; `name` is for the sentence when they raise. */
  async deliverOutside(emissions: Emissions): Promise<void> {
    for (const output of emissions.outputs) await this.#write(undefined, output)
    await this.refuse(emissions.rejects.map((reject) => describe(undefined, reject)))
  }

  /** What a stream could not make out as records. */
  refuseRead(slot: number, rejects: readonly Reject[]): Promise<void> {
    const time = now()
    return this.refuse(
      rejects.map(({ step, reason, position, bytes }) => {
        return { time, slot, step, reason, position: { offset: position }, bytes }
      }),
    )
  }

  /** Counts, keeps and hands on; rejects with `RecordRefused` when a policy says so. */
  async refuse(records: readonly RejectedRecord[]): Promise<void> {
    for (const record of records) {
      this.#options.rejects.add(record)
      this.#options.rejected(record)
      this.#options.taps?.slot(record.slot).rejected(record)
    }
    for (const [slot, ofSlot] of Map.groupBy(records, (record) => record.slot)) {
      const { onError, deadLetter } = this.#options.policy(slot)
      if (onError === 'dead-letter') await deadLetter?.(ofSlot)
      const [first] = ofSlot
      if (onError === 'fail') throw new RecordRefused(`a record of slot ${slot} was rejected: ${first!.reason}`)
    }
  }

  async #write(batch: Batch | undefined, { slot, frames, indexes, endsOfSets }: SlotEmissions): Promise<void> {
    const output = this.#options.outputs.get(slot)
    if (output === undefined) return this.#refuseAll(slot, frames)
    const details = batch?.details && detailsOf(batch.details, indexes)
    const before = output.stream.statistics.bytes
    await this.#writeSets(output, frames, endsOfSets, details)
    const size = bytesOf(frames)
    output.recordBytes += size
    this.#options.taps?.slot(slot).moved(frames, size, output.stream.statistics.bytes - before)
  }

  /** The end of each record set is a control record. */
  async #writeSets(
    output: OutputSlot,
    frames: SlotEmissions['frames'],
    endsOfSets: readonly number[] | undefined,
    details: readonly MessageDetails[] | undefined,
  ): Promise<void> {
    if (endsOfSets === undefined) return output.write(frames, details)
    let from = 0
    for (const to of endsOfSets) {
      const bounds = frames.bounds.slice(2 * from, 2 * to)
      await output.write({ ...frames, bounds }, details?.slice(from, to))
      await output.writeControl({ kind: 'set', vendor: 'pitot' })
      from = to
    }
    await output.write({ ...frames, bounds: frames.bounds.slice(2 * from) }, details?.slice(from))
  }

  /** The model emits to a slot that has no stream. */
  #refuseAll(slot: number, frames: SlotEmissions['frames']): Promise<void> {
    const reason = `slot ${slot} has no stream: attach one with PUT /1/job/stream/${slot}`
    const records: RejectedRecord[] = []
    for (let index = 0; index < countFrames(frames); index++) {
      records.push({ time: now(), slot, step: 'model', reason, position: null, bytes: frameAt(frames, index) })
    }
    return this.refuse(records)
  }
}

/** Keys and headers of a message go with what came of it. */
function detailsOf(details: readonly MessageDetails[], indexes: ArrayLike<number>): MessageDetails[] {
  return Array.from(indexes, (index) => details[index] ?? {})
}

/** The emissions of the frames before `end`. */
function before(output: SlotEmissions, end: number): SlotEmissions {
  let count = 0
  while (count < output.indexes.length && output.indexes[count]! < end) count++
  return { ...output, frames: { ...output.frames, bounds: output.frames.bounds.slice(0, 2 * count) } }
}

function describe(batch: Batch | undefined, { index, step, reason, trace, slot, bytes }: JetReject): RejectedRecord {
  const isOfBatch = batch !== undefined && index !== NO_FRAME
  const position: Position | null = isOfBatch ? batch.position(index) : null
  return {
    time: now(),
    slot: slot ?? batch?.slot ?? 0,
    step,
    reason,
    trace,
    position,
    bytes: bytes !== undefined ? Buffer.from(bytes, 'base64') : isOfBatch ? copyOf(frameAt(batch.frames, index)) : NONE,
  }
}

const NONE = new Uint8Array()

function now(): string {
  return new Date().toISOString()
}
