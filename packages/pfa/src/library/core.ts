// The functions without a prefix: arithmetic, comparison, logic, bits. Generated code mostly writes them out in place
// (generate/operators.ts); these serve references to them and the interpreter.
import type { AvroType } from '@pitot/avro'
import { comparator, compareNumbers, equality } from '../runtime/compare.ts'
import * as longs from '../runtime/longs.ts'
import { valueType } from './argument.ts'
import type { CallSite, Implementation, LibraryModule } from './library.ts'

type Long = longs.Long
type Binary<Value> = (x: Value, y: Value) => Value

/** One row per operator: what it does to ints, longs and doubles; undefined where the result does not fit. */
interface Arithmetic {
  readonly int: (x: number, y: number) => number | undefined
  readonly long: (x: Long, y: Long) => Long | undefined
  readonly double: Binary<number>
  /** The code for an int that does not fit; the next one is for a long. */
  readonly overflow: number
  /** The code for whole numbers divided by zero. */
  readonly byZero?: number
}

const asInt = (exact: number): number | undefined =>
  exact >= -2147483648 && exact <= 2147483647 ? exact | 0 : undefined

/** The remainder with the sign of the divisor. */
export function floorModulo(k: number, n: number): number {
  const rest = k % n
  return rest !== 0 && rest < 0 !== n < 0 ? rest + n : rest === 0 && n < 0 ? -0 : rest === 0 ? 0 : rest
}

/** `1` to any power and any number to the power 0 are 1, also for NaN and infinities, as IEEE 754 has it. */
export function power(x: number, y: number): number {
  if (x === 1) return 1
  if (x === -1 && (y === Number.POSITIVE_INFINITY || y === Number.NEGATIVE_INFINITY)) return 1
  return x ** y
}

const intPower = (x: number, y: number): number | undefined => {
  const exact = longs.power(x, y)
  return typeof exact === 'number' ? asInt(exact) : undefined
}

const arithmetic: Readonly<Record<string, Arithmetic>> = {
  '+': { int: (x, y) => asInt(x + y), long: longs.add, double: (x, y) => x + y, overflow: 18000 },
  '-': { int: (x, y) => asInt(x - y), long: longs.subtract, double: (x, y) => x - y, overflow: 18010 },
  '*': { int: (x, y) => asInt(x * y), long: longs.multiply, double: (x, y) => x * y, overflow: 18020 },
  '//': {
    int: (x, y) => (x / y) | 0,
    long: (x, y) => longs.divide(x, y) ?? longs.MIN_LONG,
    double: (x, y) => Math.trunc(x / y),
    overflow: 18040,
    byZero: 18040,
  },
  '%': {
    int: (x, y) => floorModulo(x, y) | 0,
    long: longs.modulo,
    double: floorModulo,
    overflow: 18060,
    byZero: 18060,
  },
  '%%': { int: (x, y) => (x % y) | 0, long: longs.remainder, double: (x, y) => x % y, overflow: 18070, byZero: 18070 },
  '**': { int: intPower, long: longs.power, double: power, overflow: 18080 },
}

function fits<Value>(
  site: CallSite,
  code: number,
  operate: (x: Value, y: Value) => Value | undefined,
  byZero?: number,
): Binary<Value> {
  return (x, y) => {
    if (byZero !== undefined && y === 0) throw site.error(byZero)
    const result = operate(x, y)
    if (result === undefined) throw site.error(code)
    return result
  }
}

const arithmeticImplementation =
  ({ int, long, double, overflow, byZero }: Arithmetic): Implementation =>
  (site) => {
    switch (site.result.kind) {
      case 'int':
        return fits(site, overflow, int, byZero)
      case 'long':
        return fits(site, overflow + 1, long, byZero)
      case 'float':
        return (x: number, y: number) => Math.fround(double(x, y))
      default:
        return double
    }
  }

const negation: Implementation = (site) => {
  switch (site.result.kind) {
    case 'int':
      return (x: number) => {
        if (x === -2147483648) throw site.error(18050)
        return (0 - x) | 0
      }
    case 'long':
      return (x: Long) => {
        const result = longs.negate(x)
        if (result === undefined) throw site.error(18051)
        return result
      }
    default:
      return (x: number) => -x
  }
}

/** Numbers have a comparison of their own, since `<` and NaN do not go together. */
const comparing =
  (holds: (order: number) => boolean): Implementation =>
  (site) => {
    const compare = orderOf(valueType(site, 0))
    return (x: unknown, y: unknown) => holds(compare(x, y))
  }

const orderOf = (type: AvroType): ((x: unknown, y: unknown) => number) =>
  type.kind === 'double' || type.kind === 'float'
    ? (compareNumbers as (x: unknown, y: unknown) => number)
    : comparator(type)

const choosing =
  (first: (order: number) => boolean): Implementation =>
  (site) => {
    const compare = orderOf(valueType(site, 0))
    return (x: unknown, y: unknown) => (first(compare(x, y)) ? x : y)
  }

const bits =
  (int: Binary<number>, long: Binary<Long>): Implementation =>
  (site) =>
    site.result.kind === 'int' ? int : long

type Maybe = boolean | null

export const core: LibraryModule = {
  ...Object.fromEntries(Object.entries(arithmetic).map(([name, row]) => [name, arithmeticImplementation(row)])),
  '/': () => (x: number, y: number) => x / y,
  'u-': negation,
  cmp: (site) => orderOf(valueType(site, 0)),
  '==': (site) => equality(valueType(site, 0)),
  '!=': (site) => {
    const equal = equality(valueType(site, 0))
    return (x: unknown, y: unknown) => !equal(x, y)
  },
  '<': comparing((order) => order < 0),
  '<=': comparing((order) => order <= 0),
  '>': comparing((order) => order > 0),
  '>=': comparing((order) => order >= 0),
  max: choosing((order) => order >= 0),
  min: choosing((order) => order <= 0),
  '&&': () => (x: boolean, y: boolean) => x && y,
  '||': () => (x: boolean, y: boolean) => x || y,
  '^^': () => (x: boolean, y: boolean) => x !== y,
  '!': () => (x: boolean) => !x,
  '&&&': () => (x: Maybe, y: Maybe) => (x === false || y === false ? false : x === null || y === null ? null : true),
  '|||': () => (x: Maybe, y: Maybe) => (x === true || y === true ? true : x === null || y === null ? null : false),
  '!!!': () => (x: Maybe) => (x === null ? null : !x),
  '&': bits((x, y) => x & y, longs.and),
  '|': bits((x, y) => x | y, longs.or),
  '^': bits((x, y) => x ^ y, longs.xor),
  '~': (site) => (site.result.kind === 'int' ? (x: number) => ~x : longs.not),
}
