// A slow interpreter of numeric programs, written from the specification: the oracle of the compiler.
import { type DocumentObject, type DocumentValue, isObject, NumberLexeme } from '../../src/forms/document.ts'

export type Value =
  | { readonly type: 'int' | 'long'; readonly value: bigint }
  | { readonly type: 'double'; readonly value: number }
  | boolean
  | null

/** An error of the program, by its code. */
export class Failure extends Error {
  readonly code: number

  constructor(code: number) {
    super(`error ${code}`)
    this.code = code
  }
}

/** The specification does not say what happens. */
export class Unspecified extends Error {}

const limits = { int: 2n ** 31n, long: 2n ** 63n }
/** The first code is for ints, the next one for longs. */
const overflow: Readonly<Record<string, number>> = { '+': 18000, '-': 18010, '*': 18020, 'u-': 18050, '**': 18080 }
const byZero: Readonly<Record<string, number>> = { '//': 18040, '%': 18060, '%%': 18070 }

type Environment = Map<string, Value>

export function interpret(document: DocumentObject, input: Readonly<Record<string, Value>>): Value {
  const functions = document.fcns as unknown as Record<
    string,
    { params: Record<string, string>[]; do: DocumentValue[] }
  >
  const start: Environment = new Map(Object.entries(input).map(([field, value]) => [`input.${field}`, value]))
  return new Interpreter(functions).body(document.action as DocumentValue[], start)
}

class Interpreter {
  readonly #functions: Readonly<Record<string, { params: Record<string, string>[]; do: DocumentValue[] }>>

  constructor(functions: Readonly<Record<string, { params: Record<string, string>[]; do: DocumentValue[] }>>) {
    this.#functions = functions
  }

  /** A scope of its own: what it declares ends with it, what it changes outside stays changed. */
  body(expressions: readonly DocumentValue[], outer: Environment): Value {
    const names = new Set(outer.keys())
    let last: Value = null
    for (const expression of expressions) last = this.evaluate(expression, outer)
    for (const name of [...outer.keys()]) if (!names.has(name)) outer.delete(name)
    return last
  }

  evaluate(expression: DocumentValue, names: Environment): Value {
    if (expression instanceof NumberLexeme) return literal(expression.text)
    if (typeof expression === 'string') return names.get(expression)!
    if (typeof expression === 'boolean') return expression
    if (!isObject(expression)) throw new Error('not generated')
    for (const [key, evaluate] of Object.entries(forms)) {
      if (Object.hasOwn(expression, key)) return evaluate(this, expression, names)
    }
    const [[name, args]] = Object.entries(expression) as [[string, DocumentValue[]]]
    if (name === '&&') return this.evaluate(args[0]!, names) && this.evaluate(args[1]!, names)
    if (name === '||') return this.evaluate(args[0]!, names) || this.evaluate(args[1]!, names)
    const values = args.map((argument) => this.evaluate(argument, names))
    return name === 'u.helper' ? this.#call('helper', values) : apply(name, values)
  }

  #call(name: string, values: readonly Value[]): Value {
    const { params, do: body } = this.#functions[name]!
    return this.body(body, new Map(params.map((parameter, index) => [Object.keys(parameter)[0]!, values[index]!])))
  }

  /** All values first, then the names: declarations and changes happen in parallel. */
  assign(values: DocumentValue, names: Environment): Value {
    const computed = Object.entries(values as DocumentObject).map(
      ([name, value]) => [name, this.evaluate(value, names)] as const,
    )
    for (const [name, value] of computed) names.set(name, value)
    return null
  }
}

type Form = (interpreter: Interpreter, form: DocumentObject, names: Environment) => Value
const bodyOf = (value: DocumentValue | undefined) => value as DocumentValue[]

const forms: Readonly<Record<string, Form>> = {
  long: (_interpreter, form) => ({ type: 'long', value: BigInt((form.long as NumberLexeme).text) }),
  let: (interpreter, form, names) => interpreter.assign(form.let!, names),
  set: (interpreter, form, names) => interpreter.assign(form.set!, names),
  if: (interpreter, form, names) =>
    interpreter.body(bodyOf(interpreter.evaluate(form.if!, names) ? form.then : form.else), names),
  ifnotnull: (interpreter, form, names) => {
    const [[name, attempt]] = Object.entries(form.ifnotnull as DocumentObject) as [[string, { try: DocumentValue[] }]]
    const kept = new Map(names)
    try {
      names.set(name, interpreter.body(attempt.try, new Map(names)))
      return interpreter.body(bodyOf(form.then), names)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      for (const [key, value] of kept) names.set(key, value)
      return interpreter.body(bodyOf(form.else), names)
    } finally {
      names.delete(name)
    }
  },
  for: (interpreter, form, names) => {
    interpreter.assign(form.for!, names)
    while (interpreter.evaluate(form.while!, names)) {
      interpreter.body(bodyOf(form.do), names)
      interpreter.assign(form.step!, names)
    }
    for (const name of Object.keys(form.for as object)) names.delete(name)
    return null
  },
  foreach: (interpreter, form, names) => {
    const items = (form.in as { new: DocumentValue[] }).new.map((item) => interpreter.evaluate(item, names))
    for (const item of items) {
      names.set(form.foreach as string, item)
      interpreter.body(bodyOf(form.do), names)
    }
    names.delete(form.foreach as string)
    return null
  },
}

function literal(text: string): Value {
  return /^-?\d+$/.test(text) ? { type: 'int', value: BigInt(text) } : { type: 'double', value: Number(text) }
}

function apply(name: string, values: readonly Value[]): Value {
  if (name === '!') return !values[0]
  if (name === '/') return { type: 'double', value: toDouble(values[0]!) / toDouble(values[1]!) }
  const numbers = values as Exclude<Value, boolean | null>[]
  const types = numbers.map((number) => number.type)
  if (types.includes('double')) return onDoubles(name, numbers.map(toDouble))
  const type = types.includes('long') ? 'long' : 'int'
  return onIntegers(
    name,
    type,
    numbers.map((number) => number.value as bigint),
  )
}

function toDouble(value: Value): number {
  return Number((value as { value: bigint | number }).value)
}

function onDoubles(name: string, [x, y = 0]: number[]): Value {
  const left = x!
  if (name === '+') return { type: 'double', value: left + y }
  if (name === '-') return { type: 'double', value: left - y }
  if (name === '*') return { type: 'double', value: left * y }
  if (name === 'u-') return { type: 'double', value: -left }
  return compared(name, order(left, y))
}

/** NaN equals itself and is greater than everything; the zeros are equal. */
function order(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y))
  return x < y ? -1 : x > y ? 1 : 0
}

function onIntegers(name: string, type: 'int' | 'long', [x, y = 0n]: bigint[]): Value {
  const left = x!
  if (Object.hasOwn(byZero, name) && y === 0n) throw new Failure(byZero[name]!)
  const results: Readonly<Record<string, () => bigint>> = {
    '+': () => left + y,
    '-': () => left - y,
    '*': () => left * y,
    '//': () => left / y,
    '%': () => ((left % y) + y) % y,
    '%%': () => left % y,
    '**': () => left ** y,
    'u-': () => -left,
  }
  const compute = Object.hasOwn(results, name) ? results[name] : undefined
  if (compute === undefined) return compared(name, left < y ? -1 : left > y ? 1 : 0)
  const value = compute()
  if (value >= -limits[type] && value < limits[type]) return { type, value }
  if (!Object.hasOwn(overflow, name)) throw new Unspecified(name)
  throw new Failure(overflow[name]! + (type === 'long' ? 1 : 0))
}

function compared(name: string, sign: number): boolean {
  switch (name) {
    case '==':
      return sign === 0
    case '!=':
      return sign !== 0
    case '<':
      return sign < 0
    case '<=':
      return sign <= 0
    case '>':
      return sign > 0
    case '>=':
      return sign >= 0
  }
  throw new Error(`not generated: ${name}`)
}
