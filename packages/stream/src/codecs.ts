// What a descriptor says of envelopes and encodings, in the terms of the codec package.
import { type AvroType, parseSchema, primitiveNames, resolveReferences } from '@pitot/avro'
import {
  csvHeader,
  type Decoder,
  type Encoder,
  type EnvelopeContext,
  encodings,
  envelopes,
  type OcfBlockOptions,
  type Unwrapper,
  type Wrapper,
} from '@pitot/codec'
import { compressors, decompressors } from './compression.ts'
import type { Descriptor } from './descriptor/descriptor.ts'

/** Gives a stored schema by its name; undefined when there is none. */
export type SchemaLookup = (name: string) => Promise<unknown>

/** The type of the records: null when the descriptor has no schema. Names and references are followed. */
export async function resolveSchema(descriptor: Descriptor, lookup: SchemaLookup): Promise<AvroType | null> {
  const { schema } = descriptor
  if (schema === null) return null
  // A text is a primitive type, or else the name of a stored schema.
  const given = typeof schema === 'string' && !primitiveNames.has(schema) ? { $ref: schema } : schema
  return parseSchema(await resolveReferences(given, lookup))
}

/** Cuts the bytes of an input; the null envelope of a byte stream cuts by the encoding where that can tell. */
export function unwrapperOf(descriptor: Descriptor, type: AvroType | null, context: EnvelopeContext = {}): Unwrapper {
  return envelopeOf(descriptor).unwrapper(envelopeOptions(descriptor) as never, { decompressors, ...context, type })
}

export function wrapperOf(descriptor: Descriptor, type: AvroType | null): Wrapper {
  const options = { ...envelopeOptions(descriptor), ...headerOf(descriptor, type) }
  return envelopeOf(descriptor).wrapper(options as never, { compressors, type })
}

/** CSV that is read with a header line is written with one. */
function headerOf(descriptor: Descriptor, type: AvroType | null): { header?: string } {
  if (descriptor.envelope !== 'delimited-csv' || descriptor.envelopeOptions.SkipHeader !== true) return {}
  return type?.kind === 'record' ? { header: csvHeader(type, encodingOptions(descriptor)) } : {}
}

export function decoderOf(descriptor: Descriptor, type: AvroType | null): Decoder {
  return encodings[descriptor.encoding].decoder(type, encodingOptions(descriptor))
}

export function encoderOf(descriptor: Descriptor, type: AvroType | null): Encoder {
  return encodings[descriptor.encoding].encoder(type, encodingOptions(descriptor))
}

function envelopeOf(descriptor: Descriptor) {
  return envelopes[descriptor.envelope]
}

function envelopeOptions({ envelope, envelopeOptions: given, encodingOptions: encoding }: Descriptor): object {
  switch (envelope) {
    case 'delimited':
      return { separator: given.Separator }
    case 'delimited-csv':
      return {
        separator: given.Separator,
        skipHeader: given.SkipHeader,
        skipBlankLines: given.SkipBlankLines,
        quote: encoding.QuoteCharacter,
      }
    case 'fixed':
      return { size: given.Size }
    case 'ocf-block': {
      const marker = given.SyncMarker as string | null
      const options: OcfBlockOptions = {
        ...(marker !== null && { syncMarker: Buffer.from(marker, 'base64') }),
        compress: given.Compress as never,
        writeHeader: given.SkipHeader as boolean,
      }
      return options
    }
    case 'null':
      return {}
  }
}

/** The options of the encoding in the terms of the codec package. */
export function encodingOptions({ encoding, encodingOptions: given }: Descriptor): Readonly<Record<string, unknown>> {
  return encoding === 'csv' ? { delimiter: given.Delimiter, quote: given.QuoteCharacter } : {}
}
