// Zip archives: a file comes in, its entries go to the unpacking one by one.
import { crc32 } from 'node:zlib'
import { PitotError } from '@pitot/api'
import { type Entry, getFileNameLowLevel, openPromise, parseExtraFields, type ZipFile } from 'yauzl'
import { type ArchiveSource, broken, refused, type Unpacking } from './unpacking.ts'

const unixHost = 3
const typeBits = 0o170000
const folderBits = 0o040000
const kinds: ReadonlyMap<number, string> = new Map([
  [0o120000, 'a symbolic link'],
  [0o020000, 'a device'],
  [0o060000, 'a device'],
  [0o010000, 'a fifo'],
  [0o140000, 'a socket'],
])

export async function unpackZip(file: string, archive: ArchiveSource, unpacking: Unpacking): Promise<void> {
  // Names are decoded here, so that they are refused by the same rules as those of other archives.
  const zip = await openPromise(file, { decodeStrings: false, autoClose: false }).catch((error: Error) => {
    throw broken(archive, `it is not a zip archive: ${error.message}`)
  })
  try {
    for await (const entry of entriesOf(zip, archive)) await unpackEntry(zip, entry, archive, unpacking)
  } finally {
    zip.close()
  }
}

async function* entriesOf(zip: ZipFile, archive: ArchiveSource): AsyncGenerator<Entry> {
  try {
    yield* zip.eachEntry()
  } catch (error) {
    throw broken(archive, `its directory is damaged: ${(error as Error).message}`)
  }
}

async function unpackEntry(zip: ZipFile, entry: Entry, archive: ArchiveSource, unpacking: Unpacking): Promise<void> {
  const name = nameOf(entry)
  const mode = entry.versionMadeBy >>> 8 === unixHost ? entry.externalFileAttributes >>> 16 : 0
  const type = mode & typeBits
  const kind = kinds.get(type)
  if (kind !== undefined) throw refused(archive, name, `is ${kind}; only files and folders are allowed`)
  if (entry.isEncrypted()) throw refused(archive, name, 'is encrypted')
  if (type === folderBits || name.endsWith('/')) return unpacking.addFolder(archive, name)
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw refused(archive, name, `is packed by method ${entry.compressionMethod}; use deflate`)
  }
  const grow = (size: number) => unpacking.grow(archive, size, name)
  await unpacking.addFile(archive, name, mode, contentOf(zip, entry, archive, name, grow))
}

function nameOf(entry: Entry): string {
  const extraFields = parseExtraFields(entry.extraFieldRaw)
  // Windows tools write backslashes between folders: they become slashes.
  return getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, extraFields, false)
}

async function* contentOf(
  zip: ZipFile,
  entry: Entry,
  archive: ArchiveSource,
  name: string,
  grow: (size: number) => void,
): AsyncGenerator<Uint8Array> {
  let sum = 0
  try {
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      grow(chunk.length)
      sum = crc32(chunk, sum)
      yield chunk
    }
  } catch (error) {
    throw error instanceof PitotError ? error : refused(archive, name, `is damaged: ${(error as Error).message}`)
  }
  if (sum !== entry.crc32) throw refused(archive, name, 'is damaged: its checksum does not match')
}
