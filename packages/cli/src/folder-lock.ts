// Keeps two engines from using one folder: the folder comes in, what gives it free again goes out.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandFailure } from './failures.ts'

/** Names the process, and when it started: numbers of processes are used again. */
interface Holder {
  readonly pid: number
  readonly started: string
}

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
    await rm(file, { force: true })
  }
}

/** Undefined for what is no lock, such as one whose writer was killed in the middle. */
async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Holder
  } catch {
    return undefined
  }
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
