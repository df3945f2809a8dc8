// The one way to JavaScript source in Pitot: text of the program and values go in, source in which no value can become text comes out.
//
//   const scope = new Scope()
//   const input = scope.name('input')
//   const lookup = scope.constant(new Map(), 'lookup')
//   const run = evaluate<(value: unknown) => unknown>(code`(${input}) => ${lookup}.get(${input}[${fieldName}])`, scope)

/** A piece of source. Made by `code`, `join`, `objectLiteral` and `Scope` alone. */
export class Code {
  readonly text: string

  /** @internal */
  constructor(text: string, seal: typeof SEAL) {
    if (seal !== SEAL) throw new TypeError('source is made by the tagged template `code` alone')
    this.text = text
  }
}

const SEAL = Symbol('made in code.ts')

export type Interpolated = Code | readonly Code[] | string | number | bigint | boolean | null | undefined

/** Code is put in as it is, several pieces one after the other; every other value becomes a literal. */
export function code(program: TemplateStringsArray, ...values: readonly Interpolated[]): Code {
  checkProgram(program)
  let text = program[0]!
  for (const [index, value] of values.entries()) text += sourceOf(value) + program[index + 1]!
  return new Code(text, SEAL)
}

/** Pieces with something between them: ``join(items, code`, `)``. */
export function join(pieces: readonly Code[], separator: Code): Code {
  return new Code(pieces.map((piece) => piece.text).join(separator.text), SEAL)
}

/** `{ "a": …, "b": … }` with exactly these own properties, `__proto__` among them like any other. */
export function objectLiteral(entries: readonly (readonly [key: string, value: Code])[]): Code {
  // In a literal a plain `__proto__` key sets the prototype, a computed one is a property.
  const properties = entries.map(([key, value]) =>
    key === '__proto__' ? code`[${key}]: ${value}` : code`${key}: ${value}`,
  )
  return code`({ ${join(properties, code`, `)} })`
}

/** Hands out identifiers, and carries the values that source refers to but cannot spell. */
export class Scope {
  #count = 0
  readonly #constants = new Map<unknown, Code>()

  /** A new identifier. The word before the number is for readers of the source only. */
  name(word = 'v'): Code {
    if (!/^[A-Za-z]+$/.test(word)) throw new TypeError(`an identifier starts with letters, not ${JSON.stringify(word)}`)
    return new Code(`${word}${++this.#count}`, SEAL)
  }

  /** The identifier of this very value; the same value given again has the same identifier. */
  constant(value: unknown, word = 'c'): Code {
    let name = this.#constants.get(value)
    if (name === undefined) {
      name = this.name(word)
      this.#constants.set(value, name)
    }
    return name
  }

  constants(): ReadonlyMap<unknown, Code> {
    return this.#constants
  }
}

/** Runs an expression in the scope of its constants and of the globals, and gives its value. */
export function evaluate<Value>(expression: Code, scope: Scope): Value {
  const constants = scope.constants()
  const names = [...constants.values()].map((name) => name.text)
  const run = new Function(...names, `'use strict'; return (${expression.text})`)
  return run(...constants.keys()) as Value
}

let evaluates: boolean | undefined

/** False on pages whose content policy forbids generated code. */
export function canEvaluate(): boolean {
  if (evaluates === undefined) {
    try {
      evaluates = evaluate<boolean>(code`true`, new Scope())
    } catch {
      evaluates = false
    }
  }
  return evaluates
}

function sourceOf(value: Interpolated): string {
  if (value instanceof Code) return value.text
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      return numberSource(value)
    case 'bigint':
      return value < 0n ? `(${value}n)` : ` ${value}n`
    case 'boolean':
      return ` ${value}`
    case 'undefined':
      return '(void 0)'
    case 'object':
      if (value === null) return ' null'
      if (Array.isArray(value) && value.every((piece) => piece instanceof Code)) {
        return value.map((piece) => piece.text).join('\n')
      }
  }
  throw new TypeError(`a ${typeof value} has no literal: pass it by scope.constant()`)
}

/** Also safe inside a script element and in engines that end a line at U+2028 or U+2029. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[<\u2028\u2029]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** The space keeps `v${1}` from making an identifier, the parentheses keep `-${-1}` from making a decrement. */
function numberSource(value: number): string {
  if (Number.isNaN(value)) return '(0/0)'
  if (value === Number.POSITIVE_INFINITY) return '(1/0)'
  if (value === Number.NEGATIVE_INFINITY) return '(-1/0)'
  return value < 0 || Object.is(value, -0) ? `(-${-value})` : ` ${value}`
}

const checked = new WeakSet<TemplateStringsArray>()

/** A literal inside quotes or comments of the program would not be a literal any more, so these may not enclose one. */
function checkProgram(program: TemplateStringsArray): void {
  if (checked.has(program)) return
  if (!Object.isFrozen(program) || !Object.isFrozen(program.raw)) throw new TypeError('`code` is a tag, not a function')
  for (const text of program) {
    const bare = text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '')
    if (/["'`]|\/\/|\/\*/.test(bare)) {
      throw new TypeError(`open quotes, backticks and comments cannot be in generated code: ${text}`)
    }
  }
  checked.add(program)
}
