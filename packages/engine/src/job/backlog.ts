// What REST inputs have accepted and the job has not read: a pig in it is waited for as if it had been read.
import type { Backlog, Unread } from '@pitot/stream'
import type { InputSlot } from '../slots/input.ts'

/** Of these inputs, as of now; undefined when no pig is unread. Nobody waits for it while the job does not move. */
export function backlogOf(inputs: Iterable<Pick<InputSlot, 'rest'>>, isMoving: () => boolean): Backlog | undefined {
  const unread: Unread[] = []
  for (const { rest } of inputs) {
    const ofInput = rest?.unread()
    if (ofInput !== undefined) unread.push(ofInput)
  }
  if (unread.length === 0) return undefined
  return {
    isAhead: () => isMoving() && unread.some((each) => !each.isRead()),
    watch(wake) {
      const leave = unread.map((each) => each.watch(wake))
      return () => {
        for (const each of leave) each()
      }
    },
  }
}
