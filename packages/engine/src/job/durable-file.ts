// Files that are there whole or not at all, whenever the power goes: a path and a content come in.
import { constants } from 'node:fs'
import { copyFile, link, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces the file, or makes it. Resolves when the new content would survive a crash; until then the old one would. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const next = `${path}.next`
  await writeDurably(next, content)
  await rename(next, path)
  await syncFolder(dirname(path))
}

/** For files in folders that nobody knows of yet: those need no care about what was there before. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The same content under a second name. Costs nothing where the file system has links. */
export async function keepFile(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE))
  const file = await open(to, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A new name is safe only when the folder is. Not every system can open a folder; those keep names by themselves. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  if (folder === undefined) return
  try {
    await folder.sync()
  } catch {
    // As above.
  } finally {
    await folder.close()
  }
}
