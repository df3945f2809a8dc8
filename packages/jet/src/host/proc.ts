// What the system tells of processes in /proc. Where there is no /proc (not Linux) nothing is known of any process.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { MARK } from './mark.ts'

/** Ticks per second, on every Linux. */
const TICKS = 100
const PAGE = pageSize()
/** Kernels may be built without these lists. */
const LISTS_CHILDREN = existsSync(`/proc/self/task/${process.pid}/children`)

export interface Process {
  readonly parent: number
  readonly group: number
  /** When it started, to tell it from a later process with the same number. */
  readonly start: number
  /** Seconds of its own, and of children that have ended. */
  readonly user: number
  readonly kernel: number
  /** Bytes resident. */
  readonly memory: number
  /** It has ended, but nobody has asked how: whoever should may be slow. */
  readonly isZombie: boolean
}

export function readProcess(pid: number): Process | undefined {
  const text = read(`/proc/${pid}/stat`)
  // The name in brackets may itself hold brackets and spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 22) return undefined
  const field = (number: number) => Number(fields[number - 3])
  return {
    isZombie: fields[0] === 'Z',
    parent: field(4),
    group: field(5),
    user: (field(14) + field(16)) / TICKS,
    kernel: (field(15) + field(17)) / TICKS,
    start: field(22),
    memory: field(24) * PAGE,
  }
}

/** Bytes resident, where pages that several processes share count for each in part. Takes the longer the more there are. */
export function proportionalMemory(pid: number): number | undefined {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
}

export function childrenOf(pid: number): number[] {
  if (!LISTS_CHILDREN) return allProcesses().filter((other) => readProcess(other)?.parent === pid)
  const children: number[] = []
  for (const thread of list(`/proc/${pid}/task`)) {
    for (const child of read(`/proc/${pid}/task/${thread}/children`).split(' ')) if (child) children.push(Number(child))
  }
  return children
}

/** What the process is called in its own namespace. */
export function innerNumber(pid: number): number | undefined {
  const numbers = /^NSpid:\s*([\d\t ]+)$/m.exec(read(`/proc/${pid}/status`))?.[1]
  return numbers === undefined ? undefined : Number(numbers.trim().split(/\s+/).at(-1))
}

/** Processes whose environment says that they came from this jet, and that have not ended. Each is told as soon as it is found. */
export async function* markedProcesses(mark: string): AsyncGenerator<number> {
  const wanted = `${MARK}=${mark}\0`
  const names = await readdir('/proc').catch(() => [])
  for (const name of names) {
    if (!/^\d+$/.test(name)) continue
    // Of a process that has ended nothing is left to read.
    const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')
    if (environment.startsWith(wanted) || environment.includes(`\0${wanted}`)) yield Number(name)
  }
}

/** Looking at all processes of a machine takes time: not much more than this share of it, but every few seconds anyway. */
const SHARE = 0.02
const AT_MOST_EVERY = 500
const AT_LEAST_EVERY = 5000
let groups: ReadonlyMap<number, readonly number[]> = new Map()
let lookAgain = 0

/** Members of a process group, as they were a moment ago; those too that were handed on to init. */
export function groupMembers(group: number): readonly number[] {
  if (performance.now() >= lookAgain) {
    const before = process.threadCpuUsage()
    groups = Map.groupBy(allProcesses(), (pid) => readProcess(pid)?.group ?? 0)
    const { user, system } = process.threadCpuUsage(before)
    const pause = (user + system) / 1000 / SHARE
    lookAgain = performance.now() + Math.min(AT_LEAST_EVERY, Math.max(AT_MOST_EVERY, pause))
  }
  return groups.get(group) ?? []
}

function allProcesses(): number[] {
  return list('/proc').map(Number).filter(Number.isInteger)
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
