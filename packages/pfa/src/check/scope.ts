// Symbols in their scopes, and what a function body does beyond giving a value.
import type { AvroType } from '@pitot/avro'
import type { PfaType } from '../library/library.ts'
import { nearest, semanticProblem } from '../problems.ts'
import type { Schemas } from './schemas.ts'
import { type StoreInfo, type UserFunctionInfo, Variable } from './typed.ts'

/** What a body writes and calls: cell-to and pool-to must not nest, not even through functions. */
export class Effects {
  writes = false
  readonly calls = new Set<UserFunctionInfo>()
  private readonly inside: Effects[] = []

  nested(): Effects {
    const effects = new Effects()
    this.inside.push(effects)
    return effects
  }

  everyCall(): Set<UserFunctionInfo> {
    const calls = new Set(this.calls)
    for (const effects of this.inside) for (const call of effects.everyCall()) calls.add(call)
    return calls
  }

  get writesItself(): boolean {
    return this.writes || this.inside.some((effects) => effects.writesItself)
  }
}

/** What all scopes of a document share. */
export interface Surroundings {
  readonly schemas: Schemas
  readonly cells: ReadonlyMap<string, StoreInfo>
  readonly pools: ReadonlyMap<string, StoreInfo>
  readonly functions: ReadonlyMap<string, UserFunctionInfo>
  /** The output type of an `emit` document; undefined in others. */
  readonly emits: AvroType | undefined
  /** Functions that change a cell or pool in place, to be looked at when all effects are known. */
  readonly changers: { readonly effects: Effects; readonly at: string }[]
}

export interface ScopeOptions {
  /** Symbols of the scopes around can be read, not set. */
  readonly sealedAbove: boolean
  /** No new symbols. */
  readonly sealedWithin: boolean
}

export class Scope {
  readonly around: Surroundings
  readonly effects: Effects
  private readonly parent: Scope | undefined
  private readonly symbols = new Map<string, Variable>()
  private readonly options: ScopeOptions

  constructor(around: Surroundings, effects: Effects, parent: Scope | undefined, options: ScopeOptions) {
    this.around = around
    this.effects = effects
    this.parent = parent
    this.options = options
  }

  /** Where neither new symbols nor assignments are allowed: arguments, tests, paths. */
  argument(): Scope {
    return new Scope(this.around, this.effects, this, { sealedAbove: true, sealedWithin: true })
  }

  block(): Scope {
    return new Scope(this.around, this.effects, this, { sealedAbove: false, sealedWithin: false })
  }

  /** A body that may declare its own symbols but not set outer ones. */
  sealedBlock(effects: Effects = this.effects): Scope {
    return new Scope(this.around, effects, this, { sealedAbove: true, sealedWithin: false })
  }

  find(name: string): Variable | undefined {
    return this.symbols.get(name) ?? this.parent?.find(name)
  }

  get(name: string, at: string): Variable {
    const variable = this.find(name)
    if (variable === undefined)
      throw semanticProblem(at, `unknown symbol ${JSON.stringify(name)}${nearest(name, this.names())}`)
    return variable
  }

  get mayDeclare(): boolean {
    return !this.options.sealedWithin
  }

  isWritable(name: string): boolean {
    if (this.options.sealedWithin) return false
    if (this.symbols.has(name)) return true
    return !this.options.sealedAbove && this.parent !== undefined && this.parent.isWritable(name)
  }

  refuseShadowing(name: string, at: string): void {
    if (this.find(name) !== undefined)
      throw semanticProblem(at, `symbol ${JSON.stringify(name)} may not be redeclared or shadowed`)
  }

  declare(name: string, type: PfaType): Variable {
    const variable = new Variable(name, type)
    this.symbols.set(name, variable)
    return variable
  }

  private *names(): Generator<string> {
    yield* this.symbols.keys()
    if (this.parent !== undefined) yield* this.parent.names()
  }
}
