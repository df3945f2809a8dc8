// Keeps memory flat while content streams through: bytes moved come in, now and then a collection is made.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Moved bytes between two collections. */
const collectEvery = 4 * 1024 * 1024
/** Buffers that may be left after a quick collection. */
const buffersAllowed = 24 * 1024 * 1024

type Collect = (options: { type: 'minor' | 'major'; execution: 'sync' }) => void

let collect: Collect | undefined
let moved = 0

/**
 * The garbage of a stream is buffers, small objects that stand for large memory outside the heap. The collector goes by
 * the heap, sees little to do, and lets them pile up to a hundred megabytes. A collection of the young objects takes
 * about a millisecond and frees most of them; buffers that a driver has held on to for a while need a thorough one.
 */
export function countMoved(bytes: number): void {
  moved += bytes
  if (moved < collectEvery) return
  moved = 0
  collect ??= findCollector()
  collect({ type: 'minor', execution: 'sync' })
  if (process.memoryUsage().arrayBuffers > buffersAllowed) collect({ type: 'major', execution: 'sync' })
}

function findCollector(): Collect {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as Collect
}
