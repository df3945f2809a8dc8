// Literals and new arrays, maps and records.
import { type Code, code, join, objectLiteral, type RecordType } from '@pitot/avro'
import type { Constant, NewArray, NewMap, NewRecord } from '../check/typed.ts'
import { writeValues } from './expressions.ts'
import { complex, type FunctionWriter, type Piece, simple } from './writer.ts'

/** Values that source can spell are written out; all others are constants of the program. */
export function writeConstant(node: Constant, writer: FunctionWriter): Piece {
  const { value } = node
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint')
    return simple(code`${value}`)
  if (typeof value === 'string' && value.length < 200) return simple(code`${value}`)
  return simple(writer.program.constant(value, 'constant'))
}

export function writeNewArray(node: NewArray, writer: FunctionWriter): Piece {
  return complex(
    code`[${join(
      writeValues(node.items, writer).map((piece) => piece.code),
      code`, `,
    )}]`,
  )
}

export function writeNewMap(node: NewMap, writer: FunctionWriter): Piece {
  const pieces = writeValues(
    node.entries.map(([, value]) => value),
    writer,
  )
  const entries = node.entries.map(([key], index) => code`[${key}, ${(pieces[index] as Piece).code}]`)
  return complex(entries.length === 0 ? code`new Map()` : code`new Map([${join(entries, code`, `)}])`)
}

/** Evaluated in the order of the document, stored in the order of the type: one hidden class for all records of a type. */
export function writeNewRecord(node: NewRecord, writer: FunctionWriter): Piece {
  let pieces = writeValues(
    node.entries.map(([, value]) => value),
    writer,
  )
  const names = node.type.fields.map((field) => field.name)
  if (node.entries.some(([name], index) => name !== names[index])) pieces = pieces.map((piece) => writer.keep(piece))
  const byName = new Map(node.entries.map(([name], index) => [name, (pieces[index] as Piece).code]))
  return complex(recordLiteral(node.type, (name) => byName.get(name) as Code))
}

export const recordLiteral = (type: RecordType, value: (name: string) => Code): Code =>
  objectLiteral(type.fields.map((field) => [field.name, value(field.name)] as const))
