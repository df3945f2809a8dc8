// The fields of a file transport.
import { type Fields, flag, oneOf, required, text, withDefault } from '../../field.ts'
import { type Compression, compressions } from './compression.ts'

export interface FileOptions {
  readonly Path: string
  /** Input: the file is read as it grows. */
  readonly Follow: boolean
  readonly Compression: Compression
  /** Output: what is in the file stays; otherwise it is emptied first. */
  readonly Append: boolean
}

export const fileFields: Fields = {
  Path: required(text),
  Follow: withDefault(flag, false),
  Compression: withDefault(oneOf(...compressions), 'by-name'),
  Append: withDefault(flag, false),
}
