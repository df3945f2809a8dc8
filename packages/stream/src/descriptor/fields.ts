// The fields at the top of a descriptor, of its envelopes and of its encodings.
import { type EncodingName, type EnvelopeName, encodings, envelopes } from '@pitot/codec'
import {
  anyText,
  type Field,
  type Fields,
  flag,
  nullable,
  oneOf,
  required,
  text,
  whole,
  withDefault,
} from '../field.ts'
import { isObject } from './section.ts'
import { separatorSpelling } from './spellings.ts'

/** Read by code of their own, because their form depends on their Type. */
const section: Field = { allowed: 'a word or an object', read: (value) => value }
/** Any JSON: what it means is told elsewhere. */
const open: Field = { allowed: 'any value', read: (value) => value }

const skipToRecord: Field = {
  allowed: "a record number, 'earliest', 'latest' or null",
  read: (value) => (value === null ? null : (whole(0).read(value) ?? oneOf('earliest', 'latest').read(value))),
}

/** "To avoid a default, set the field explicitly to `null`": where there is no such value, this one. */
function orNull(field: Field, value: unknown): Field {
  return { ...field, allowed: `${field.allowed}, or null`, read: (each) => (each === null ? value : field.read(each)) }
}

const schema: Field = {
  allowed: 'a schema: null, a name, a list, or an object',
  read: (value) => (value === null || typeof value === 'string' || typeof value === 'object' ? value : undefined),
}

const batchingWords: ReadonlyMap<string, unknown> = new Map([
  ['normal', { watermark: 1000, nagleTime: 500 }],
  ['explicit', { watermark: null, nagleTime: null }],
])

const batching: Field = {
  allowed: "'normal', 'explicit', null, or an object with Watermark and NagleTime",
  read(value) {
    if (value === null) return null
    if (typeof value === 'string') return batchingWords.get(value.toLowerCase())
    if (!isObject(value)) return undefined
    const { Watermark = null, NagleTime = null, ...more } = value
    const watermark = nullable(whole(1)).read(Watermark)
    const nagleTime = nullable(whole(0)).read(NagleTime)
    const fits = watermark !== undefined && nagleTime !== undefined && Object.keys(more).length === 0
    return fits ? { watermark, nagleTime } : undefined
  },
}

/** Defaults that depend on other fields are not here: `defaults.ts` has them. */
export const topFields: Fields = {
  Version: withDefault(text, '1.2'),
  Description: orNull(withDefault(anyText, ''), ''),
  Transport: { ...required(section), allowed: 'a transport: a word or an object with a Type' },
  Loop: orNull(flag, false),
  EndMarker: nullable(text),
  SkipTo: nullable(whole(0)),
  SkipToRecord: skipToRecord,
  Envelope: section,
  Encoding: section,
  Schema: schema,
  Batching: withDefault(batching, batchingWords.get('normal')),
  LingerTime: withDefault(nullable(whole(0)), 3000),
  OnError: withDefault(oneOf('skip', 'fail', 'dead-letter'), 'skip'),
  DeadLetter: open,
  Delivery: withDefault(oneOf('at-least-once', 'exactly-once', 'at-most-once'), 'at-least-once'),
  Order: withDefault(flag, true),
}

/** A separator has at least one byte. */
const separator: Field = {
  allowed: 'a text of one or more characters',
  read: (value) => (typeof value === 'string' && value !== '' ? separatorSpelling(value) : undefined),
}

const syncMarker: Field = {
  allowed: '16 bytes in base64',
  read: (value) => (typeof value === 'string' && /^[A-Za-z0-9+/]{21}[AQgw]==$/.test(value) ? value : undefined),
}

const oneCharacter: Field = {
  allowed: 'one ASCII character',
  read: (value) => (typeof value === 'string' && value.length === 1 && value.charCodeAt(0) < 128 ? value : undefined),
}

export const envelopeFields: Readonly<Record<EnvelopeName, Fields>> = {
  null: {},
  delimited: { Separator: withDefault(separator, '\n') },
  'delimited-csv': {
    Separator: withDefault(separator, '\r\n'),
    SkipHeader: withDefault(flag, true),
    SkipBlankLines: withDefault(flag, true),
  },
  fixed: { Size: required(whole(1, 2 ** 30)) },
  'ocf-block': {
    SyncMarker: nullable(syncMarker),
    Compress: nullable(oneOf('deflate', 'snappy', 'zstandard')),
    SkipHeader: withDefault(flag, true),
  },
}

export const encodingFields: Readonly<Record<EncodingName, Fields>> = {
  null: {},
  json: {},
  'avro-binary': {},
  'utf-8': {},
  csv: {
    Delimiter: withDefault(oneCharacter, ','),
    QuoteCharacter: withDefault(oneCharacter, '"'),
  },
  msgpack: {},
}

export const envelopeNames = Object.keys(envelopes) as readonly EnvelopeName[]
export const encodingNames = Object.keys(encodings) as readonly EncodingName[]
