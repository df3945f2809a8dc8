// A path of a descriptor comes in, an open file goes out, which lies below the root folder when there is one.
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { StreamFailure } from '../../transport.ts'

/** Where the path leads: a relative one starts at the root folder, or at the working folder where there is none. */
export function resolvePath(path: string, fileRoot: string | undefined): string {
  return isAbsolute(path) ? resolve(path) : resolve(fileRoot ?? '.', path)
}

export async function openForReading(path: string, fileRoot: string | undefined): Promise<FileHandle> {
  const full = resolvePath(path, fileRoot)
  await refuseOutside(full, path, fileRoot)
  const file = await attempt('read', path, () => open(full, constants.O_RDONLY | constants.O_NONBLOCK))
  try {
    await refuseOutsideHandle(file, full, path, fileRoot)
    await refuseOthers(file, path)
  } catch (error) {
    await file.close()
    throw error
  }
  return file
}

/** Parent folders are made. The file keeps what it has: it is emptied, if at all, after the place has been checked. */
export async function openForWriting(path: string, fileRoot: string | undefined): Promise<FileHandle> {
  const full = resolvePath(path, fileRoot)
  await refuseOutside(full, path, fileRoot)
  const file = await attempt('write', path, async () => {
    await makeFolder(dirname(full))
    return open(full, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK, 0o644)
  })
  try {
    await refuseOutsideHandle(file, full, path, fileRoot)
    await refuseOthers(file, path)
  } catch (error) {
    await file.close()
    throw error
  }
  return file
}

/** By hand: Node's own recursion does not come back from file systems that have nothing to make a folder in, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  )
  if (isThere) return
  if (dirname(folder) !== folder) await makeFolder(dirname(folder))
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    // Somebody else may have made it in the meantime.
    if (error.code !== 'EEXIST') throw error
  })
}

/** Pipes are opened without waiting for their other end, only to be refused: a read from one cannot be called off. */
async function refuseOthers(file: FileHandle, path: string): Promise<void> {
  const kind = await file.stat()
  if (kind.isFile() || kind.isCharacterDevice()) return
  const what = kind.isDirectory() ? 'a folder' : 'a pipe or a socket'
  throw new StreamFailure(`${path} is ${what}; Path must name a file`)
}

/** Follows the links of as much of the path as there is. */
async function refuseOutside(full: string, path: string, fileRoot: string | undefined): Promise<void> {
  if (fileRoot === undefined) return
  const root = await attempt('find', fileRoot, () => realpath(fileRoot))
  let existing = full
  let missing = ''
  for (;;) {
    const real = await realpath(existing).catch(() => undefined)
    if (real !== undefined) return refuseUnless(isBelow(join(real, missing), root), path, fileRoot)
    // A link to nowhere is there, though what it leads to is not: to make that would lead outside.
    const isLink = await readlink(existing).then(
      () => true,
      () => false,
    )
    refuseUnless(!isLink && dirname(existing) !== existing, path, fileRoot)
    missing = join(existing.slice(dirname(existing).length), missing)
    existing = dirname(existing)
  }
}

/** Looks at what was opened, because links may have changed since they were followed. */
async function refuseOutsideHandle(
  file: FileHandle,
  full: string,
  path: string,
  fileRoot: string | undefined,
): Promise<void> {
  if (fileRoot === undefined) return
  const real = await readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(full))
  refuseUnless(isBelow(real, await realpath(fileRoot)), path, fileRoot)
}

function isBelow(path: string, root: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep)
}

function refuseUnless(isFine: boolean, path: string, fileRoot: string): void {
  if (isFine) return
  throw new StreamFailure(`${path} lies outside of ${fileRoot}; streams may use files below that folder only`)
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a folder',
  EEXIST: 'a part of the path is a file, not a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ELOOP: 'its links go round in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  ENXIO: 'it is a pipe that nobody reads',
  EROFS: 'the disk is read-only',
}

/** One sentence for what the file system says. */
export async function attempt<Result>(verb: string, path: string, action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof StreamFailure) throw error
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new StreamFailure(`cannot ${verb} ${path}: ${reasons[code] ?? message}`, { cause: error })
  }
}

/** Which file a path leads to now; undefined when there is none. */
export async function identityOf(full: string): Promise<string | undefined> {
  const found = await stat(full, { bigint: true }).catch(() => undefined)
  return found && `${found.dev}:${found.ino}`
}
