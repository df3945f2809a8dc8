// The processes of a jet: which there are, what they use together, and the end of all of them.
import { setTimeout as sleep } from 'node:timers/promises'
import type { JetUsage } from '../jet.ts'
import { childrenOf, groupMembers, innerNumber, markedProcesses, proportionalMemory, readProcess } from './proc.ts'

/** Times that survivors are looked for: a process that forks faster than it is found ends with its namespace or not at all. */
const ROUNDS = 20

export class Family {
  readonly #root: number
  /** Without a namespace processes can leave their parents, but not so easily their group and their environment. */
  readonly #mark: string | undefined
  /** Start of each process that was seen, also of those that have left since. */
  readonly #members = new Map<number, number>()
  #groups: ReadonlySet<number>
  #last: JetUsage = { memory: 0, user: 0, kernel: 0 }

  /** `mark`: what all of them have in their environment, when they are not in a namespace. */
  constructor(root: number, mark: string | undefined) {
    this.#root = root
    this.#mark = mark
    this.#groups = new Set([root])
    this.refresh()
  }

  get size(): number {
    return this.#members.size
  }

  /** Process groups that its members are in: the first one, and those that they have made. */
  get groups(): ReadonlySet<number> {
    return this.#groups
  }

  /** Looks for processes that were started since the last time. */
  refresh(): void {
    const groups = new Set([this.#root])
    const found = new Set([this.#root, ...this.#members.keys()])
    if (this.#mark !== undefined)
      for (const group of this.#groups) for (const pid of groupMembers(group)) found.add(pid)
    // What is added on the way is visited, too.
    for (const pid of found) {
      const process = readProcess(pid)
      const known = this.#members.get(pid)
      if (!process || (known !== undefined && known !== process.start)) {
        this.#members.delete(pid)
        continue
      }
      this.#members.set(pid, process.start)
      // Group 1 would stand for everybody.
      if (process.group > 1) groups.add(process.group)
      for (const child of childrenOf(pid)) found.add(child)
    }
    this.#groups = groups
  }

  /** Memory that processes share counts for each of them. Processor time does not go back when a process ends. */
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

  /** Bytes resident, where what several processes share counts once. Not for every day: see `usage`. */
  exactMemory(): number {
    let memory = 0
    for (const pid of this.#members.keys()) memory += proportionalMemory(pid) ?? readProcess(pid)?.memory ?? 0
    return memory
  }

  /** The member that calls itself `inner`; undefined when there is none. */
  find(inner: number): number | undefined {
    this.refresh()
    return [...this.#members.keys()].find((pid) => innerNumber(pid) === inner)
  }

  /** Kills the group of the first process and everyone else that is known. */
  kill(): void {
    this.refresh()
    end(-this.#root)
    for (const [pid, start] of this.#members) if (readProcess(pid)?.start === start) end(pid)
  }

  /** Resolves when nobody is left: whoever is found is killed. */
  async extinguish(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      this.kill()
      const marked = this.#mark === undefined ? [] : await markedProcesses(this.#mark)
      for (const pid of marked) end(pid)
      if (marked.length === 0 && ![...this.#members].some(([pid, start]) => isAlive(pid, start))) return
      await sleep(10)
    }
  }
}

function isAlive(pid: number, start: number): boolean {
  const process = readProcess(pid)
  return process?.start === start && !process.isZombie
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
