// Reads data written with another schema, without generated code: two types go in, a function comes out that gives values of the reader's.
import { readIndex } from '../binary/cursor.ts'
import { minimumSize } from '../binary/minimum.ts'
import { arrayReader, interpretRead, mapReader, READ_PRIMITIVE, type Read } from '../binary/read.ts'
import { decodeUtf8 } from '../binary/utf8.ts'
import { Branch } from '../branch.ts'
import { branchName, isPlainUnion } from '../schema/union.ts'
import type { AvroType, EnumType, PrimitiveKind, RecordType, UnionType } from '../type.ts'
import { interpretConvert, setField } from '../value/convert.ts'
import { MAXIMUM_DEPTH } from '../value/depth.ts'
import { inside, Refusal } from '../value/refusal.ts'
import { describeType, shortName } from '../value/words.ts'
import { branchFor, compatible, PROMOTIONS, sameName, writtenField } from './compatible.ts'
import { compileSkip } from './skip.ts'

export class Resolver {
  depth = 0
  readonly #readers = new Map<AvroType, Map<AvroType, Read | undefined>>()

  /** Undefined when no value of the writer's type can be read. */
  reader(writer: AvroType, reader: AvroType): Read | undefined {
    const byReader = this.#readers.get(writer) ?? new Map<AvroType, Read | undefined>()
    this.#readers.set(writer, byReader)
    if (byReader.has(reader)) return byReader.get(reader)
    let made: Read | undefined
    byReader.set(reader, (cursor) => {
      if (made === undefined) throw new Refusal(`${shortName(writer)} in the data`, describeType(reader))
      return made(cursor)
    })
    made = this.#make(writer, reader)
    byReader.set(reader, made)
    return made
  }

  #make(writer: AvroType, reader: AvroType): Read | undefined {
    if (writer.kind === 'union') return this.#fromUnion(writer, reader)
    if (reader.kind === 'union') return this.#toUnion(writer, reader)
    if (writer.kind === 'array' && reader.kind === 'array') {
      const item = this.reader(writer.items, reader.items)
      return item && arrayReader(item, minimumSize(writer.items))
    }
    if (writer.kind === 'map' && reader.kind === 'map') {
      const item = this.reader(writer.values, reader.values)
      return item && mapReader(item, minimumSize(writer.values))
    }
    if (writer.kind === 'record' && reader.kind === 'record') return this.#record(writer, reader)
    if (writer.kind === 'enum' && reader.kind === 'enum') return enumReader(writer, reader)
    if (compatible(writer, reader).length > 0) return undefined
    return writer.kind === reader.kind
      ? interpretRead(writer)
      : promoted(writer.kind as PrimitiveKind, reader.kind as PrimitiveKind)
  }

  #fromUnion(writer: UnionType, reader: AvroType): Read | undefined {
    const branches = writer.branches.map((branch) => this.reader(branch, reader))
    if (branches.every((branch) => branch === undefined)) return undefined
    const [expected, wanted] = [describeType(writer), describeType(reader)]
    return (cursor) => {
      const index = readIndex(cursor, branches.length, expected)
      const read = branches[index]
      if (read === undefined) throw new Refusal(`${shortName(writer.branches[index]!)} in the data`, wanted)
      return read(cursor)
    }
  }

  #toUnion(writer: AvroType, reader: UnionType): Read | undefined {
    const branch = chosenBranch(writer, reader)
    const read = branch && this.reader(writer, branch)
    if (read === undefined || isPlainUnion(reader)) return read
    const name = branchName(branch!)
    return (cursor) => new Branch(name, read(cursor))
  }

  #record(writer: RecordType, reader: RecordType): Read | undefined {
    if (!sameName(writer, reader)) return undefined
    const taken = new Map(reader.fields.map((field) => [writtenField(field, writer)?.name, field]))
    const steps: { name: string; read: Read }[] = []
    for (const field of writer.fields) {
      const wanted = taken.get(field.name)
      const read = wanted === undefined ? compileSkip(field.type) : this.reader(field.type, wanted.type)
      if (read === undefined) return undefined
      steps.push({ name: wanted?.name ?? '', read })
    }
    const defaults = reader.fields.filter((field) => writtenField(field, writer) === undefined)
    if (defaults.some((field) => !('default' in field))) return undefined
    const fills = defaults.map((field) => ({
      name: field.name,
      json: field.default,
      convert: interpretConvert(field.type, { tags: false }),
    }))
    const order = reader.fields.map((field) => field.name)
    return (cursor) => {
      if (++this.depth > MAXIMUM_DEPTH)
        throw new Refusal('one more', `at most ${MAXIMUM_DEPTH} records inside each other`)
      const values = new Map<string, unknown>()
      for (const { name, read } of steps) {
        try {
          values.set(name, read(cursor))
        } catch (error) {
          throw inside(error, name)
        }
      }
      for (const { name, json, convert } of fills) values.set(name, convert(structuredClone(json)))
      const record = {}
      for (const name of order) setField(record, name, values.get(name))
      this.depth--
      return record
    }
  }
}

/** A branch of the same kind may take some of the values where none takes all. */
export function chosenBranch(writer: AvroType, reader: UnionType): AvroType | undefined {
  return branchFor(writer, reader) ?? reader.branches.find((each) => each.kind === writer.kind)
}

function enumReader(writer: EnumType, reader: EnumType): Read | undefined {
  if (!sameName(writer, reader)) return undefined
  const symbols = writer.symbols.map((symbol) => (reader.symbols.includes(symbol) ? symbol : reader.default))
  if (symbols.every((symbol) => symbol === undefined)) return undefined
  const expected = describeType(reader)
  return (cursor) => {
    const index = readIndex(cursor, symbols.length, expected)
    const symbol = symbols[index]
    if (symbol === undefined) throw new Refusal(`the symbol ${writer.symbols[index]} in the data`, expected)
    return symbol
  }
}

/** A value of a primitive kind read as another one that it can become. */
function promoted(from: PrimitiveKind, to: PrimitiveKind): Read {
  if (!PROMOTIONS[from]?.includes(to)) throw new TypeError(`${from} does not become ${to}`)
  const read = READ_PRIMITIVE[from] as Read
  switch (to) {
    case 'float':
      return (cursor) => Math.fround(Number(read(cursor)))
    case 'double':
      return (cursor) => Number(read(cursor))
    case 'bytes':
      return READ_PRIMITIVE.bytes
    case 'string':
      return (cursor) => {
        const bytes = READ_PRIMITIVE.bytes(cursor)
        const text = decodeUtf8(bytes, 0, bytes.length)
        if (text === undefined) throw new Refusal('bytes that are no UTF-8', 'a string')
        return text
      }
    default:
      return read
  }
}
