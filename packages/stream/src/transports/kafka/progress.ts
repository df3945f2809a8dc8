// How far reading has come in each partition: what was handed on, what is committed, and what of a position still counts.
import { type Position, StreamFailure } from '../../transport.ts'

/** Where reading stands in each partition: the offset after the last record. */
export interface KafkaPosition extends Position {
  readonly topic: string
  readonly offsets: Readonly<Record<string, number>>
  /** The sharing-out of the group under which the records were read; 0 without a group. */
  readonly generation: number
}

interface Partition {
  handedOn: number
  committed: number
  /** The generation in which the partition became ours: what was read before it is another reader's to answer for. */
  readonly since: number
}

export class Progress {
  readonly #topic: string
  readonly #partitions = new Map<number, Partition>()
  generation = 0

  constructor(topic: string) {
    this.#topic = topic
  }

  /** Forgets every partition but these. */
  keep(partitions: readonly number[]): void {
    for (const partition of this.#partitions.keys()) {
      if (!partitions.includes(partition)) this.#partitions.delete(partition)
    }
  }

  /** Takes a partition over at an offset, which the group may have as committed. */
  take(partition: number, offset: number, committed = -1): void {
    this.#partitions.set(partition, { handedOn: offset, committed, since: this.generation })
  }

  handOn(partition: number, next: number): void {
    const known = this.#partitions.get(partition)
    if (known !== undefined) known.handedOn = next
  }

  /** Of each partition that is ours: the offset to go on at. */
  offsets(): Map<number, number> {
    return new Map([...this.#partitions].map(([partition, { handedOn }]) => [partition, handedOn]))
  }

  position(): KafkaPosition {
    return { topic: this.#topic, generation: this.generation, offsets: Object.fromEntries(this.offsets()) }
  }

  /** What of a position is not committed yet and still ours. */
  own(position: Position): Map<number, number> {
    return new Map(this.#uncommitted(position).filter(([partition]) => this.#isOurs(partition, position)))
  }

  /** The same for a transaction, in which it is all or nothing: what has been taken away would be written twice. */
  whole(position: Position): Map<number, number> {
    const uncommitted = this.#uncommitted(position)
    const lost = uncommitted.filter(([partition]) => !this.#isOurs(partition, position)).map(([partition]) => partition)
    if (lost.length > 0) {
      throw new StreamFailure(
        `The group has given partition ${lost.join(', ')} of topic "${this.#topic}" to another reader meanwhile: ` +
          'abort the transaction and read on from the last commit.',
        { passing: true },
      )
    }
    return new Map(uncommitted)
  }

  markCommitted(offsets: ReadonlyMap<number, number>): void {
    for (const [partition, offset] of offsets) {
      const known = this.#partitions.get(partition)
      if (known !== undefined) known.committed = Math.max(known.committed, offset)
    }
  }

  #uncommitted(position: Position): [partition: number, offset: number][] {
    const { offsets } = position as KafkaPosition
    return Object.entries(offsets)
      .map(([partition, offset]) => [Number(partition), offset] as [number, number])
      .filter(([partition, offset]) => offset > (this.#partitions.get(partition)?.committed ?? -1))
  }

  #isOurs(partition: number, position: Position): boolean {
    const known = this.#partitions.get(partition)
    return known !== undefined && known.since <= (position as KafkaPosition).generation
  }
}
