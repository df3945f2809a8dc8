// Defaults that depend on other fields: one table, asked in order, so that a row may use what the rows before it gave.
import type { EncodingName, EnvelopeName } from '@pitot/codec'

export interface Known {
  readonly isInput: boolean
  readonly transportType: string
  readonly preservesBoundaries: boolean
  readonly encoding: EncodingName
  readonly loop: boolean
}

/** Encodings whose records end where their bytes say so: they need no frames. */
const selfDelimiting: readonly EncodingName[] = ['avro-binary', 'msgpack']

/** "`true` for file streams, `false` otherwise"; an output does not loop, nor does a file that is followed: it has no end. */
export function loopDefault(known: Pick<Known, 'isInput' | 'transportType'> & { readonly follows: boolean }): boolean {
  return known.isInput && known.transportType === 'file' && !known.follows
}

/** "`null` for AVRO-binary streams, `$end-of-stream` for all others" */
export function endMarkerDefault({ encoding }: Pick<Known, 'encoding'>): string | null {
  return encoding === 'avro-binary' ? null : '$end-of-stream'
}

/** "`latest` for kafka streams, `null` otherwise"; a kafka stream that loops has a start to come back to. */
export function skipToRecordDefault({ isInput, transportType, loop }: Known): 'latest' | 'earliest' | null {
  if (!isInput || transportType !== 'kafka') return null
  return loop ? 'earliest' : 'latest'
}

/** A boundary-preserving transport needs no frames, nor does a self-delimiting encoding; CSV has lines of its own. */
export function envelopeDefault({ preservesBoundaries, encoding }: Known): EnvelopeName {
  if (preservesBoundaries || selfDelimiting.includes(encoding)) return 'null'
  return encoding === 'csv' ? 'delimited-csv' : 'delimited'
}
