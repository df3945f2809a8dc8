// Looks after a running jet a few times a second: how much memory it has, and whether it still answers.
import type { JetDeathCause } from '../jet.ts'
import type { JetProcess } from './process.ts'

/** Milliseconds between two looks, and when memory is getting scarce. */
const CALM = 200
const ALERT = 50
/** Looks between two searches for new processes. */
const SEARCH = 5
const MOST_PROCESSES = 500

export interface Watched {
  readonly process: JetProcess
  /** Bytes resident at most. */
  readonly memory: number
  /** What the jet owes an answer to for longer than it may, in words. */
  overdue(): string | undefined
  /** The engine itself did nothing for so many milliseconds: the jet is not to blame. */
  forgive(milliseconds: number): void
  /** The jet has to go. */
  doom(cause: JetDeathCause, sentence: string): void
}

/** Begins to look; the returned function ends it. */
export function watch(watched: Watched): () => void {
  const { process, memory } = watched
  let looks = 0
  let expected = 0
  let timer: NodeJS.Timeout
  const look = () => {
    const late = performance.now() - expected
    if (late > CALM) watched.forgive(late)
    if (looks++ % SEARCH === 0) process.look()
    const { family } = process
    let used = family.usage().memory
    if (used > memory && family.size > 1) used = family.exactMemory()
    process.console.tick()
    // A crowd takes long to look at.
    schedule(used > memory / 2 && family.size < 20 ? ALERT : CALM)
    const overdue = watched.overdue()
    if (used > memory) {
      watched.doom('memory', `used ${megabytes(used)} MiB of memory (it may have ${megabytes(memory)})`)
    } else if (family.size > MOST_PROCESSES) {
      watched.doom('memory', `had ${family.size} processes (it may have ${MOST_PROCESSES})`)
    } else if (overdue !== undefined) watched.doom('hang', overdue)
  }
  const schedule = (milliseconds: number) => {
    expected = performance.now() + milliseconds
    timer = setTimeout(look, milliseconds)
    timer.unref()
  }
  schedule(CALM)
  return () => clearTimeout(timer)
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20)
}
