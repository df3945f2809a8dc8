// Expressions of PFA come in, PrettyPFA goes out, with parentheses only where the operators need them.
import { type DocumentObject, type DocumentValue, isList, isObject, NumberLexeme } from '../../forms/document.ts'
import { callForms } from '../../forms/pretty/calls.ts'
import { infixOperators, prefixOperators } from '../../forms/pretty/expressions.ts'
import type { Scope } from '../../forms/pretty/scope.ts'
import { type Scalar, scalarText } from '../inline.ts'
import { type FormPrinter, formPrinters } from './forms.ts'
import {
  bracketed,
  dataText,
  fits,
  indented,
  isDottedName,
  isIdentifier,
  isReserved,
  keyText,
  quote,
  width,
} from './text.ts'
import type { TypePrinter } from './types.ts'

/** How tightly a text holds together: assignments, then what extends to the right, then operators, then atoms. */
export const power = { assignment: -1, open: 0, negative: 11, atom: 100 } as const

export interface Printed {
  readonly text: string
  readonly power: number
}

const infix: ReadonlyMap<string, { symbol: string; power: number; chains: boolean }> = new Map(
  [...infixOperators].map(([symbol, operator]) => [
    operator.call,
    { symbol, power: operator.power, chains: operator.chains },
  ]),
)
const prefix: ReadonlyMap<string, { symbol: string; power: number }> = new Map(
  [...prefixOperators].map(([symbol, operator]) => [operator.call, { symbol, power: operator.power }]),
)

export class ExpressionPrinter {
  readonly scope: Scope
  readonly types: TypePrinter

  constructor(scope: Scope, types: TypePrinter) {
    this.scope = scope
    this.types = types
  }

  /** The text in a place that needs at least this power. */
  text(value: DocumentValue, least: number = power.open): string {
    const printed = this.print(value)
    return printed.power >= least ? printed.text : bracketed('(', [printed.text], ')')
  }

  print(value: DocumentValue): Printed {
    if (typeof value === 'string') return this.#symbol(value)
    if (isList(value))
      return value.length === 1 && typeof value[0] === 'string' ? atom(quote(value[0])) : this.escape(value)
    if (!isObject(value)) {
      const text = scalarText(value as Scalar, quote)
      return { text, power: text.startsWith('-') ? power.negative : power.atom }
    }
    return this.#object(value)
  }

  /** What PrettyPFA has no words for stays PFA's JSON. */
  escape(value: DocumentValue): Printed {
    return atom(bracketed('pfa(', [dataText(value)], ')'))
  }

  #object(value: DocumentObject): Printed {
    const keys = Object.keys(value).filter((key) => key !== '@')
    for (const [key, print] of formPrinters) {
      if (keys.includes(key)) return this.#form(value, keys, print)
    }
    if (keys.length !== 1) return this.escape(value)
    const given = value[keys[0]!]!
    const args = isList(given) ? given : [given]
    return this.#operator(keys[0]!, args) ?? this.#call(keys[0]!, args) ?? this.escape(value)
  }

  #form(value: DocumentObject, keys: readonly string[], print: FormPrinter): Printed {
    const known = keys.every((key) => print.keys.includes(key))
    return (known ? print.print(this, value) : undefined) ?? this.escape(value)
  }

  #operator(name: string, args: readonly DocumentValue[]): Printed | undefined {
    const unary = prefix.get(name)
    if (unary !== undefined && args.length === 1) {
      const operand = this.print(args[0]!)
      // Digits right after a minus would become a negative number.
      const bare = operand.power === power.atom && !/^[-\d]/.test(operand.text)
      return { text: `${unary.symbol}${bare ? operand.text : `(${operand.text})`}`, power: unary.power }
    }
    const binary = infix.get(name)
    if (binary === undefined || args.length !== 2) return undefined
    const left = this.text(args[0]!, binary.chains ? binary.power : binary.power + 1)
    const right = this.text(args[1]!, binary.power + 1)
    const space = binary.symbol === '**' ? '' : ' '
    const line = `${left}${space}${binary.symbol}${space}${right}`
    const text = line.length <= width ? line : `${left} ${binary.symbol}\n${indented(right)}`
    return { text, power: binary.power }
  }

  #call(name: string, args: readonly DocumentValue[]): Printed | undefined {
    if (!isDottedName(name) || isReserved(name) || Object.hasOwn(callForms, name)) return undefined
    return atom(
      this.arguments(
        name,
        args.map((value) => this.text(value)),
      ),
    )
  }

  /** A function in the last place may go over several lines without the others being broken. */
  arguments(name: string, args: readonly string[]): string {
    const line = `${name}(${args.join(', ')})`
    const firstLine = line.slice(0, Math.max(line.indexOf('\n'), 0))
    const hangs = firstLine !== '' && fits(firstLine) && line.endsWith('})') && args.slice(0, -1).every(fits)
    return hangs ? line : bracketed(`${name}(`, args, ')')
  }

  #symbol(name: string): Printed {
    const steps = name.split('.')
    if (!steps.every(isIdentifier)) return this.escape(name)
    return atom(
      steps.length === 1
        ? this.symbol(name)
        : this.access(
            steps[0]!,
            steps.slice(1).map((step) => ({ string: step })),
          ),
    )
  }

  /** A local name; in backquotes when the bare word would mean something else. */
  symbol(name: string): string {
    return this.#hidden(name) ? `\`${name}\`` : name
  }

  #hidden(name: string): boolean {
    const { cells, pools } = this.scope
    return isReserved(name) || cells.has(name) || pools.has(name) || this.scope.isFunction(name)
  }

  access(base: string, path: readonly DocumentValue[]): string {
    const hidden = this.#hidden(base)
    return this.path(hidden ? `\`${base}\`` : base, path, !hidden)
  }

  /** Fields by dots as long as that is possible, the rest in one bracket. */
  path(base: string, path: readonly DocumentValue[], dots: boolean): string {
    let name = base
    let dotted = 0
    while (dots && dotted < path.length) {
      const step = literalString(path[dotted]!)
      if (step === undefined || !isIdentifier(step)) break
      name += `.${step}`
      dotted += 1
    }
    // A name such as m.sqrt is a function, whatever m is.
    if (dotted > 0 && this.scope.isFunction(name)) return this.path(base, path, false)
    return dotted === path.length
      ? name
      : bracketed(
          `${name}[`,
          path.slice(dotted).map((step) => this.text(step)),
          ']',
        )
  }

  /** The expressions of a body, alone where it is short and closed, else in braces. */
  body(value: DocumentValue | undefined): string | undefined {
    const expressions = this.expressions(value)
    if (expressions === undefined) return undefined
    if (expressions.length === 1) {
      const only = this.print(expressions[0]!)
      if (only.power > power.open && fits(only.text) && !only.text.startsWith('{')) return only.text
    }
    return this.block(expressions)
  }

  /** One expression or a list of them; a list of one string is a list of one symbol here. */
  expressions(value: DocumentValue | undefined): readonly DocumentValue[] | undefined {
    if (value === undefined) return undefined
    const list = isList(value) ? value : [value]
    return list.length === 0 ? undefined : list
  }

  block(expressions: readonly DocumentValue[]): string {
    return `{\n${indented(this.sequence(expressions))}\n}`
  }

  sequence(expressions: readonly DocumentValue[]): string {
    return expressions.map((expression) => this.text(expression, power.assignment)).join(';\n')
  }

  /** `key: value` pairs of expressions. */
  members(value: DocumentValue | undefined): string[] | undefined {
    if (value === undefined || !isObject(value)) return undefined
    return Object.keys(value).map((key) => `${keyText(key)}: ${this.text(value[key]!)}`)
  }
}

export function atom(text: string): Printed {
  return { text, power: power.atom }
}

/** The text of a literal string, in either of its two forms. */
export function literalString(value: DocumentValue): string | undefined {
  if (isList(value)) return value.length === 1 && typeof value[0] === 'string' ? value[0] : undefined
  if (!isObject(value) || typeof value.string !== 'string') return undefined
  return Object.keys(value).every((key) => key === 'string' || key === '@') ? value.string : undefined
}

export function isWhole(value: DocumentValue | undefined): boolean {
  return value instanceof NumberLexeme
    ? /^-?\d+$/.test(value.text)
    : typeof value === 'bigint' || Number.isInteger(value)
}
