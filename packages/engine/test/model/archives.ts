// Archives made by hand, so that they can hold what no proper tool would write.
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'

export interface ZipEntry {
  readonly name: string | Buffer
  readonly content?: string | Uint8Array
  /** Unix mode with its type bits: 0o120777 is a symbolic link. */
  readonly mode?: number
  readonly isEncrypted?: boolean
  readonly method?: number
  readonly crc?: number
  /** What the headers say of the size; the truth unless set. */
  readonly size?: number
  readonly isStored?: boolean
}

export function makeZip(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { local, central } = zipRecords(entry, offset)
    locals.push(local)
    centrals.push(central)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

function zipRecords(entry: ZipEntry, offset: number): { local: Buffer; central: Buffer } {
  const name = Buffer.from(entry.name)
  const content = Buffer.from(entry.content ?? '')
  const data = entry.isStored === true ? content : deflateRawSync(content)
  const fixed = Buffer.alloc(26)
  fixed.writeUInt16LE(20, 0)
  fixed.writeUInt16LE(0x800 | (entry.isEncrypted === true ? 1 : 0), 2)
  fixed.writeUInt16LE(entry.method ?? (entry.isStored === true ? 0 : 8), 4)
  fixed.writeUInt32LE(entry.crc ?? crc32(content), 10)
  fixed.writeUInt32LE(data.length, 14)
  fixed.writeUInt32LE(entry.size ?? content.length, 18)
  fixed.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fixed, name, data])
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 6)
  tail.writeUInt32LE(offset, 10)
  const madeByUnix = Buffer.from([20, 3])
  return { local, central: Buffer.concat([Buffer.from('PK\x01\x02'), madeByUnix, fixed, tail, name]) }
}

export interface TarEntry {
  readonly name: string
  readonly content?: string | Uint8Array
  readonly mode?: number
  /** The type letter: 0 file, 1 link, 2 symbolic link, 3 and 4 devices, 5 folder, 6 fifo. */
  readonly type?: string
  readonly link?: string
  readonly size?: number
  readonly hasBadChecksum?: boolean
}

export function makeTar(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(tarBlocks), Buffer.alloc(1024)])
}

export function makeTarGz(entries: readonly TarEntry[]): Buffer {
  return gzipSync(makeTar(entries))
}

function tarBlocks(entry: TarEntry): Buffer[] {
  const content = Buffer.from(entry.content ?? '')
  const header = Buffer.alloc(512)
  header.write(entry.name, 0, 100)
  header.write(octal(entry.mode ?? 0o644, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(entry.size ?? content.length, 11), 124)
  header.write(octal(0, 11), 136)
  header.write('        ', 148)
  header.write(entry.type ?? '0', 156)
  header.write(entry.link ?? '', 157, 100)
  header.write('ustar\x0000', 257, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, entry.hasBadChecksum === true ? 1 : 0)
  header.write(`${octal(sum, 6)}\0 `, 148, 'latin1')
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]
}

function octal(value: number, width: number): string {
  return value.toString(8).padStart(width, '0')
}
