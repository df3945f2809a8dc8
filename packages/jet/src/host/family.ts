// The processes of a jet: which there are, what they use together, and the end of all of them.
//
// Numbers of processes are given out again, soon on a busy machine. So nobody is killed by number alone: a member is who has
// the number and the start that were seen; a group is the jet's as long as a member is in it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { JetUsage } from '../jet.ts'
import {
  childrenOf,
  groupMembers,
  innerNumber,
  markedProcesses,
  type Process,
  proportionalMemory,
  readProcess,
} from './proc.ts'

/** Times that survivors are looked for: a process that forks faster than it is found ends with its namespace or not at all. */
const ROUNDS = 20

export class Family {
  readonly #root: number
  /** Without a namespace processes can leave their parents, but not so easily their group and their environment. */
  readonly #mark: string | undefined
  /** Start of each process that was seen and has not ended. */
  readonly #members = new Map<number, number>()
  #groups: ReadonlySet<number>
  /** Until its end is known to this process, the number of the first one belongs to nobody else. */
  #hasRoot = true
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
    const groups = new Set<number>()
    if (this.#hasRoot) this.#add(this.#root, groups)
    for (const [pid, start] of this.#members) {
      const process = readProcess(pid)
      if (process?.start === start) addGroup(groups, process)
      else this.#members.delete(pid)
    }
    if (this.#mark !== undefined) {
      for (const group of groups) for (const pid of groupMembers(group)) this.#add(pid, groups, group)
    }
    // Whoever is added on the way is visited, too.
    for (const pid of this.#members.keys()) for (const child of childrenOf(pid)) this.#add(child, groups)
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

  /** Kills everyone that is known, and the whole first group while that is certainly the jet's. */
  kill(): void {
    this.refresh()
    if (this.#hasRoot) end(-this.#root)
    for (const [pid, start] of this.#members) if (readProcess(pid)?.start === start) end(pid)
  }

  /** To be called at once when the first process has ended: its number may be somebody else's soon. */
  rootEnded(): void {
    if (!this.#hasRoot) return
    this.kill()
    this.#hasRoot = false
    this.#members.delete(this.#root)
  }

  /** Resolves when nobody is left: whoever is found is killed. */
  async extinguish(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      this.kill()
      let isEmpty = true
      if (this.#mark !== undefined) {
        for await (const pid of markedProcesses(this.#mark)) {
          end(pid)
          isEmpty = false
        }
      }
      if (isEmpty && ![...this.#members].some(([pid, start]) => isAlive(pid, start))) return
      await sleep(10)
    }
  }

  /** With `expected`: only if it is in this group still. */
  #add(pid: number, groups: Set<number>, expected?: number): void {
    if (this.#members.has(pid)) return
    const process = readProcess(pid)
    if (!process || (expected !== undefined && process.group !== expected)) return
    this.#members.set(pid, process.start)
    addGroup(groups, process)
  }
}

/** Group 1 would stand for everybody. */
function addGroup(groups: Set<number>, { group }: Process): void {
  if (group > 1) groups.add(group)
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
