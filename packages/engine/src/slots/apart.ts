// A stream for a trial beside the job: what it would share with others comes in, a stream of its own goes out.
import type { ReadSlot } from './input.ts'

/**
 * A reader that joins a group takes partitions away from the other members, and a writer with the same transactional id has the
 * broker shut the other one out: neither must happen to a job that runs. All partitions are read instead, from where the
 * descriptor says, and no position is committed.
 */
export function apart(read: ReadSlot): ReadSlot {
  const { descriptor } = read
  if (descriptor.transport.type !== 'kafka') return read
  const { Group, Partition } = descriptor.transportOptions
  const alone = { Group: null, Partition: Group === null ? Partition : 'all', TransactionalId: null }
  const transportOptions = { ...descriptor.transportOptions, ...alone }
  return { ...read, descriptor: { ...descriptor, delivery: 'at-least-once', transportOptions } }
}
