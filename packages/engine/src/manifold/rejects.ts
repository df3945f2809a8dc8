// Records that were refused: they are counted and the last ones kept, so that nothing is lost without a word.
import type { RejectedRecord } from '../job/control.ts'

const KEPT = 1000
/** Of a rejected record this much is kept: a thousand large ones would be a large part of memory. */
const KEPT_BYTES = 64 * 2 ** 10

export type RejectStep = RejectedRecord['step']

export interface RejectCounts {
  byEncoding: number
  bySchema: number
  byModel: number
}

export class RejectLog {
  #records: RejectedRecord[] = []
  readonly #counts = new Map<number, RejectCounts>()

  add(record: RejectedRecord): void {
    const counts = this.counts(record.slot)
    if (record.step === 'schema') counts.bySchema++
    else if (record.step === 'model') counts.byModel++
    else counts.byEncoding++
    const bytes = new Uint8Array(record.bytes.subarray(0, KEPT_BYTES))
    this.#records.push({ ...record, bytes })
    // Dropped in many at a time, so that a stream of nothing but rejects does not move the list for each.
    if (this.#records.length >= 2 * KEPT) this.#records = this.#records.slice(-KEPT)
  }

  counts(slot: number): RejectCounts {
    let counts = this.#counts.get(slot)
    if (counts === undefined) {
      counts = { byEncoding: 0, bySchema: 0, byModel: 0 }
      this.#counts.set(slot, counts)
    }
    return counts
  }

  /** Oldest first. */
  last(filter: { slot?: number | undefined; step?: RejectStep | undefined; limit?: number | undefined }) {
    const { slot, step, limit = KEPT } = filter
    return this.#records
      .slice(-KEPT)
      .filter((record) => (slot === undefined || record.slot === slot) && (step === undefined || record.step === step))
      .slice(limit === 0 ? KEPT : -limit)
  }

  resetCounts(): void {
    this.#counts.clear()
  }
}
