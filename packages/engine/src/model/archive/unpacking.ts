// Files of archives on their way to a folder: names, sizes and bytes come in, and what could do harm is refused by name.
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { failure } from '@pitot/api'
import type { ArchiveLimits } from '../limits.ts'

/** An archive that is being unpacked. */
export interface ArchiveSource {
  /** The attachment's name, for sentences. */
  readonly name: string
  /** Its bytes, packed. */
  readonly size: number
}

interface Place {
  /** As the archive spells it. */
  readonly name: string
  readonly isFolder: boolean
  /** Whose file it is. */
  readonly attachment: string
}

const longestName = 255
const longestPath = 1024
const longestShown = 100
/** Files are written in pieces of this size at most: an archive's reader gives many small ones. */
const longestPiece = 1024 * 1024

/**
 * All attachments of a model go through one of these, so that they cannot overwrite each other. Two names that some file
 * system takes for one count as one: what works here works wherever the job is moved to.
 */
export class Unpacking {
  readonly #folder: string
  readonly #limits: ArchiveLimits
  readonly #places = new Map<string, Place>()
  /** Bytes that each archive has grown to. */
  readonly #grown = new Map<ArchiveSource, number>()
  #bytes = 0

  /** `reserved`: a name at the top that is not the archives' to use. */
  constructor(folder: string, limits: ArchiveLimits, reserved: string) {
    this.#folder = folder
    this.#limits = limits
    this.#places.set(keyOf(reserved), { name: reserved, isFolder: false, attachment: '' })
  }

  async addFolder(archive: ArchiveSource, name: string): Promise<void> {
    await this.#makeFolders(archive, name, partsOf(archive, name))
  }

  /** Reads all chunks, or rejects; what is wrong with the archive itself comes out of the chunks, which are counted by `grow`. */
  async addFile(archive: ArchiveSource, name: string, mode: number, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const parts = partsOf(archive, name)
    if (parts.length === 0) throw refused(archive, name, 'has no name')
    await this.#makeFolders(archive, name, parts.slice(0, -1))
    const path = parts.join('/')
    this.#claim(archive, name, path, false)
    // Never anything but what a file needs: no setuid, no writing for others.
    const target = await open(join(this.#folder, path), 'wx', (mode & 0o111) === 0 ? 0o644 : 0o755)
    try {
      for await (const piece of gathered(chunks)) {
        this.#count(archive, name, piece.length)
        await target.writeFile(piece)
      }
    } finally {
      await target.close()
    }
  }

  async #makeFolders(archive: ArchiveSource, name: string, parts: readonly string[]): Promise<void> {
    for (let depth = 1; depth <= parts.length; depth++) {
      const path = parts.slice(0, depth).join('/')
      if (this.#claim(archive, name, path, true)) await mkdir(join(this.#folder, path), { mode: 0o755 })
    }
  }

  /** False when the folder is there already; a file is always new, or refused. */
  #claim(archive: ArchiveSource, entry: string, name: string, isFolder: boolean): boolean {
    const key = keyOf(name)
    const other = this.#places.get(key)
    if (other === undefined) {
      if (this.#places.size > this.#limits.entries) {
        throw refused(archive, entry, `is one too many: at most ${this.#limits.entries} files and folders are allowed`)
      }
      this.#places.set(key, { name, isFolder, attachment: archive.name })
      return true
    }
    if (isFolder && other.isFolder && other.name === name) return false
    throw refused(archive, entry, collision(archive, name, other))
  }

  /**
   * Counts bytes that came out of the archive, by those that really come, whatever the archive says of them. `entry` is the
   * one they belong to, where that is known: what lies between entries costs time as well.
   */
  grow(archive: ArchiveSource, size: number, entry: string | undefined): void {
    const { ratio, freeBytes } = this.#limits
    const grown = (this.#grown.get(archive) ?? 0) + size
    this.#grown.set(archive, grown)
    if (grown <= freeBytes || grown <= ratio * archive.size) return
    const reason = `grows to more than ${ratio} times the size of the archive: this is a bomb, not data`
    throw entry === undefined ? broken(archive, `it ${reason}`) : refused(archive, entry, reason)
  }

  #count(archive: ArchiveSource, name: string, size: number): void {
    const { bytes } = this.#limits
    this.#bytes += size
    if (this.#bytes > bytes) throw refused(archive, name, `makes the files larger than ${bytes} bytes together`)
  }
}

export function refused(archive: ArchiveSource, entry: string, reason: string) {
  const shown = entry.length > longestShown ? `${entry.slice(0, longestShown)}…` : entry
  return failure('bad-attachment', { attachment: archive.name, reason: `its entry '${shown}' ${reason}` })
}

export function broken(archive: ArchiveSource, reason: string) {
  return failure('bad-attachment', { attachment: archive.name, reason })
}

/** The steps of a path below the folder. */
function partsOf(archive: ArchiveSource, name: string): string[] {
  const trouble = nameTrouble(name)
  if (trouble !== undefined) throw refused(archive, name, trouble)
  return name.split('/').filter((part) => part !== '' && part !== '.')
}

function nameTrouble(name: string): string | undefined {
  if (name.startsWith('/') || /^[A-Za-z]:/.test(name)) return 'has an absolute name'
  if (name.includes('\\')) return 'has a backslash in its name'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get through
  if (/[\u0000-\u001f\u007f]/.test(name)) return 'has a control character in its name'
  if (!name.isWellFormed() || name.includes('\ufffd')) return 'has a name that is not valid UTF-8'
  if (Buffer.byteLength(name) > longestPath) return `has a name longer than ${longestPath} bytes`
  for (const part of name.split('/')) {
    if (part === '..') return "has '..' in its name"
    if (Buffer.byteLength(part) > longestName) return `has a part longer than ${longestName} bytes in its name`
  }
  return undefined
}

/** Equal for names that differ only by letter case or by the way accents are written. */
function keyOf(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

function collision(archive: ArchiveSource, name: string, other: Place): string {
  if (other.attachment === '') return `has the name of the model's own source, '${other.name}'`
  const where = other.attachment === archive.name ? '' : ` of attachment '${other.attachment}'`
  if (other.name !== name) return `cannot be told from '${other.name}'${where} on every file system`
  return where === '' ? 'is there twice' : `is also an entry${where}; nothing is overwritten`
}

async function* gathered(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    held.push(chunk)
    size += chunk.length
    if (size < longestPiece) continue
    yield Buffer.concat(held, size)
    held = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(held, size)
}
