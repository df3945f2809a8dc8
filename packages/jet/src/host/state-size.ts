// How much memory shared values take: JSON values go in, bytes come out. An estimate, never far below what the engine needs for them.

const WORD = 8
const TEXT = 16
const OBJECT = 56
/** What is kept of an item besides its value. */
const ITEM = 350
const POOL = 200

/** Without recursion: nothing says how deep a model may nest. */
export function sizeOf(value: unknown): number {
  let bytes = 0
  const pending = [value]
  while (pending.length > 0) {
    const each = pending.pop()
    if (typeof each === 'string') bytes += TEXT + Buffer.byteLength(each)
    else if (typeof each === 'bigint') bytes += 3 * WORD
    else if (Array.isArray(each)) {
      bytes += OBJECT
      for (const member of each) pending.push(member)
    } else if (typeof each === 'object' && each !== null) {
      bytes += OBJECT
      for (const [key, member] of Object.entries(each)) {
        bytes += TEXT + Buffer.byteLength(key)
        pending.push(member)
      }
    } else bytes += WORD
  }
  return bytes
}

/** The key is in the item's name too. */
export function sizeOfItem(key: string): number {
  return ITEM + 2 * Buffer.byteLength(key)
}

export function sizeOfPool(name: string): number {
  return POOL + Buffer.byteLength(name)
}

const UNITS = [
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
] as const

/** In the largest unit that leaves no rest. */
export function sizeInWords(bytes: number): string {
  const [unit, size] = UNITS.find(([, each]) => bytes > 0 && bytes % each === 0) ?? ['bytes', 1]
  return `${bytes / size} ${unit}`
}
