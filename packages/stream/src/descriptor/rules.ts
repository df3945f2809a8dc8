// Combinations that cannot work: a table of rules; each that is broken becomes a problem, or a warning where it is harmless.
import { primitiveNames } from '@pitot/avro'
import type { Descriptor } from './descriptor.ts'
import type { Remarks } from './problems.ts'

interface Rule {
  /** The field to point at. */
  readonly field: string
  readonly level?: 'warning'
  readonly broken: (descriptor: Descriptor) => boolean
  readonly sentence: (descriptor: Descriptor) => string
}

const isInput = ({ direction }: Descriptor) => direction === 'input'
const isKafka = ({ transport }: Descriptor) => transport.type === 'kafka'
const keepsBoundaries = ({ transport, transportOptions }: Descriptor) => transport.preservesBoundaries(transportOptions)
const isType = (schema: unknown, type: string): boolean =>
  schema === type || (typeof schema === 'object' && schema !== null && (schema as { type?: unknown }).type === type)
/** A name or a reference may turn out to be anything. */
const isReference = (schema: unknown): boolean =>
  (typeof schema === 'string' && !primitiveNames.has(schema)) ||
  (typeof schema === 'object' && schema !== null && '$ref' in schema)

const rules: readonly Rule[] = [
  {
    field: 'Transport',
    broken: ({ direction, transport }) => (direction === 'input' ? transport.open : transport.create) === undefined,
    sentence: ({ direction, transport }) => `transport ${transport.type} has no meaning as an ${direction}`,
  },
  {
    field: 'Loop',
    broken: (each) => isInput(each) && each.loop && each.transport.seekable === false,
    sentence: ({ transport }) => `transport ${transport.type} cannot be read again from its start, so it cannot loop`,
  },
  {
    field: 'Loop',
    broken: (each) => isInput(each) && each.loop && each.transportOptions.Follow === true,
    sentence: () => 'a file that is followed has no end, so it cannot loop',
  },
  {
    field: 'Loop',
    broken: (each) => isInput(each) && each.loop && isKafka(each) && each.transportOptions.Group !== null,
    sentence: () => 'Loop reads from the start again, which a Group does not: leave out Loop, or Group',
  },
  {
    field: 'SkipTo',
    broken: (each) =>
      isInput(each) && each.skipTo !== null && (each.transport.seekable !== 'bytes' || keepsBoundaries(each)),
    sentence: ({ transport }) => `transport ${transport.type} has no byte offsets to skip to; use SkipToRecord`,
  },
  {
    field: 'SkipTo',
    broken: (each) => each.skipTo !== null && each.skipToRecord !== null && !isKafka(each),
    sentence: () => 'SkipTo and SkipToRecord exclude each other',
  },
  {
    field: 'SkipToRecord',
    broken: (each) => isInput(each) && typeof each.skipToRecord === 'string' && !isKafka(each),
    sentence: ({ skipToRecord }) => `'${skipToRecord}' belongs to kafka; give the number of a record`,
  },
  {
    field: 'SkipToRecord',
    broken: (each) => isInput(each) && isKafka(each) && each.skipToRecord === null,
    sentence: () => "a kafka stream has to start somewhere: give 'earliest', 'latest' or an offset",
  },
  {
    field: 'Envelope',
    level: 'warning',
    broken: (each) => each.envelope !== 'null' && keepsBoundaries(each),
    sentence: ({ transport }) => `transport ${transport.type} keeps messages apart by itself: the envelope is not used`,
  },
  {
    field: 'Envelope',
    broken: ({ envelope, encoding }) =>
      envelope === 'delimited' && (encoding === 'avro-binary' || encoding === 'msgpack'),
    sentence: ({ encoding }) => `${encoding} records may contain the separator; leave the envelope out`,
  },
  {
    field: 'Envelope',
    broken: ({ envelope, encoding }) => envelope === 'ocf-block' && encoding !== 'avro-binary',
    sentence: () => 'ocf-block holds Avro records: the encoding must be avro-binary',
  },
  {
    field: 'Envelope',
    broken: ({ envelope, encoding }) => envelope === 'delimited-csv' && encoding !== 'csv',
    sentence: () => 'delimited-csv holds lines of CSV: the encoding must be csv',
  },
  {
    field: 'Envelope',
    broken: ({ envelope, encoding }) => encoding === 'csv' && envelope !== 'delimited-csv' && envelope !== 'null',
    sentence: ({ envelope }) =>
      `csv may have line breaks inside quotes, which ${envelope} would cut; use delimited-csv`,
  },
  {
    field: 'Schema',
    broken: ({ encoding, schema }) => encoding === 'avro-binary' && schema === null,
    sentence: () => 'avro-binary cannot be read or written without a schema',
  },
  {
    field: 'Schema',
    broken: (each) =>
      each.encoding === 'csv' &&
      !isType(each.schema, 'record') &&
      !isReference(each.schema) &&
      !(each.schema === null && isInput(each) && each.envelopeOptions.SkipHeader === true),
    sentence: () => 'csv needs a record schema, or, as an input, a header line',
  },
  {
    field: 'Schema',
    level: 'warning',
    broken: ({ encoding, schema }) =>
      encoding === 'null' &&
      schema !== null &&
      !isReference(schema) &&
      !isType(schema, 'bytes') &&
      !isType(schema, 'string'),
    sentence: () =>
      'without an encoding a record is a text, or bytes with the schema "bytes"; no other schema will fit',
  },
  {
    field: 'Schema',
    level: 'warning',
    broken: ({ encoding, schema }) =>
      encoding === 'utf-8' && schema !== null && !isReference(schema) && !isType(schema, 'string'),
    sentence: () => 'a utf-8 record is a text; no other schema than "string" will fit',
  },
  {
    field: 'DeadLetter',
    broken: ({ onError, deadLetter }) => onError === 'dead-letter' && deadLetter === null,
    sentence: () => 'OnError is dead-letter, so DeadLetter must name the stream for rejected records',
  },
  {
    field: 'DeadLetter',
    broken: ({ onError, deadLetter }) => onError !== 'dead-letter' && deadLetter !== null,
    sentence: ({ onError }) => `OnError is ${onError}, so nothing would go to DeadLetter; set OnError to dead-letter`,
  },
  {
    field: 'Delivery',
    broken: (each) => each.delivery === 'exactly-once' && !isKafka(each),
    sentence: ({ transport }) =>
      `exactly-once needs kafka at both ends; transport ${transport.type} has no transactions`,
  },
]

/** `pointers` lead to the fields as they were written; a default that breaks a rule is shown at the top. */
export function applyRules(descriptor: Descriptor, pointers: ReadonlyMap<string, string>, remarks: Remarks): void {
  for (const { field, level, broken, sentence } of rules) {
    if (!broken(descriptor)) continue
    const pointer = pointers.get(field) ?? ''
    if (level === 'warning') remarks.warning(pointer, sentence(descriptor))
    else remarks.problem(pointer, sentence(descriptor))
  }
  const pointer = pointers.get('Transport') ?? ''
  for (const sentence of descriptor.transport.check?.(descriptor.transportOptions, descriptor.direction) ?? []) {
    remarks.problem(pointer, sentence)
  }
}
