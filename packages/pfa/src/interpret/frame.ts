// The variables of one running function: a name comes in, its value goes out.
import type { Variable } from '../check/typed.ts'

/** A part of a document made ready to run. */
export type Run = (frame: Frame) => unknown

export class Frame {
  private readonly values = new Map<Variable, unknown>()
  private readonly outer: Frame | undefined

  constructor(outer: Frame | undefined) {
    this.outer = outer
  }

  get(variable: Variable): unknown {
    if (this.values.has(variable)) return this.values.get(variable)
    if (this.outer === undefined) throw new Error(`variable ${variable.name} has no value`)
    return this.outer.get(variable)
  }

  declare(variable: Variable, value: unknown): void {
    this.values.set(variable, value)
  }

  /** Only variables of the same function can be set. */
  set(variable: Variable, value: unknown): void {
    if (this.values.has(variable)) this.values.set(variable, value)
    else this.outer?.set(variable, value)
  }
}
