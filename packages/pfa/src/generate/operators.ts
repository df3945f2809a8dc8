// Arithmetic, comparison and logic written out in place: checked int32, exact longs, doubles without any call.
import { type AvroType, type Code, code } from '@pitot/avro'
import type { CallLibrary, Typed } from '../check/typed.ts'
import { floorModulo, power } from '../library/core.ts'
import { comparator, equality } from '../runtime/compare.ts'
import * as longs from '../runtime/longs.ts'
import { compare as compareStrings } from '../runtime/strings.ts'
import { writeValue, writeValues } from './expressions.ts'
import type { Inliner } from './functions.ts'
import { complex, type FunctionWriter, type Piece, simple } from './writer.ts'

function operands(node: CallLibrary, writer: FunctionWriter): [Piece, Piece] {
  const [x, y] = writeValues(node.args as Typed[], writer)
  return [x as Piece, y as Piece]
}

interface Arithmetic {
  /** The exact result of two ints as a double; the int32 check follows. */
  readonly int?: (x: Code, y: Code) => Code
  readonly long: (x: longs.Long, y: longs.Long) => longs.Long | undefined
  readonly double: (x: Code, y: Code, writer: FunctionWriter) => Code
  readonly overflow: number
  readonly byZero?: number
}

const binary: Readonly<Record<string, Arithmetic>> = {
  '+': { int: (x, y) => code`${x} + ${y}`, long: longs.add, double: (x, y) => code`(${x} + ${y})`, overflow: 18000 },
  '-': {
    int: (x, y) => code`${x} - ${y}`,
    long: longs.subtract,
    double: (x, y) => code`(${x} - ${y})`,
    overflow: 18010,
  },
  '*': {
    int: (x, y) => code`${x} * ${y}`,
    long: longs.multiply,
    double: (x, y) => code`(${x} * ${y})`,
    overflow: 18020,
  },
  '%': {
    long: longs.modulo,
    double: (x, y, writer) => code`${writer.program.constant(floorModulo, 'modulo')}(${x}, ${y})`,
    overflow: 18060,
    byZero: 18060,
  },
  '%%': { long: longs.remainder, double: (x, y) => code`(${x} % ${y})`, overflow: 18070, byZero: 18070 },
  '**': {
    long: longs.power,
    double: (x, y, writer) => code`${writer.program.constant(power, 'power')}(${x}, ${y})`,
    overflow: 18080,
  },
}

/** Code that fails with one of the function's errors. */
const error = (node: CallLibrary, errorCode: number, writer: FunctionWriter): Code =>
  writer.program.libraryError(node.name, errorCode, node.at)

const arithmetic =
  (row: Arithmetic): Inliner =>
  (node, writer) => {
    switch (node.type.kind) {
      case 'int':
        return row.int === undefined ? intRemainder(node, writer) : checkedInt(row.int, row.overflow, node, writer)
      case 'long':
        return checkedLong(row, node, writer)
      case 'float': {
        const [x, y] = operands(node, writer)
        return complex(code`Math.fround(${row.double(x.code, y.code, writer)})`)
      }
      default: {
        const [x, y] = operands(node, writer)
        return complex(row.double(x.code, y.code, writer))
      }
    }
  }

function checkedInt(
  operate: (x: Code, y: Code) => Code,
  overflow: number,
  node: CallLibrary,
  writer: FunctionWriter,
): Piece {
  const [x, y] = operands(node, writer)
  const exact = writer.names.name('t')
  const result = writer.names.name('n')
  writer.line(code`const ${exact} = ${operate(x.code, y.code)};`)
  writer.line(code`const ${result} = ${exact} | 0;`) // also turns -0 into 0
  writer.line(code`if (${result} !== ${exact}) throw ${error(node, overflow, writer)}();`)
  return simple(result)
}

function intRemainder(node: CallLibrary, writer: FunctionWriter): Piece | undefined {
  if (node.name === '**') return undefined
  const pieces = operands(node, writer)
  const x = writer.keep(pieces[0])
  const y = writer.keep(pieces[1])
  const byZero = binary[node.name]?.byZero ?? 0
  writer.line(code`if (${y.code} === 0) throw ${error(node, byZero, writer)}();`)
  if (node.name === '%%') return complex(code`(${x.code} % ${y.code} | 0)`)
  const rest = writer.keep(complex(code`(${x.code} % ${y.code} | 0)`))
  return complex(code`(${rest.code} !== 0 && (${rest.code} ^ ${y.code}) < 0 ? ${rest.code} + ${y.code} : ${rest.code})`)
}

function checkedLong(row: Arithmetic, node: CallLibrary, writer: FunctionWriter): Piece {
  let [x, y] = operands(node, writer)
  if (row.byZero !== undefined) {
    x = writer.keep(x)
    y = writer.keep(y)
    writer.line(code`if (${y.code} === 0) throw ${error(node, row.byZero, writer)}();`)
  }
  const result = writer.keep(complex(code`${writer.program.constant(row.long, 'long')}(${x.code}, ${y.code})`))
  writer.line(code`if (${result.code} === undefined) throw ${error(node, row.overflow + 1, writer)}();`)
  return result
}

const wholeDivision: Inliner = (node, writer) => {
  const pieces = operands(node, writer)
  const x = writer.keep(pieces[0])
  const y = writer.keep(pieces[1])
  writer.line(code`if (${y.code} === 0) throw ${error(node, 18040, writer)}();`)
  return complex(code`(${x.code} / ${y.code} | 0)`)
}

// ---- comparison

const isNumberLiteral = (node: Typed | undefined): boolean =>
  node?.kind === 'constant' && typeof node.value === 'number' && !Number.isNaN(node.value)

/** NaN equals NaN and is greater than every other number; where one side is a number we know, a plain operator does. */
const doubleComparisons: Readonly<Record<string, (x: Code, y: Code, xKnown: boolean, yKnown: boolean) => Code>> = {
  '<': (x, y, _, yKnown) => (yKnown ? code`(${x} < ${y})` : code`(${x} < ${y} || (${y} !== ${y} && ${x} === ${x}))`),
  '<=': (x, y, _, yKnown) => (yKnown ? code`(${x} <= ${y})` : code`(${x} <= ${y} || ${y} !== ${y})`),
  '>': (x, y, xKnown) => (xKnown ? code`(${x} > ${y})` : code`(${x} > ${y} || (${x} !== ${x} && ${y} === ${y}))`),
  '>=': (x, y, xKnown) => (xKnown ? code`(${x} >= ${y})` : code`(${x} >= ${y} || ${x} !== ${x})`),
  '==': (x, y, xKnown, yKnown) =>
    xKnown || yKnown ? code`(${x} === ${y})` : code`(${x} === ${y} || (${x} !== ${x} && ${y} !== ${y}))`,
  '!=': (x, y, xKnown, yKnown) =>
    xKnown || yKnown ? code`(${x} !== ${y})` : code`(${x} !== ${y} && (${x} === ${x} || ${y} === ${y}))`,
}

const plainComparisons: Readonly<Record<string, (x: Code, y: Code) => Code>> = {
  '<': (x, y) => code`(${x} < ${y})`,
  '<=': (x, y) => code`(${x} <= ${y})`,
  '>': (x, y) => code`(${x} > ${y})`,
  '>=': (x, y) => code`(${x} >= ${y})`,
  '==': (x, y) => code`(${x} === ${y})`,
  '!=': (x, y) => code`(${x} !== ${y})`,
}

const comparison: Inliner = (node, writer) => {
  const type = node.params[0] as AvroType
  const plain = plainComparisons[node.name]
  const [x, y] = operands(node, writer)
  const isEquality = node.name === '==' || node.name === '!='
  switch (type.kind) {
    case 'int':
    case 'long':
      return complex((plain as (x: Code, y: Code) => Code)(x.code, y.code))
    case 'float':
    case 'double':
      return compareDoubles(node, x, y, writer)
    case 'boolean':
    case 'string':
    case 'enum':
      if (isEquality) return complex((plain as (x: Code, y: Code) => Code)(x.code, y.code))
  }
  if (isEquality) {
    const equal = writer.program.constant(equality(type), 'equal')
    return complex(node.name === '==' ? code`${equal}(${x.code}, ${y.code})` : code`!${equal}(${x.code}, ${y.code})`)
  }
  const order = type.kind === 'string' ? compareStrings : comparator(type)
  const compared = code`${writer.program.constant(order, 'order')}(${x.code}, ${y.code})`
  return complex((plain as (x: Code, y: Code) => Code)(compared, code`0`))
}

function compareDoubles(node: CallLibrary, x: Piece, y: Piece, writer: FunctionWriter): Piece {
  const [first, second] = node.args as Typed[]
  const write = doubleComparisons[node.name]
  const known = [isNumberLiteral(first), isNumberLiteral(second)] as const
  const [left, right] = keepBoth(x, y, writer)
  return complex(write === undefined ? code`false` : write(left, right, known[0], known[1]))
}

/** Both values under names, the first one first. */
function keepBoth(x: Piece, y: Piece, writer: FunctionWriter): [Code, Code] {
  const left = writer.keep(x)
  return [left.code, writer.keep(y).code]
}

const extreme: Inliner = (node, writer) => {
  const { kind } = node.type
  if (kind !== 'int' && kind !== 'long' && kind !== 'float' && kind !== 'double') return undefined
  const [x, y] = keepBoth(...operands(node, writer), writer)
  if (kind === 'int' || kind === 'long')
    return complex(node.name === 'max' ? code`(${x} >= ${y} ? ${x} : ${y})` : code`(${x} <= ${y} ? ${x} : ${y})`)
  return complex(
    node.name === 'max'
      ? code`(${x} >= ${y} || ${x} !== ${x} ? ${x} : ${y})`
      : code`(${x} <= ${y} || ${y} !== ${y} ? ${x} : ${y})`,
  )
}

// ---- logic

/** The second operand is evaluated only when the first does not decide. */
const shortCircuit: Inliner = (node, writer) => {
  const [first, second] = node.args as Typed[]
  const x = writeValue(first as Typed, writer)
  const rest = writer.inner()
  const y = writeValue(second as Typed, rest)
  const and = node.name === '&&'
  if (rest.lines.length === 0) return complex(and ? code`(${x.code} && ${y.code})` : code`(${x.code} || ${y.code})`)
  const result = writer.names.name('r')
  writer.line(code`let ${result} = ${x.code};`)
  rest.finish(y, { kind: 'assign', target: result })
  writer.line(and ? code`if (${result}) { ${rest.body} }` : code`if (!${result}) { ${rest.body} }`)
  return simple(result)
}

const negation: Inliner = (node, writer) => {
  if (node.type.kind !== 'float' && node.type.kind !== 'double') return undefined
  const [x] = writeValues(node.args as Typed[], writer)
  return complex(code`(-${(x as Piece).code})`)
}

const bits: Readonly<Record<string, (x: Code, y: Code) => Code>> = {
  '&': (x, y) => code`(${x} & ${y})`,
  '|': (x, y) => code`(${x} | ${y})`,
  '^': (x, y) => code`(${x} ^ ${y})`,
}

const plainOperators: Readonly<Record<string, (x: Code, y: Code) => Code>> = {
  '^^': (x, y) => code`(${x} !== ${y})`,
  '/': (x, y) => code`(${x} / ${y})`,
}

const plainBinary =
  (write: (x: Code, y: Code) => Code): Inliner =>
  (node, writer) => {
    const [x, y] = operands(node, writer)
    return complex(write(x.code, y.code))
  }

const plainUnary =
  (write: (x: Code) => Code): Inliner =>
  (node, writer) => {
    const [x] = writeValues(node.args as Typed[], writer)
    return complex(write((x as Piece).code))
  }

/** Longs go through the library, which knows what does not fit in 32 bits. */
const intsOnly =
  (inliner: Inliner): Inliner =>
  (node, writer) =>
    node.type.kind === 'int' ? inliner(node, writer) : undefined

export const operators: Readonly<Record<string, Inliner>> = {
  ...Object.fromEntries(Object.entries(binary).map(([name, row]) => [name, arithmetic(row)])),
  ...Object.fromEntries(Object.keys(plainComparisons).map((name) => [name, comparison])),
  ...Object.fromEntries(Object.entries(bits).map(([name, write]) => [name, intsOnly(plainBinary(write))])),
  ...Object.fromEntries(Object.entries(plainOperators).map(([name, write]) => [name, plainBinary(write)])),
  max: extreme,
  min: extreme,
  '//': intsOnly(wholeDivision),
  '&&': shortCircuit,
  '||': shortCircuit,
  '!': plainUnary((x) => code`!${x}`),
  '~': intsOnly(plainUnary((x) => code`(~${x})`)),
  'u-': negation,
}
