// One cell: its text and the type of its column go in, the value in Avro's JSON comes out, and the other way round.
import { type AvroType, type Branch, branchName, isPlainUnion } from '@pitot/avro'

/** Undefined when the text is no such value. What it gives is still to be converted to the type. */
export type ReadCell = (text: string) => unknown

const INTEGER = /^[+-]?\d+$/
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false }

/** Throws when the type does not fit into a cell. */
export function cellReader(type: AvroType, field: string): ReadCell {
  switch (type.kind) {
    case 'null':
      return (text) => (text === '' ? null : undefined)
    case 'boolean':
      return (text) => BOOLEANS[text.toLowerCase()]
    case 'int':
    case 'long':
      return (text) => (INTEGER.test(text) ? integer(text) : undefined)
    case 'float':
    case 'double':
      // NaN and the infinities are read by name later.
      return (text) => (NUMBER.test(text) ? Number(text) : text === '' ? undefined : text)
    case 'string':
    case 'enum':
    case 'bytes':
    case 'fixed':
      return (text) => text
    case 'union':
      return unionReader(type.branches, field)
    default:
      throw new TypeError(
        `expected a type that fits into a cell of CSV for the field ${JSON.stringify(field)}, found ${type.kind}`,
      )
  }
}

function unionReader(branches: readonly AvroType[], field: string): ReadCell {
  const readers = branches.map((branch) => ({ branch, name: branchName(branch), read: cellReader(branch, field) }))
  return (text) => {
    for (const { branch, name, read } of readers) {
      const value = read(text)
      if (value === undefined || (branch.kind === 'enum' && !branch.symbols.includes(text))) continue
      if (
        (branch.kind === 'float' || branch.kind === 'double') &&
        typeof value === 'string' &&
        !/^(NaN|nan|-?(Infinity|inf))$/.test(value)
      )
        continue
      return branch.kind === 'null' ? null : { [name]: value }
    }
    return undefined
  }
}

function integer(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text.startsWith('+') ? text.slice(1) : text)
}

/** The text of a value of a type that `cellReader` takes. */
export function cellText(type: AvroType, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (type.kind === 'union' && !isPlainUnion(type)) return cellText({ kind: 'string' }, (value as Branch).value)
  if (Object.is(value, -0)) return '-0'
  return value instanceof Uint8Array ? String.fromCharCode(...value) : String(value)
}
