// What all generated code over types shares: functions that call each other, one per type, and the count of depth.
import { type Code, code, evaluate, Scope } from './code.ts'
import { recursiveRecords } from './schema/walk.ts'
import type { AvroType, RecordType, UnionType } from './type.ts'
import { MAXIMUM_DEPTH } from './value/depth.ts'
import { UNSURE } from './value/refusal.ts'

/** Generated functions that call each other, and the one that is called from outside. */
export class FunctionSet {
  protected readonly scope = new Scope()
  /** A statement: give up, the version that explains decides. */
  protected readonly refuse = code`throw ${this.scope.constant(UNSURE, 'unsure')};`
  readonly #functions: Code[] = []
  /** The variable that counts how many recursive records we are inside of. */
  readonly #depth = this.scope.name('depth')
  readonly #recursive: ReadonlySet<RecordType>
  readonly #maximumDepth: number

  constructor(type: AvroType, maximumDepth = MAXIMUM_DEPTH) {
    this.#recursive = recursiveRecords(type)
    this.#maximumDepth = maximumDepth
  }

  /** The parameters of every function; `value` is the last one, where there is one. */
  protected parameters(value: Code): Code {
    return value
  }

  /** The function whose body `statements` gives for its value. */
  protected compile<Compiled>(statements: (value: Code) => Code): Compiled {
    const value = this.scope.name('value')
    const body = statements(value)
    const run = code`(${this.parameters(value)}) => { ${this.#depth} = 0; ${body} }`
    return evaluate(code`(() => { let ${this.#depth} = 0; ${this.#functions} return ${run}; })()`, this.scope)
  }

  /** Adds a function under a name that its body may already use. */
  protected define(name: Code, statements: (value: Code) => Code): void {
    const value = this.scope.name('value')
    const body = statements(value)
    this.#functions.push(code`function ${name}(${this.parameters(value)}) { ${body} }`)
  }

  /** Statements for the beginning and the end of a record's function; empty for records that cannot hold themselves. */
  protected counted(type: RecordType, tooDeep: Code = this.refuse): { enter: Code; leave: Code } {
    if (!this.#recursive.has(type)) return { enter: code``, leave: code`` }
    return {
      enter: code`if (++${this.#depth} > ${this.#maximumDepth}) ${tooDeep}`,
      leave: code`${this.#depth}--;`,
    }
  }
}

/** One function for each array, map, record and union in a type: a subclass says what it does with each. */
export abstract class Generator extends FunctionSet {
  readonly #names = new Map<AvroType, Code>()

  /** Bodies of functions. */
  protected abstract array(items: AvroType, value: Code): Code
  protected abstract map(values: AvroType, value: Code): Code
  protected abstract record(type: RecordType, value: Code): Code
  protected abstract union(type: UnionType, value: Code): Code

  /** The name of the function for an array, map, record or union. */
  protected functionFor(type: AvroType): Code {
    let name = this.#names.get(type)
    if (name === undefined) {
      name = this.scope.name(type.kind)
      this.#names.set(type, name)
      this.define(name, (value) => this.#body(type, value))
    }
    return name
  }

  #body(type: AvroType, value: Code): Code {
    switch (type.kind) {
      case 'array':
        return this.array(type.items, value)
      case 'map':
        return this.map(type.values, value)
      case 'record':
        return this.record(type, value)
      case 'union':
        return this.union(type, value)
      default:
        throw new TypeError(`${type.kind} needs no function`)
    }
  }
}

/** The branches with their indexes in an order that can be tested one after the other: the test for a record takes any object. */
export function recordsLast(type: UnionType): { branch: AvroType; index: number }[] {
  const branches = type.branches.map((branch, index) => ({ branch, index }))
  return branches.toSorted((a, b) => Number(a.branch.kind === 'record') - Number(b.branch.kind === 'record'))
}
