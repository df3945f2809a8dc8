// Well-typed numeric programs: numbers chosen by a property come in, a document of loops, conditions and arithmetic goes out.
import { type DocumentObject, type DocumentValue, NumberLexeme } from '../../src/forms/document.ts'

export type NumericType = 'int' | 'long' | 'double'
type Type = NumericType | 'boolean'

/** Valid names that mean something to JavaScript; a number after them keeps them apart. */
const stems = [
  'x',
  'if',
  'constructor',
  '__proto__',
  'arguments',
  'await',
  'this',
  'null',
  'toString',
  'eval',
  'input_',
  'env',
]

const intEdges = [0, 1, 2, 3, 7, -1, -2, 46341, 65536, 2147483647, -2147483648, -2147483647]
const longEdges = [
  '0',
  '1',
  '-1',
  '3',
  '2147483648',
  '9007199254740991',
  '9007199254740993',
  '3037000500',
  '9223372036854775807',
  '-9223372036854775808',
]
const doubleEdges = ['0.0', '1.0', '-1.5', '0.1', '1e300', '-2.5e-8', '3.0', '4503599627370497.5']

interface Variable {
  readonly name: string
  readonly type: NumericType
  readonly writable: boolean
}

/** Takes its decisions from a list of numbers, so that a failing program can be made smaller. */
export class ProgramBuilder {
  readonly #choices: readonly number[]
  #next = 0
  #names = 0
  #scope: Variable[] = [
    { name: 'input.i', type: 'int', writable: false },
    { name: 'input.l', type: 'long', writable: false },
    { name: 'input.d', type: 'double', writable: false },
  ]

  constructor(choices: readonly number[]) {
    this.#choices = choices
  }

  document(): DocumentObject {
    const output = this.#pick<NumericType>(['int', 'long', 'double'])
    const action = this.#body(output, 4)
    this.#scope = [
      { name: 'n', type: 'int', writable: false },
      { name: 'w', type: 'double', writable: false },
    ]
    const fcns = {
      helper: { params: [{ n: 'int' }, { w: 'double' }], ret: 'double', do: this.#withoutCalls('double') },
    }
    const fields = [
      { name: 'i', type: 'int' },
      { name: 'l', type: 'long' },
      { name: 'd', type: 'double' },
    ]
    return { input: { type: 'record', name: 'Input', fields }, output, action, fcns }
  }

  #choose(count: number): number {
    const choice = this.#choices[this.#next % this.#choices.length] ?? 0
    this.#next += 1
    // Past the end of the list only the simplest alternative is left, so that every program ends.
    return this.#next > this.#choices.length * 3 ? 0 : choice % count
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#choose(items.length)]!
  }

  #name(): string {
    this.#names += 1
    return `${this.#pick(stems)}${this.#names}`
  }

  #inScope<Result>(build: () => Result): Result {
    const outer = this.#scope
    this.#scope = [...outer]
    const result = build()
    this.#scope = outer
    return result
  }

  /** Statements and, last, an expression of the type. */
  #body(type: Type, depth: number): DocumentValue[] {
    return this.#inScope(() => {
      const statements: DocumentValue[] = []
      for (let count = this.#choose(4); count > 0; count -= 1) statements.push(this.#statement(depth - 1))
      statements.push(this.#expression(type, depth - 1))
      return statements
    })
  }

  #statement(depth: number): DocumentValue {
    const writable = this.#scope.filter((variable) => variable.writable)
    switch (depth <= 0 ? 0 : this.#choose(5)) {
      case 1:
        if (writable.length > 0) {
          const target = this.#pick(writable)
          return { set: one(target.name, this.#argument(target.type, depth)) }
        }
        break
      case 2: {
        const counter = this.#name()
        const loop = {
          for: one(counter, int(0)),
          while: { '<': [counter, int(this.#choose(4))] },
          step: one(counter, { '+': [counter, int(1)] }),
        }
        return this.#inScope(() => {
          this.#scope.push({ name: counter, type: 'int', writable: false })
          return { ...loop, do: this.#body('boolean', depth - 1) }
        })
      }
      case 3: {
        const then = this.#body('boolean', depth - 1)
        return { if: this.#argument('boolean', depth), then, else: this.#body('boolean', depth - 1) }
      }
      case 4: {
        const item = this.#name()
        const items = Array.from({ length: this.#choose(4) }, () => this.#literal('long'))
        const array = { type: { type: 'array', items: 'long' }, new: items }
        return this.#inScope(() => {
          this.#scope.push({ name: item, type: 'long', writable: false })
          return { foreach: item, in: array, do: this.#body('boolean', depth - 1), seq: true }
        })
      }
    }
    const variables = Array.from({ length: 1 + this.#choose(2) }, () => ({
      name: this.#name(),
      type: this.#pick<NumericType>(['int', 'long', 'double']),
      writable: true,
    }))
    const values = variables.map((variable) => [variable.name, this.#argument(variable.type, depth)])
    this.#scope.push(...variables)
    return { let: Object.fromEntries(values) }
  }

  #literal(type: NumericType): DocumentValue {
    if (type === 'int') return int(this.#pick(intEdges))
    if (type === 'long') return { long: new NumberLexeme(this.#pick(longEdges)) }
    return new NumberLexeme(this.#pick(doubleEdges))
  }

  /** Inside an argument or a condition outer variables can be read, not changed. */
  #argument(type: Type, depth: number): DocumentValue {
    return this.#inScope(() => {
      this.#scope = this.#scope.map((variable) => ({ ...variable, writable: false }))
      return this.#expression(type, depth)
    })
  }

  #test(depth: number): DocumentValue {
    return this.#argument('boolean', depth)
  }

  /** As the last expression of a body; its own bodies may change what the body may change. */
  #expression(type: Type, depth: number): DocumentValue {
    if (type === 'boolean') return this.#condition(depth)
    const variables = this.#scope.filter((variable) => variable.type === type)
    if (depth <= 0)
      return variables.length > 0 && this.#choose(3) > 0 ? this.#pick(variables).name : this.#literal(type)
    switch (this.#choose(7)) {
      case 0:
        return this.#literal(type)
      case 1:
        return variables.length > 0 ? this.#pick(variables).name : this.#literal(type)
      case 2: {
        const then = this.#body(type, depth - 1)
        return { if: this.#test(depth - 1), then, else: this.#body(type, depth - 1) }
      }
      case 3: {
        // An error inside becomes the other value.
        const name = this.#name()
        const then = [name]
        return { ifnotnull: one(name, { try: [this.#argument(type, depth - 1)] }), then, else: [this.#literal(type)] }
      }
      case 4:
        return type === 'double' && this.#callable
          ? { 'u.helper': [this.#argument('int', depth - 1), this.#argument('double', depth - 1)] }
          : { 'u-': [this.#argument(type, depth - 1)] }
      default:
        return this.#arithmetic(type, depth)
    }
  }

  #arithmetic(type: NumericType, depth: number): DocumentValue {
    if (type === 'double') {
      if (this.#choose(4) === 0)
        return {
          '/': [
            this.#argument(this.#pick(['int', 'long', 'double'] as const), depth - 1),
            this.#argument('int', depth - 1),
          ],
        }
      const other = this.#argument(this.#pick(['int', 'double'] as const), depth - 1)
      return { [this.#pick(['+', '-', '*'])]: [this.#argument('double', depth - 1), other] }
    }
    const operator = this.#pick(['+', '-', '*', '//', '%', '%%', '**'])
    if (operator === '**') return { '**': [this.#argument(type, depth - 1), int(this.#choose(5))] }
    const left = this.#argument(type, depth - 1)
    return {
      [operator]: [left, this.#argument(type === 'long' ? this.#pick(['int', 'long'] as const) : 'int', depth - 1)],
    }
  }

  #condition(depth: number): DocumentValue {
    if (depth <= 0) return this.#choose(2) === 0
    switch (this.#choose(4)) {
      case 0:
        return { '!': [this.#test(depth - 1)] }
      case 1:
        return { [this.#pick(['&&', '||'])]: [this.#test(depth - 1), this.#test(depth - 1)] }
      default: {
        const types = ['int', 'long', 'double'] as const
        const operator = this.#pick(['==', '!=', '<', '<=', '>', '>='])
        const type = this.#pick(types)
        return { [operator]: [this.#argument(type, depth - 1), this.#argument(type, depth - 1)] }
      }
    }
  }

  #callable = true

  #withoutCalls(type: NumericType): DocumentValue[] {
    this.#callable = false
    return this.#body(type, 2)
  }
}

function one(name: string, value: DocumentValue): DocumentObject {
  return Object.fromEntries([[name, value]])
}

function int(value: number): NumberLexeme {
  return new NumberLexeme(String(value))
}
