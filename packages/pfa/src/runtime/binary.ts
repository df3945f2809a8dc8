// pack and unpack: a list of formats comes in, once; the function between values and bytes goes out.
import type { BinaryFormat } from '../check/typed.ts'
import type { PfaError } from '../errors.ts'
import { normalise } from './longs.ts'

export interface PackErrors {
  /** Raw bytes that do not have the size of their format. */
  readonly wrongSize: () => PfaError
  /** Bytes too long for a length prefix of one byte. */
  readonly tooLong: () => PfaError
}

const sizes: Readonly<Partial<Record<BinaryFormat['kind'], number>>> = {
  pad: 1,
  boolean: 1,
  int8: 1,
  int16: 2,
  int32: 4,
  int64: 8,
  float: 4,
  double: 8,
}

function sizeOf(format: BinaryFormat, value: unknown): number {
  const size = sizes[format.kind]
  if (size !== undefined) return size
  return (value as Uint8Array).length + (format.kind === 'raw' ? 0 : 1)
}

export function packer(
  formats: readonly BinaryFormat[],
  errors: PackErrors,
): (values: readonly unknown[]) => Uint8Array {
  return (values) => {
    let length = 0
    for (const [index, format] of formats.entries()) {
      const value = values[index]
      if (format.kind === 'raw' && format.size !== undefined && (value as Uint8Array).length !== format.size)
        throw errors.wrongSize()
      if (format.kind === 'prefixed' && (value as Uint8Array).length > 255) throw errors.tooLong()
      length += sizeOf(format, value)
    }
    const bytes = new Uint8Array(length)
    const view = new DataView(bytes.buffer)
    let offset = 0
    for (const [index, format] of formats.entries()) {
      write(format, values[index], bytes, view, offset)
      offset += sizeOf(format, values[index])
    }
    return bytes
  }
}

function write(format: BinaryFormat, value: unknown, bytes: Uint8Array, view: DataView, offset: number): void {
  const little = format.littleEndian
  switch (format.kind) {
    case 'pad':
      break
    case 'boolean':
      bytes[offset] = value ? 1 : 0
      break
    case 'int8':
      view.setInt8(offset, value as number)
      break
    case 'int16':
      view.setInt16(offset, value as number, little)
      break
    case 'int32':
      view.setInt32(offset, Number(value), little)
      break
    case 'int64':
      view.setBigInt64(
        offset,
        BigInt(format.unsigned ? Math.trunc(value as number) : (value as number | bigint)),
        little,
      )
      break
    case 'float':
      view.setFloat32(offset, value as number, little)
      break
    case 'double':
      view.setFloat64(offset, value as number, little)
      break
    case 'raw':
    case 'terminated': // the zero at the end is there already
      bytes.set(value as Uint8Array, offset)
      break
    case 'prefixed':
      bytes[offset] = (value as Uint8Array).length
      bytes.set(value as Uint8Array, offset + 1)
      break
  }
}

/** Undefined when the bytes do not have exactly this form. */
export function unpacker(formats: readonly BinaryFormat[]): (bytes: Uint8Array) => unknown[] | undefined {
  return (bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const values: unknown[] = []
    let offset = 0
    for (const format of formats) {
      const length = lengthAt(format, bytes, offset)
      if (length === undefined || offset + length > bytes.length) return undefined
      values.push(read(format, bytes, view, offset, length))
      offset += length
    }
    return offset === bytes.length ? values : undefined
  }
}

function lengthAt(format: BinaryFormat, bytes: Uint8Array, offset: number): number | undefined {
  switch (format.kind) {
    case 'raw':
      return format.size
    case 'terminated': {
      const end = bytes.indexOf(0, offset)
      return end < 0 ? undefined : end + 1 - offset
    }
    case 'prefixed': {
      const length = bytes[offset]
      return length === undefined ? undefined : length + 1
    }
    default:
      return sizes[format.kind]
  }
}

function read(format: BinaryFormat, bytes: Uint8Array, view: DataView, offset: number, length: number): unknown {
  const { littleEndian: little, unsigned } = format
  switch (format.kind) {
    case 'pad':
      return null
    case 'boolean':
      return bytes[offset] !== 0
    case 'int8':
      return unsigned ? view.getUint8(offset) : view.getInt8(offset)
    case 'int16':
      return unsigned ? view.getUint16(offset, little) : view.getInt16(offset, little)
    case 'int32':
      return unsigned ? view.getUint32(offset, little) : view.getInt32(offset, little)
    case 'int64':
      return unsigned ? Number(view.getBigUint64(offset, little)) : normalise(view.getBigInt64(offset, little))
    case 'float':
      return view.getFloat32(offset, little)
    case 'double':
      return view.getFloat64(offset, little)
    case 'raw':
      return bytes.slice(offset, offset + length)
    case 'terminated':
      return bytes.slice(offset, offset + length - 1)
    case 'prefixed':
      return bytes.slice(offset + 1, offset + length)
  }
}
