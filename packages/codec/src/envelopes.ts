// All envelopes, by the name they have in a stream descriptor. A new one is its file and a line here.
import { delimited } from './envelopes/delimited.ts'
import { delimitedCsv } from './envelopes/delimited-csv.ts'
import { fixed } from './envelopes/fixed.ts'
import { nullEnvelope } from './envelopes/null.ts'
import { ocfBlock } from './envelopes/ocf-block.ts'

export const envelopes = {
  null: nullEnvelope,
  delimited,
  'delimited-csv': delimitedCsv,
  fixed,
  'ocf-block': ocfBlock,
} as const

export type EnvelopeName = keyof typeof envelopes
