// Keeps memory flat while bytes stream through: told how many were moved, it collects garbage as soon as some has piled up.
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes moved between two looks at the memory; a look takes half a microsecond. */
const lookEvery = 2 ** 18
/** What may pile up before a quick collection: less than V8 takes before it lets its young generation grow. */
const youngAllowed = 8 * 2 ** 20
/** What quick collections may leave behind before a thorough one; an eighth of all memory, where that is more. */
const oldAllowed = 8 * 2 ** 20
/** Thorough collections take at most this part of the time that the thread works. */
const thoroughShare = 1 / 10

type Collect = (options: { type: 'minor' | 'major'; execution: 'sync' }) => void

let collect: Collect | undefined
let moved = 0
/** In use after the last collection, by us or by V8. */
let left = Number.POSITIVE_INFINITY
/** In use after the last thorough one. */
let settled = Number.POSITIVE_INFINITY
let noThoroughBefore = 0

/**
 * The garbage of a stream is buffers, small objects that stand for large memory outside of the heap. V8 goes by the heap,
 * sees little to do, and lets them pile up to a hundred megabytes. A collection of what is young takes half a millisecond,
 * and no more than those it spares V8 when it comes between two batches, where little is alive. Buffers that were held
 * on to for a while, by a queue or by a driver, need a thorough one.
 */
export function countMoved(bytes: number): void {
  moved += bytes
  if (moved < lookEvery) return
  moved = 0
  const used = usedMemory()
  left = Math.min(left, used)
  settled = Math.min(settled, used)
  if (left - settled > Math.max(oldAllowed, settled / 8) && worked() >= noThoroughBefore) collectThoroughly()
  else if (used - left > youngAllowed) collectQuickly()
}

/** Microseconds. Not those on a clock: on a busy machine most of them belong to others. */
function worked(): number {
  const { user, system } = process.threadCpuUsage()
  return user + system
}

function usedMemory(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

function collectQuickly(): void {
  collect ??= findCollector()
  collect({ type: 'minor', execution: 'sync' })
  left = usedMemory()
}

/** Gives back what starting a service has left behind; V8 would keep it until there is something to do. */
export function collectThoroughly(): void {
  collect ??= findCollector()
  const start = worked()
  collect({ type: 'major', execution: 'sync' })
  const end = worked()
  noThoroughBefore = end + (end - start) / thoroughShare
  left = usedMemory()
  settled = left
}

function findCollector(): Collect {
  setFlagsFromString('--expose-gc')
  // V8 counts these buffers as if they were to stay, and would mark the whole heap several times a second.
  setFlagsFromString('--heap-growing-percent=300')
  // So little is alive that other threads are no help: on a busy machine they are waited for.
  setFlagsFromString('--no-parallel-scavenge')
  return runInNewContext('gc') as Collect
}
