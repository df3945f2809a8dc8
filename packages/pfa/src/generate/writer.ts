// Writes the statements of one JavaScript function: checked expressions come in, lines and the code of their values go out.
import { type Code, code, join, type Scope } from '@pitot/avro'
import type { Variable } from '../check/typed.ts'
import type { ProgramWriter } from './program.ts'

/** The code of a value. `simple`: a name or literal, which may be written several times and moved past other code. */
export interface Piece {
  readonly code: Code
  readonly simple: boolean
}

export const simple = (source: Code): Piece => ({ code: source, simple: true })
export const complex = (source: Code): Piece => ({ code: source, simple: false })

/** What becomes of a value: nothing, a variable's new value, or the function's result. */
export type Sink =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'assign'; readonly target: Code }
  | { readonly kind: 'return' }

/** The variables of one JavaScript function. */
class Frame {
  readonly variables = new Map<Variable, Code>()
  captures = false
  private readonly outer: Frame | undefined

  constructor(outer: Frame | undefined) {
    this.outer = outer
  }

  find(variable: Variable): Code | undefined {
    const own = this.variables.get(variable)
    if (own !== undefined || this.outer === undefined) return own
    const found = this.outer.find(variable)
    if (found !== undefined) this.captures = true
    return found
  }
}

export class FunctionWriter {
  readonly program: ProgramWriter
  readonly names: Scope
  lines: Code[] = []
  private readonly frame: Frame

  constructor(program: ProgramWriter, frame: Frame = new Frame(undefined)) {
    this.program = program
    this.names = program.names
    this.frame = frame
  }

  /** A writer for a block inside this function: the same variables, lines of its own. */
  inner(): FunctionWriter {
    return new FunctionWriter(this.program, this.frame)
  }

  /** A writer for a function inside this function. */
  nested(): FunctionWriter {
    return new FunctionWriter(this.program, new Frame(this.frame))
  }

  /** The variables of this function that exist so far. */
  knownVariables(): ReadonlySet<Variable> {
    return new Set(this.frame.variables.keys())
  }

  /** Whether the function uses variables of functions around it. */
  get captures(): boolean {
    return this.frame.captures
  }

  line(source: Code): void {
    this.lines.push(source)
  }

  get body(): Code {
    return join(this.lines, code`\n`)
  }

  /** Keeps a value under a name, so that it is evaluated once and here. */
  keep(piece: Piece, word = 't'): Piece {
    if (piece.simple) return piece
    const name = this.names.name(word)
    this.line(code`const ${name} = ${piece.code};`)
    return simple(name)
  }

  /** A name for a variable of the document, to be declared by the caller. */
  declare(variable: Variable): Code {
    const name = this.names.name(word(variable.name))
    this.frame.variables.set(variable, name)
    return name
  }

  /** The variable is known under this code: no JavaScript variable of its own is needed. */
  alias(variable: Variable, source: Code): void {
    this.frame.variables.set(variable, source)
  }

  nameOf(variable: Variable): Code {
    const name = this.frame.find(variable) ?? this.program.globals.get(variable)
    if (name === undefined) throw new Error(`variable ${variable.name} is used before it is declared`)
    return name
  }

  /** Finishes a value: puts it where the sink says. */
  finish(piece: Piece, sink: Sink): void {
    if (sink.kind === 'return') this.line(code`return ${piece.code};`)
    else if (sink.kind === 'assign') this.line(code`${sink.target} = ${piece.code};`)
    else if (!piece.simple) this.line(code`${piece.code};`)
  }
}

/** The letters of a name: identifiers are made of these and a number, so that no name in a document becomes code. */
export const word = (name: string): string => name.replace(/[^A-Za-z]/g, '').slice(0, 20) || 'v'
