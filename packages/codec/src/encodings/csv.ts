// csv: a frame is one line of comma-separated values. The schema types the cells; the header, where there is one, names them.
import {
  type AvroType,
  type CompileOptions,
  compileCheck,
  compileConvert,
  decodeUtf8,
  explain,
  type Field,
} from '@pitot/avro'
import { cellReader, cellText, type ReadCell } from '../csv/cell.ts'
import { type CsvFormat, joinCells, splitLine } from '../csv/line.ts'
import { type Decoder, type Encoder, type Encoding, inHalves, rejectFrame } from '../encoding.ts'
import type { Frames } from '../frames.ts'
import { setOwn } from '../own.ts'
import type { Reject } from '../reject.ts'
import { encodeTexts, FrameText } from '../text.ts'

export interface CsvOptions {
  /** `,` by default. */
  readonly delimiter?: string
  /** `"` by default. */
  readonly quote?: string
  /** Names of the columns where neither a header nor a schema gives them. */
  readonly columns?: readonly string[]
}

export const csv: Encoding<CsvOptions> = {
  name: 'csv',
  decoder(type, options = {}) {
    const reader = new CsvReader(fieldsOf(type), options)
    const read: Decoder['decode'] = (frames, index, values) => reader.read(frames, index, values)
    return type === null ? { decode: read } : inHalves({ read, check: compileConvert(type, options) })
  },
  encoder: (type, options = {}) => encoderFor(fieldsOf(type), type, options),
}

/** The first line of a file with this schema. */
export function csvHeader(type: AvroType | null, options: CsvOptions = {}): string {
  const names = fieldsOf(type)?.map((field) => field.name) ?? options.columns ?? []
  return joinCells(names, formatOf(options))
}

function formatOf({ delimiter = ',', quote = '"' }: CsvOptions): CsvFormat {
  if (delimiter.length !== 1 || quote.length !== 1)
    throw new RangeError('expected one character as delimiter and as quote')
  return { delimiter, quote }
}

function fieldsOf(type: AvroType | null): readonly Field[] | undefined {
  if (type === null) return undefined
  if (type.kind !== 'record') throw new TypeError(`expected a record as schema of CSV, found ${type.kind}`)
  return type.fields
}

/** What to do with the cells, in their order; undefined for a column that the schema does not have. */
type Columns = readonly ({ name: string; read: ReadCell; hasDefault: boolean } | undefined)[]

class CsvReader {
  readonly #fields: readonly Field[] | undefined
  readonly #format: CsvFormat
  readonly #text = new FrameText()
  #header: Uint8Array | undefined
  #columns: Columns | undefined

  constructor(fields: readonly Field[] | undefined, options: CsvOptions) {
    this.#fields = fields
    this.#format = formatOf(options)
    const names = options.columns ?? fields?.map((field) => field.name)
    if (names !== undefined) this.#columns = this.#columnsFor(names)
  }

  read(frames: Frames, index: number, values: unknown[]): Reject | undefined {
    const line = this.#text.of(frames, index)
    if (line === undefined) return rejectFrame(frames, index, 'encoding', 'expected UTF-8, found other bytes')
    try {
      if (frames.header !== this.#header) this.#useHeader(frames.header!)
      values.push(this.#record(splitLine(line, this.#format)))
    } catch (error) {
      return rejectFrame(frames, index, 'encoding', (error as Error).message)
    }
    return undefined
  }

  #record(cells: readonly string[]): Record<string, unknown> {
    const columns = this.#columns
    if (columns === undefined) throw new TypeError('expected names of columns from a schema or a header, found neither')
    if (cells.length > columns.length) throw new RangeError(`expected ${columns.length} cells, found ${cells.length}`)
    const record: Record<string, unknown> = {}
    for (let index = 0; index < cells.length; index++) {
      const column = columns[index]
      if (column === undefined) continue
      const text = cells[index]!
      const value = column.read(text)
      // An empty cell leaves the field to its default; other text that does not fit is left to the schema to refuse.
      if (value === undefined && text === '' && column.hasDefault) continue
      setOwn(record, column.name, value === undefined ? text : value)
    }
    return record
  }

  #useHeader(header: Uint8Array): void {
    this.#header = header
    const line = decodeUtf8(header, 0, header.length)
    if (line === undefined) throw new TypeError('expected a header in UTF-8, found other bytes')
    this.#columns = this.#columnsFor(splitLine(line.replace(/^\ufeff/, ''), this.#format))
  }

  #columnsFor(names: readonly string[]): Columns {
    if (this.#fields === undefined) return names.map((name) => ({ name, read: (text) => text, hasDefault: false }))
    return names.map((name) => {
      const field = this.#fields!.find((each) => each.name === name)
      return field && { name, read: cellReader(field.type, name), hasDefault: 'default' in field }
    })
  }
}

function encoderFor(
  fields: readonly Field[] | undefined,
  type: AvroType | null,
  options: CsvOptions & CompileOptions,
): Encoder {
  const format = formatOf(options)
  if (fields === undefined || type === null) {
    const write = (record: unknown) =>
      joinCells(
        (options.columns ?? Object.keys(record as object)).map((name) => plainCell(record, name)),
        format,
      )
    return { encode: (records, room = 0) => encodeTexts(records, room, write) }
  }
  for (const field of fields) cellReader(field.type, field.name)
  const check = compileCheck(type, options)
  const write = (record: unknown): string => {
    const mismatch = check(record)
    if (mismatch !== undefined) throw new TypeError(explain(mismatch))
    return joinCells(
      fields.map((field) => cellText(field.type, Reflect.get(record as object, field.name))),
      format,
    )
  }
  return { encode: (records, room = 0) => encodeTexts(records, room, write) }
}

function plainCell(record: unknown, name: string): string {
  if (typeof record !== 'object' || record === null)
    throw new TypeError(`expected an object for a line of CSV, found ${String(record)}`)
  const value = Object.hasOwn(record, name) ? Reflect.get(record, name) : undefined
  return value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
}
