// One special form of the language: which fields it has, and how the tree node is made from them.
import type { DocumentValue } from '../forms/document.ts'
import { step } from '../problems.ts'
import type { Argument } from './ast.ts'

export interface Form {
  readonly required: readonly string[]
  readonly optional?: readonly string[]
  readonly read: (fields: Fields) => Argument
}

/** The fields of one object in the document, read one by one with their pointers. */
export class Fields {
  readonly at: string
  private readonly members: ReadonlyMap<string, DocumentValue>

  constructor(at: string, members: ReadonlyMap<string, DocumentValue>) {
    this.at = at
    this.members = members
  }

  get<Value>(name: string, read: (json: DocumentValue, at: string) => Value): Value {
    return read(this.members.get(name) as DocumentValue, step(this.at, name))
  }

  /** `{ [property]: value }` when the field is there, else nothing: for optional properties. */
  optional<Property extends string, Value>(
    name: string,
    property: Property,
    read: (json: DocumentValue, at: string) => Value,
  ): { [Key in Property]?: Value } {
    return this.members.has(name) ? ({ [property]: this.get(name, read) } as { [Key in Property]?: Value }) : {}
  }
}
