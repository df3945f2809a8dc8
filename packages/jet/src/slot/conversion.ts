// Values of one type as values of another, by Avro's rules of resolution: two types go in, a function comes out.
import {
  type AvroType,
  compatible,
  compileBinary,
  compileConvert,
  compileResolve,
  isPlainUnion,
  type RecordType,
  sameType,
  type UnionType,
} from '@pitot/avro'

/** Throws an `AvroError` for a value that the other type cannot hold. */
export type Conversion = (value: unknown) => unknown

/**
 * From values of `writer` to values of `reader`; undefined when they can be handed on as they are. Throws an `AvroError`
 * when no value of the one could be read as the other.
 */
export function compileConversion(writer: AvroType, reader: AvroType): Conversion | undefined {
  if (sameType(writer, reader) || isWider(writer, reader)) return undefined
  if (compatible(writer, reader).length === 0 && matchesByName(writer, reader, new Map())) {
    return compileConvert(reader, { extra: 'ignore' })
  }
  // The rules in full are those of data at rest: written as the one, read as the other.
  const { encode } = compileBinary(writer)
  const { decode } = compileResolve(writer, reader)
  return (value) => decode(encode(value))
}

/** Numbers that look the same in both types. A long may be a bigint, and a float has to be rounded: those are converted. */
function isWider(writer: AvroType, reader: AvroType): boolean {
  return (
    (writer.kind === 'int' && (reader.kind === 'long' || reader.kind === 'double')) ||
    (writer.kind === 'float' && reader.kind === 'double')
  )
}

/** Pairs that are being looked at already: recursive types come to an end when they meet themselves. */
type Assumed = Map<AvroType, Set<AvroType>>

/**
 * Whether converting each value by the reader's type alone gives what the rules want. Not so where an alias renames, where a
 * symbol gives way to a default, where text becomes bytes, and where a record in a union could be taken for a tagged value.
 */
function matchesByName(writer: AvroType, reader: AvroType, assumed: Assumed): boolean {
  if (writer.kind === 'union' || reader.kind === 'union') {
    return writer.kind === 'union' && reader.kind === 'union' && unionMatches(writer, reader, assumed)
  }
  if (writer.kind === 'array' && reader.kind === 'array') return matchesByName(writer.items, reader.items, assumed)
  if (writer.kind === 'map' && reader.kind === 'map') return matchesByName(writer.values, reader.values, assumed)
  if (writer.kind === 'record' && reader.kind === 'record') return recordMatches(writer, reader, assumed)
  if (writer.kind === 'enum' && reader.kind === 'enum') {
    return writer.symbols.every((symbol) => reader.symbols.includes(symbol))
  }
  return writer.kind === reader.kind || (isNumber(writer) && isNumber(reader))
}

function unionMatches(writer: UnionType, reader: UnionType, assumed: Assumed): boolean {
  const pairs = writer.branches.length === reader.branches.length && isPlainUnion(writer) && isPlainUnion(reader)
  if (!pairs || writer.branches.some((branch) => branch.kind === 'record')) return false
  return writer.branches.every((branch, index) => matchesByName(branch, reader.branches[index]!, assumed))
}

function recordMatches(writer: RecordType, reader: RecordType, assumed: Assumed): boolean {
  const others = assumed.get(writer) ?? new Set()
  if (others.has(reader)) return true
  assumed.set(writer, others.add(reader))
  return reader.fields.every((field) => {
    const written = writer.fields.find((each) => each.name === field.name)
    if (written !== undefined) return matchesByName(written.type, field.type, assumed)
    return !writer.fields.some((each) => field.aliases?.includes(each.name))
  })
}

function isNumber({ kind }: AvroType): boolean {
  return kind === 'int' || kind === 'long' || kind === 'float' || kind === 'double'
}
