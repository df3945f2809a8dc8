// Gzip-compressed tar archives: a file comes in, its entries go to the unpacking one by one.
import { createReadStream } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { PitotError } from '@pitot/api'
import { Parser, type ReadEntry } from 'tar'
import { type ArchiveSource, broken, refused, type Unpacking } from './unpacking.ts'

const kinds: Readonly<Record<string, string>> = {
  SymbolicLink: 'a symbolic link',
  Link: 'a hard link',
  CharacterDevice: 'a device',
  BlockDevice: 'a device',
  FIFO: 'a fifo',
}
const files: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile'])
/** A chunk of this size may hold many entries: those wait in memory until it is their turn. */
const chunkSize = 64 * 1024

export async function unpackTarGz(file: string, archive: ArchiveSource, unpacking: Unpacking): Promise<void> {
  const failed = new AbortController()
  let work = Promise.resolve()
  let active: ReadEntry | undefined
  let hasEnd = false
  const fail = (error: unknown) => failed.abort(error)
  const parser = new Parser({
    // Unpacked bytes come in: the parser is not to look for other compressions inside.
    zstd: false,
    brotli: false,
    onReadEntry(entry) {
      // Its reader hears of errors while it reads; before and after that nobody has to.
      entry.on('error', () => undefined)
      work = work.then(async () => {
        if (failed.signal.aborted) return
        active = entry
        await unpackEntry(entry, archive, unpacking).catch(fail)
        active = undefined
      })
    },
    onwarn(code, message) {
      // Blocks of zeros alone are an archive too, an empty one.
      if (code === 'TAR_ENTRY_INFO' || (code === 'TAR_BAD_ARCHIVE' && hasEnd)) return
      fail(broken(archive, `it is not a sound tar archive: ${String(message)}`))
    },
  })
  parser.on('eof', () => {
    hasEnd = true
  })
  parser.on('ignoredEntry', (entry: ReadEntry) => fail(refused(archive, entry.path, ignored(entry))))
  const counted = countedBytes(archive, (size) => unpacking.grow(archive, size, active?.path))
  const source = createReadStream(file, { highWaterMark: chunkSize })
  const unzip = createGunzip({ chunkSize })
  try {
    await pipeline(source, unzip, counted, parser as unknown as NodeJS.WritableStream, { signal: failed.signal })
  } catch (error) {
    const { message } = error as Error
    fail(error instanceof PitotError ? error : broken(archive, `it is not a sound gzip file: ${message}`))
    // Nothing more comes of it: whoever reads it must not wait.
    active?.destroy(error)
  }
  await work
  failed.signal.throwIfAborted()
}

/** Everything on its way to the parser, be it part of a file or not. */
function countedBytes(archive: ArchiveSource, count: (size: number) => void): Transform {
  let isFirst = true
  return new Transform({
    transform(chunk: Buffer, _, done) {
      try {
        // The parser would unpack that too, and nobody would count what comes of it.
        if (isFirst && chunk[0] === 0x1f && chunk[1] === 0x8b) throw broken(archive, 'it is compressed twice')
        isFirst = false
        count(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

async function unpackEntry(entry: ReadEntry, archive: ArchiveSource, unpacking: Unpacking): Promise<void> {
  const { path: name, type } = entry
  if (files.has(type)) {
    await unpacking.addFile(archive, name, entry.mode ?? 0, entry as unknown as AsyncIterable<Uint8Array>)
    return
  }
  if (type !== 'Directory') throw refused(archive, name, notAllowed(type))
  await unpacking.addFolder(archive, name)
  entry.resume()
}

function notAllowed(type: string): string {
  return `is ${kinds[type] ?? `of type ${type}`}; only files and folders are allowed`
}

/** Names and other attributes that are too long for their header stand in an entry of their own, which may be too long again. */
function ignored(entry: ReadEntry): string {
  return entry.meta ? 'has attributes that are too long' : notAllowed(entry.type)
}
