// What became of a followed file while nobody read it: its mark comes in, the files to read before the present one go out.
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { resolvePath } from './confined.ts'

interface Identified {
  readonly dev: bigint
  readonly ino: bigint
  readonly birthtimeNs: bigint
}

/** Tells one file from all others under any name; also from a later one that was given the same inode. */
export function markOf({ dev, ino, birthtimeNs }: Identified): string {
  return `${dev}:${ino}:${birthtimeNs}`
}

/** What a rotation puts behind a name: a number or a date. A file that was also compressed is another one. */
const ROTATED = /^[.-]\d[\d._:T-]*$/

/** Paths, the oldest first: the file with the mark, and those that came after it. Undefined when it is not to be found. */
export async function rotatedSince(
  path: string,
  mark: string,
  fileRoot: string | undefined,
): Promise<string[] | undefined> {
  const full = resolvePath(path, fileRoot)
  const folder = dirname(full)
  const name = basename(full)
  const names = (await readdir(folder)).filter((each) => each.startsWith(name) && ROTATED.test(each.slice(name.length)))
  const found = await Promise.all(
    names.map(async (each) => {
      const stats = await stat(join(folder, each), { bigint: true }).catch(() => undefined)
      return stats === undefined ? [] : [{ path: join(folder, each), mark: markOf(stats), written: stats.mtimeNs }]
    }),
  )
  const files = found.flat().sort((one, other) => Number(one.written - other.written))
  const ours = files.findIndex((each) => each.mark === mark)
  return ours < 0 ? undefined : files.slice(ours).map((each) => each.path)
}
