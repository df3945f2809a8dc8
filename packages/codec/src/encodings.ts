// All encodings, by the name they have in a stream descriptor. A new one is its file and a line here.
import { avroBinary } from './encodings/avro-binary.ts'
import { csv } from './encodings/csv.ts'
import { json } from './encodings/json.ts'
import { msgpack } from './encodings/msgpack.ts'
import { nullEncoding } from './encodings/null.ts'
import { utf8 } from './encodings/utf-8.ts'

export const encodings = {
  null: nullEncoding,
  json,
  'avro-binary': avroBinary,
  'utf-8': utf8,
  csv,
  msgpack,
} as const

export type EncodingName = keyof typeof encodings
