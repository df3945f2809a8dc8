// The format words of pack and unpack: "little unsigned int16" comes in, its meaning and type go out.
import type { AvroType } from '@pitot/avro'
import { semanticProblem } from '../problems.ts'
import type { BinaryFormat } from './typed.ts'
import { primitive } from './types.ts'

const sizes: Readonly<Record<string, BinaryFormat['kind']>> = {
  byte: 'int8',
  int8: 'int8',
  short: 'int16',
  int16: 'int16',
  int: 'int32',
  int32: 'int32',
  long: 'int64',
  'long long': 'int64',
  int64: 'int64',
  float: 'float',
  float32: 'float',
  double: 'double',
  float64: 'double',
}

export function readFormat(text: string, at: string): BinaryFormat {
  const words = text.trim().replace(/\s+/g, ' ')
  const plain = { unsigned: false, littleEndian: false }
  if (words === 'pad' || words === 'boolean') return { kind: words, ...plain }
  if (/^(null ?)?terminated$/.test(words)) return { kind: 'terminated', ...plain }
  if (/^(length ?)?prefixed$/.test(words)) return { kind: 'prefixed', ...plain }
  const raw = /^raw ?(\d+)?$/.exec(words)
  if (raw !== null) return { kind: 'raw', ...plain, ...(raw[1] === undefined ? {} : { size: Number(raw[1]) }) }
  const number = /^(<|>|!|little|big|network)? ?(unsigned)? ?(.+)$/.exec(words)
  const kind = number?.[3] === undefined ? undefined : sizes[number[3]]
  const unsigned = number?.[2] !== undefined
  if (kind === undefined || (unsigned && (kind === 'float' || kind === 'double'))) {
    const known = `pad, boolean, ${Object.keys(sizes).join(', ')}, raw, null terminated, length prefixed`
    throw semanticProblem(at, `unrecognized format ${JSON.stringify(text)}: expected one of ${known}`)
  }
  return { kind, unsigned, littleEndian: number?.[1] === '<' || number?.[1] === 'little' }
}

/** The type of the values a format holds: unsigned ones need the next larger type. */
export function formatType(format: BinaryFormat): AvroType {
  switch (format.kind) {
    case 'pad':
      return primitive('null')
    case 'boolean':
      return primitive('boolean')
    case 'int8':
    case 'int16':
      return primitive('int')
    case 'int32':
      return primitive(format.unsigned ? 'long' : 'int')
    case 'int64':
      return primitive(format.unsigned ? 'double' : 'long')
    case 'float':
    case 'double':
      return primitive(format.kind)
    default:
      return primitive('bytes')
  }
}
