// What a model emits while it works on a batch, by output slot: records go in one by one, lists come out.
import type { JetReject } from '@pitot/jet/runner'

export interface SlotList {
  readonly slot: number
  readonly records: unknown[]
  /** For each record: the frame it came from. */
  readonly indexes: number[]
  /** Where record sets end: after how many of the records, and the frame that the set came from. */
  readonly ends: { readonly after: number; readonly index: number }[]
}

export class EmissionList {
  readonly lists: SlotList[] = []
  readonly rejects: JetReject[] = []
  readonly #bySlot = new Map<number, SlotList>()
  /** Lengths of the lists when the record at hand was begun: its emissions are dropped when it fails. */
  readonly #marks: { records: number; ends: number }[] = []

  /** The list of one slot, for models that emit to no other. */
  list(slot: number): SlotList {
    let list = this.#bySlot.get(slot)
    if (list === undefined) {
      list = { slot, records: [], indexes: [], ends: [] }
      this.#bySlot.set(slot, list)
      this.lists.push(list)
      this.#marks.push({ records: 0, ends: 0 })
    }
    return list
  }

  /** Before each record that may fail after it has emitted. */
  mark(): void {
    for (let at = 0; at < this.lists.length; at++) {
      this.#marks[at]!.records = this.lists[at]!.records.length
      this.#marks[at]!.ends = this.lists[at]!.ends.length
    }
  }

  /** Drops what was emitted since the mark. */
  drop(): void {
    for (let at = 0; at < this.lists.length; at++) {
      const { records, indexes, ends } = this.lists[at]!
      records.length = this.#marks[at]!.records
      indexes.length = records.length
      ends.length = this.#marks[at]!.ends
    }
  }

  reject(index: number, reason: string, trace?: string): void {
    this.rejects.push({ index, step: 'model', reason, ...(trace === undefined ? {} : { trace }) })
  }
}
