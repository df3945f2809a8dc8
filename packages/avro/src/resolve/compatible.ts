// Whether data written with one schema can be read with another: two types go in, every reason why not comes out.
import { type Mismatch, pointTo } from '../error.ts'
import type { AvroType, EnumType, Field, NamedType, RecordType, UnionType } from '../type.ts'
import { shortName } from '../value/words.ts'

/**
 * Avro's rules of schema resolution. Empty when every value of `writer` can be read as `reader`. A pointer leads to a
 * field as in a value: names of fields, `*` for the items of an array and the values of a map.
 */
export function compatible(writer: AvroType, reader: AvroType): Mismatch[] {
  return compare(writer, reader, '', new Map())
}

/** What a written kind may become, besides itself. */
export const PROMOTIONS: Readonly<Partial<Record<AvroType['kind'], readonly AvroType['kind'][]>>> = {
  int: ['long', 'float', 'double'],
  long: ['float', 'double'],
  float: ['double'],
  string: ['bytes'],
  bytes: ['string'],
}

/** Pairs whose comparison is under way: recursive types come to an end when they meet themselves. */
type Assumed = Map<AvroType, Set<AvroType>>

function compare(writer: AvroType, reader: AvroType, pointer: string, assumed: Assumed): Mismatch[] {
  if (writer === reader) return []
  if (writer.kind === 'union') return writer.branches.flatMap((branch) => compare(branch, reader, pointer, assumed))
  if (reader.kind === 'union') return compareWithUnion(writer, reader, pointer, assumed)
  if (writer.kind === 'array' && reader.kind === 'array') {
    return compare(writer.items, reader.items, pointTo(pointer, '*'), assumed)
  }
  if (writer.kind === 'map' && reader.kind === 'map') {
    return compare(writer.values, reader.values, pointTo(pointer, '*'), assumed)
  }
  if (isNamed(writer) && isNamed(reader) && writer.kind === reader.kind) {
    return compareNamed(writer, reader, pointer, assumed)
  }
  if (writer.kind === reader.kind || PROMOTIONS[writer.kind]?.includes(reader.kind)) return []
  return [{ pointer, found: `${shortName(writer)} in the data`, expected: `what can be read as ${shortName(reader)}` }]
}

function compareWithUnion(writer: AvroType, reader: UnionType, pointer: string, assumed: Assumed): Mismatch[] {
  if (branchFor(writer, reader, assumed) !== undefined) return []
  // The branch of the same kind is the one that was meant: its reasons say more than that none fits.
  const meant = reader.branches.find((each) => each.kind === writer.kind)
  if (meant !== undefined) return compare(writer, meant, pointer, assumed)
  return [{ pointer, found: `${shortName(writer)} in the data`, expected: `what can be read as ${shortName(reader)}` }]
}

/** The branch of the reader's union that takes such data: one of the same kind and name first, then the first that can. */
export function branchFor(writer: AvroType, reader: UnionType, assumed: Assumed = new Map()): AvroType | undefined {
  // What a branch that does not fit has assumed is not true: each is tried on a copy.
  const fits = reader.branches.filter((branch) => {
    const trial = new Map(Array.from(assumed, ([type, others]) => [type, new Set(others)]))
    return compare(writer, branch, '', trial).length === 0
  })
  const exact = fits.find(
    (branch) => branch.kind === writer.kind && (!isNamed(branch) || branch.name === (writer as NamedType).name),
  )
  return exact ?? fits[0]
}

function compareNamed(writer: NamedType, reader: NamedType, pointer: string, assumed: Assumed): Mismatch[] {
  const others = assumed.get(writer) ?? new Set()
  if (others.has(reader)) return []
  assumed.set(writer, others.add(reader))
  if (!sameName(writer, reader)) {
    return [
      { pointer, found: `${shortName(writer)} in the data`, expected: `${shortName(reader)}, or one of its aliases` },
    ]
  }
  if (writer.kind === 'record') return compareFields(writer, reader as RecordType, pointer, assumed)
  if (writer.kind === 'enum') return compareSymbols(writer, reader as EnumType, pointer)
  const [found, expected] = [writer.size, (reader as typeof writer).size].map((size) => `${size} bytes`) as [
    string,
    string,
  ]
  return found === expected ? [] : [{ pointer, found: `${found} in the data`, expected }]
}

function compareFields(writer: RecordType, reader: RecordType, pointer: string, assumed: Assumed): Mismatch[] {
  return reader.fields.flatMap((field): Mismatch[] => {
    const at = pointTo(pointer, field.name)
    const written = writtenField(field, writer)
    if (written !== undefined) return compare(written.type, field.type, at, assumed)
    if ('default' in field) return []
    const hint = 'give the field a default, or an alias that the data has'
    return [
      { pointer: at, found: 'no such field in the data', expected: `${shortName(field.type)}, or a default`, hint },
    ]
  })
}

function compareSymbols(writer: EnumType, reader: EnumType, pointer: string): Mismatch[] {
  if (reader.default !== undefined) return []
  const unknown = writer.symbols.filter((symbol) => !reader.symbols.includes(symbol))
  if (unknown.length === 0) return []
  const found = `the symbols ${unknown.join(', ')} in the data`
  return [{ pointer, found, expected: `symbols of ${reader.name}`, hint: 'give the enum a default symbol' }]
}

/** The field of the data that a field of the reader takes: by its name, else by one of its aliases. */
export function writtenField(field: Field, writer: RecordType): Field | undefined {
  const named = (name: string) => writer.fields.find((each) => each.name === name)
  return named(field.name) ?? field.aliases?.map(named).find((each) => each !== undefined)
}

/** Avro compares the last part of names; an alias of the reader counts as its name. */
export function sameName(writer: NamedType, reader: NamedType): boolean {
  return lastPart(writer.name) === lastPart(reader.name) || (reader.aliases ?? []).includes(writer.name)
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function isNamed(type: AvroType): type is NamedType {
  return type.kind === 'record' || type.kind === 'enum' || type.kind === 'fixed'
}
