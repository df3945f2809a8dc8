// What a name can mean in a PrettyPFA document: its cells, pools, functions and types, and the values of replacements.
import { signatures } from '../../library/signatures.generated.ts'
import type { DocumentValue } from '../document.ts'
import type { Cursor } from './cursor.ts'
import { Places } from './draft.ts'
import type { Token } from './lexer.ts'
import type { TypeTable } from './types.ts'

/** What stands for `<<name>>`: a text is PrettyPFA where an expression is expected, anything else is PFA or data as it is. */
export class Replacements {
  readonly #values: Readonly<Record<string, DocumentValue>>

  constructor(values: Readonly<Record<string, DocumentValue>>) {
    this.#values = values
  }

  value(cursor: Cursor, token: Token): DocumentValue {
    if (Object.hasOwn(this.#values, token.text)) return this.#values[token.text]!
    throw cursor.error(token.start, `the replacement <<${token.text}>> has no value: give one, or write it out`)
  }
}

export class Scope {
  readonly cells: ReadonlySet<string>
  readonly pools: ReadonlySet<string>
  readonly types: TypeTable
  readonly replacements: Replacements
  readonly places = new Places()
  readonly #functions: ReadonlySet<string>

  constructor(
    names: { cells: Iterable<string>; pools: Iterable<string>; functions: Iterable<string> },
    types: TypeTable,
    replacements: Replacements,
  ) {
    this.cells = new Set(names.cells)
    this.pools = new Set(names.pools)
    this.#functions = new Set(names.functions)
    this.types = types
    this.replacements = replacements
  }

  isFunction(name: string): boolean {
    return this.#functions.has(name) || Object.hasOwn(signatures, name)
  }
}
