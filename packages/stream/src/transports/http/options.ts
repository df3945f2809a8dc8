// The fields of an HTTP transport.
import { type Field, type Fields, flag, nullable, oneOf, required, text, whole, withDefault } from '../../field.ts'

export interface HttpOptions {
  readonly Url: string
  /** Sent with every request; those that carry credentials go to the host of `Url` only. */
  readonly Headers: Readonly<Record<string, string>>
  readonly MaxRedirects: number
  /** Milliseconds to go on trying when a connection cannot be made or breaks, or the server says that it is busy. */
  readonly RetryTime: number
  /** Milliseconds without a byte after which the other side is taken for gone; null for never. */
  readonly IdleTime: number | null
  /** False accepts any certificate. */
  readonly Verify: boolean
  /** Certificates to trust besides the usual ones, as PEM. */
  readonly CA: string | null
  /** Input: each chunk of the body is a record. */
  readonly Chunked: boolean
  /** Output: what one request carries. */
  readonly Post: 'batches' | 'records' | null
  readonly ContentType: string
}

const url: Field = {
  allowed: 'an address that begins with http:// or https://',
  read(value) {
    if (typeof value !== 'string' || !URL.canParse(value)) return undefined
    return /^https?:$/.test(new URL(value).protocol) ? value : undefined
  },
}

const isHeader = ([name, value]: [string, unknown]) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)

const headers: Field = {
  allowed: 'an object with the names and values of headers',
  read(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    return Object.entries(value).every(isHeader) ? value : undefined
  },
}

export const httpFields: Fields = {
  Url: required(url),
  Headers: withDefault(headers, {}),
  MaxRedirects: withDefault(whole(0, 100), 5),
  RetryTime: withDefault(whole(0, 2 ** 31 - 1), 10_000),
  IdleTime: nullable(whole(1, 2 ** 31 - 1)),
  Verify: withDefault(flag, true),
  CA: nullable(text),
  Chunked: withDefault(flag, false),
  Post: nullable(oneOf('batches', 'records')),
  ContentType: withDefault(text, 'application/octet-stream'),
}
