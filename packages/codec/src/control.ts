// Control records: `end`, `set` and `pig` travel in the stream among the records and are never scored.
//
//   json    {"$pitot":"pig"}, with "id", "timestamp" and "misc" beside it
//   utf-8   U+262E pitot.pig, with |id|timestamp|misc behind it
//   null    the byte 0xFA and "stscore.pig"; if 12 or more bytes follow: id (4), timestamp (8, both big-endian), misc
//
// Any vendor word is taken for `pitot` in the first two. The other encodings have no control records.
import type { EncodingName } from './encodings.ts'

export type ControlKind = 'end' | 'set' | 'pig'

export interface Control {
  readonly kind: ControlKind
  readonly id?: number
  /** Milliseconds since 1970. */
  readonly timestamp?: number
  readonly misc?: string
  /** The word it came with, to answer in the same language. */
  readonly vendor: string
}

/** The control record that a frame is, or undefined. Called for every frame, so it looks at one or two bytes first. */
export type ReadControl = (bytes: Uint8Array, start: number, end: number) => Control | undefined

export function controlReader(encoding: EncodingName): ReadControl {
  return READERS[encoding] ?? (() => undefined)
}

/** A byte without which nothing is a control record of this encoding; undefined where it has none. */
export function controlSign(encoding: EncodingName): number | undefined {
  return SIGNS[encoding]
}

/** Undefined where the encoding has no control records. To be exact to the byte, hand on the frame it came as instead. */
export function writeControl(encoding: EncodingName, control: Control): Uint8Array | undefined {
  const { kind, id = 0, timestamp = 0, misc = '', vendor } = control
  const hasMore = control.id !== undefined || control.timestamp !== undefined || control.misc !== undefined
  switch (encoding) {
    case 'json': {
      const { vendor: _, kind: __, ...more } = control
      return encoder.encode(JSON.stringify({ [`$${vendor}`]: kind, ...more }))
    }
    case 'utf-8':
      return encoder.encode(`${PEACE}${vendor}.${kind}${hasMore ? `|${id}|${timestamp}|${misc}` : ''}`)
    case 'null': {
      const head = encoder.encode(` ${NULL_WORD}${kind}`)
      head[0] = NULL_MARK
      if (!hasMore) return head
      const tail = encoder.encode(misc)
      const bytes = new Uint8Array(head.length + 12 + tail.length)
      bytes.set(head)
      const view = new DataView(bytes.buffer)
      view.setInt32(head.length, id)
      view.setBigInt64(head.length + 4, BigInt(timestamp))
      bytes.set(tail, head.length + 12)
      return bytes
    }
    default:
      return undefined
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const PEACE = '\u262e'
const NULL_MARK = 0xfa
/** Sources of the format wrote the literal '\xfastscore.pig', which begins with the byte 0xFA. */
const NULL_WORD = 'stscore.'
const [BRACE, QUOTE, DOLLAR] = [0x7b, 0x22, 0x24]
/** No control record is longer: data that only begins like one is not parsed in vain. */
const MAXIMUM_SIZE = 1024

const READERS: Readonly<Partial<Record<EncodingName, ReadControl>>> = {
  json: readJson,
  'utf-8': readText,
  null: readBytes,
}

const SIGNS: Readonly<Partial<Record<EncodingName, number>>> = {
  json: DOLLAR,
  // The last of the three bytes of PEACE, and the rarest.
  'utf-8': 0xae,
  null: NULL_MARK,
}

function readJson(bytes: Uint8Array, start: number, end: number): Control | undefined {
  if (bytes[start] !== BRACE || end - start > MAXIMUM_SIZE) return undefined
  let at = start + 1
  while (at < end && bytes[at]! <= 0x20) at++
  if (bytes[at] !== QUOTE || bytes[at + 1] !== DOLLAR) return undefined
  try {
    return controlOf(JSON.parse(decoder.decode(bytes.subarray(start, end))))
  } catch {
    return undefined
  }
}

function controlOf(object: Record<string, unknown>): Control | undefined {
  const [key, ...others] = Object.keys(object)
  const kind = object[key!]
  if (!isKind(kind) || !others.every((other) => other === 'id' || other === 'timestamp' || other === 'misc'))
    return undefined
  const { id, timestamp, misc } = object
  return {
    kind,
    ...(typeof id === 'number' ? { id } : {}),
    ...(typeof timestamp === 'number' ? { timestamp } : {}),
    ...(typeof misc === 'string' ? { misc } : {}),
    vendor: key!.slice(1),
  }
}

function isKind(word: unknown): word is ControlKind {
  return word === 'end' || word === 'set' || word === 'pig'
}

const TEXT = /^\u262e([A-Za-z][\w-]*)\.(end|set|pig)(?:\|(-?\d+)\|(-?\d+)(?:\|(.*))?)?$/s

function readText(bytes: Uint8Array, start: number, end: number): Control | undefined {
  if (bytes[start] !== 0xe2 || bytes[start + 1] !== 0x98 || bytes[start + 2] !== 0xae || end - start > MAXIMUM_SIZE)
    return undefined
  const found = TEXT.exec(decoder.decode(bytes.subarray(start, end)))
  if (found === null) return undefined
  const [, vendor, kind, id, timestamp, misc] = found
  return {
    kind: kind as ControlKind,
    ...(id === undefined ? {} : { id: Number(id), timestamp: Number(timestamp) }),
    ...(misc === undefined ? {} : { misc }),
    vendor: vendor!,
  }
}

function readBytes(bytes: Uint8Array, start: number, end: number): Control | undefined {
  const head = start + 1 + NULL_WORD.length + 3
  if (bytes[start] !== NULL_MARK || head > end || end - start > MAXIMUM_SIZE) return undefined
  const word = decoder.decode(bytes.subarray(start + 1, head))
  const kind = word.slice(NULL_WORD.length)
  if (!word.startsWith(NULL_WORD) || !isKind(kind)) return undefined
  const control: Control = { kind, vendor: 'fastscore' }
  if (end === head) return control
  if (end - head < 12) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset + head)
  const misc = decoder.decode(bytes.subarray(head + 12, end))
  return { ...control, id: view.getInt32(0), timestamp: Number(view.getBigInt64(4)), ...(misc === '' ? {} : { misc }) }
}
