// Keeps two engines from using one folder: the folder comes in, what gives it free again goes out.
import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailure } from './failures.ts'

/** Names the process, and when it started: numbers of processes are used again. */
interface Holder {
  readonly pid: number
  readonly started: string
}

/** How often, and after how many milliseconds each, a lock is looked at that may be half written. */
const LOOKS = 20
const PAUSE = 25

/** Refuses while the process that holds the folder lives; what a killed one left behind is no obstacle. */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, 'lock')
  const own = JSON.stringify({ pid: process.pid, started: await startOf(process.pid) } satisfies Holder)
  for (;;) {
    try {
      await writeFile(file, own, { flag: 'wx' })
      return () => rm(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = await readHolder(file)
    if (holder !== undefined && (await isAlive(holder))) {
      throw new CommandFailure(
        `the folder ${folder} is in use by process ${holder.pid}; give each engine its own with --data`,
        1,
      )
    }
    await discard(file)
  }
}

/** Undefined for what is no lock, such as one whose writer was killed in the middle. One that is being written is waited for. */
async function readHolder(file: string): Promise<Holder | undefined> {
  for (let look = 1; ; look++) {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Holder
    } catch (error) {
      if (!(error instanceof SyntaxError) || look === LOOKS) return undefined
      await sleep(PAUSE)
    }
  }
}

/** Somebody else may have done so, and have locked the folder since: what turns out to be held is put back. */
async function discard(file: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`
  try {
    await rename(file, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  const holder = await readHolder(aside)
  if (holder !== undefined && (await isAlive(holder)))
    await writeFile(file, JSON.stringify(holder), { flag: 'wx' }).catch(() => undefined)
  await rm(aside, { force: true })
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Somebody else's process is one that lives.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return (await startOf(pid)) === started
}

/** When a process started, in the system's own terms; empty where these cannot be had. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The 22nd field; the second is a name that may contain anything, in parentheses.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
