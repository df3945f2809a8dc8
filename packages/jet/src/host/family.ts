// The processes of a jet as the system knows them: what they use, which there are, and the end of all of them. Read from /proc;
// where there is none (not Linux) a family is its first process.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JetUsage } from '../jet.ts'
import { MARK } from './mark.ts'

/** Ticks per second in /proc, on every Linux. */
const TICKS = 100
const PAGE = pageSize()
/** Kernels may be built without these lists. */
const LISTS_CHILDREN = existsSync(`/proc/self/task/${process.pid}/children`)
/** Times that new marked processes are looked for: one that forks faster than this is found may win, a jet's own group never. */
const ROUNDS = 20

interface Process {
  readonly parent: number
  readonly group: number
  /** When it started, to tell it from a later process with the same number. */
  readonly start: number
  readonly user: number
  readonly kernel: number
  readonly memory: number
}

export class Family {
  readonly #root: number
  /** Start of each process that was seen, also of those that have left their parent since. */
  readonly #members = new Map<number, number>()
  #groups: ReadonlySet<number>
  #last: JetUsage = { memory: 0, user: 0, kernel: 0 }

  constructor(root: number) {
    this.#root = root
    this.#groups = new Set([root])
    this.refresh()
  }

  /** Looks for processes that were started since the last time. */
  refresh(): void {
    const groups = new Set([this.#root])
    const found = [this.#root, ...this.#members.keys()]
    for (let at = 0; at < found.length; at++) {
      const pid = found[at]!
      const process = readProcess(pid)
      const known = this.#members.get(pid)
      if (!process || (known !== undefined && known !== process.start)) {
        this.#members.delete(pid)
        continue
      }
      this.#members.set(pid, process.start)
      groups.add(process.group)
      for (const child of childrenOf(pid)) if (!this.#members.has(child)) found.push(child)
    }
    this.#groups = groups
  }

  /** Process groups that its members are in: its own first one, and those that they have made. */
  get groups(): ReadonlySet<number> {
    return this.#groups
  }

  get size(): number {
    return this.#members.size
  }

  /** Processor time does not go back when a process ends. */
  usage(): JetUsage {
    let memory = 0
    let user = 0
    let kernel = 0
    for (const [pid, start] of this.#members) {
      const process = readProcess(pid)
      if (process?.start !== start) continue
      memory += process.memory
      user += process.user
      kernel += process.kernel
    }
    this.#last = { memory, user: Math.max(user, this.#last.user), kernel: Math.max(kernel, this.#last.kernel) }
    return this.#last
  }

  /** The member that calls itself `inner` in its own namespace; undefined when there is none. */
  find(inner: number): number | undefined {
    this.refresh()
    for (const pid of this.#members.keys()) {
      const names = /^NSpid:\s*([\d\t ]+)$/m.exec(read(`/proc/${pid}/status`))?.[1]
      if (Number(names?.trim().split(/\s+/).at(-1)) === inner) return pid
    }
    return undefined
  }

  /** Kills the group of the first process and everyone else that is known. */
  kill(): void {
    this.refresh()
    send(-this.#root)
    for (const [pid, start] of this.#members) if (readProcess(pid)?.start === start) send(pid)
  }

  /** Resolves when no member and nobody with the mark is left; kills them as they are found. */
  async extinguish(mark: string | undefined): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      this.kill()
      const marked = mark === undefined ? [] : await markedProcesses(mark)
      for (const pid of marked) send(pid)
      const isEmpty = [...this.#members].every(([pid, start]) => hasEnded(pid, start))
      if (isEmpty && marked.length === 0) return
      await sleep(10)
    }
  }
}

function send(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

/** Processes whose environment says that they came from this jet, and that have not ended. */
async function markedProcesses(mark: string): Promise<number[]> {
  const wanted = `${MARK}=${mark}\0`
  const marked: number[] = []
  const names = await readdir('/proc').catch(() => [])
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    // Of a process that has ended nothing is left to read.
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')
    if (environment.startsWith(wanted) || environment.includes(`\0${wanted}`)) marked.push(Number(name))
  }
  return marked
}

function readProcess(pid: number): Process | undefined {
  const text = read(`/proc/${pid}/stat`)
  // The name in brackets may itself hold brackets and spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 22) return undefined
  const field = (number: number) => Number(fields[number - 3])
  return {
    parent: field(4),
    group: field(5),
    start: field(22),
    // Of the process, and of children that have ended.
    user: (field(14) + field(16)) / TICKS,
    kernel: (field(15) + field(17)) / TICKS,
    memory: field(24) * PAGE,
  }
}

/** A zombie has ended, too: whoever should wait for it may be slow. */
function hasEnded(pid: number, start: number): boolean {
  const text = read(`/proc/${pid}/stat`)
  return readProcess(pid)?.start !== start || text.slice(text.lastIndexOf(')') + 2).startsWith('Z')
}

function childrenOf(pid: number): number[] {
  if (!LISTS_CHILDREN) {
    const all = list('/proc').map(Number).filter(Number.isInteger)
    return all.filter((other) => readProcess(other)?.parent === pid)
  }
  const children: number[] = []
  for (const thread of list(`/proc/${pid}/task`)) {
    for (const child of read(`/proc/${pid}/task/${thread}/children`).split(' ')) if (child) children.push(Number(child))
  }
  return children
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Entry 6 of the auxiliary vector, which is pairs of words. */
function pageSize(): number {
  const vector = Buffer.from(read('/proc/self/auxv'), 'latin1')
  for (let at = 0; at + 16 <= vector.length; at += 16) {
    if (vector.readUInt32LE(at) === 6) return vector.readUInt32LE(at + 8)
  }
  return 4096
}
