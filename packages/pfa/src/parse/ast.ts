// The syntax tree of a PFA document: what `parse` gives and `check` takes. Every node knows its JSON pointer.
import type { DocumentValue } from '../forms/document.ts'

interface Node {
  /** JSON pointer of the node in the document. */
  readonly at: string
}

/** An Avro schema as it stands in the document; the checker resolves it together with all others. */
export interface TypeText extends Node {
  readonly schema: DocumentValue
}

/** Data as it stands in the document, of a type known elsewhere. */
export interface DataText extends Node {
  readonly json: DocumentValue
}

export interface Binding extends Node {
  readonly name: string
  readonly value: Expression
}

export type LiteralExpression = Node & { readonly form: 'literal' } & (
    | { readonly type: 'null'; readonly value: null }
    | { readonly type: 'boolean'; readonly value: boolean }
    | { readonly type: 'int' | 'float' | 'double'; readonly value: number }
    | { readonly type: 'long'; readonly value: number | bigint }
    | { readonly type: 'string'; readonly value: string }
    | { readonly type: 'bytes'; readonly value: Uint8Array }
  )
export type ValueExpression = Node & { readonly form: 'value'; readonly type: TypeText; readonly value: DataText }
export type NewObjectExpression = Node & {
  readonly form: 'new-object'
  readonly type: TypeText
  readonly entries: readonly Binding[]
}
export type NewArrayExpression = Node & {
  readonly form: 'new-array'
  readonly type: TypeText
  readonly items: readonly Expression[]
}

export type ReferenceExpression = Node & { readonly form: 'ref'; readonly name: string }
export type LetExpression = Node & { readonly form: 'let'; readonly bindings: readonly Binding[] }
export type SetExpression = Node & { readonly form: 'set'; readonly bindings: readonly Binding[] }

type WithPath = { readonly path: readonly Expression[] }
export type AttrExpression = Node & WithPath & { readonly form: 'attr'; readonly target: Expression }
export type AttrToExpression = Node &
  WithPath & { readonly form: 'attr-to'; readonly target: Expression; readonly to: Argument }
export type CellExpression = Node & WithPath & { readonly form: 'cell'; readonly cell: string }
export type CellToExpression = Node &
  WithPath & { readonly form: 'cell-to'; readonly cell: string; readonly to: Argument }
export type PoolExpression = Node & WithPath & { readonly form: 'pool'; readonly pool: string }
export type PoolToExpression = Node &
  WithPath & { readonly form: 'pool-to'; readonly pool: string; readonly to: Argument; readonly init: Expression }
export type PoolDelExpression = Node & { readonly form: 'pool-del'; readonly pool: string; readonly key: Expression }

type Body = readonly Expression[]
export interface TestedBody extends Node {
  readonly test: Expression
  readonly body: Body
}
export type DoExpression = Node & { readonly form: 'do'; readonly body: Body }
/** `if` is a `cond` with one branch. */
export type CondExpression = Node & {
  readonly form: 'cond'
  readonly branches: readonly TestedBody[]
  readonly otherwise?: Body
}
export type WhileExpression = Node & { readonly form: 'while'; readonly test: Expression; readonly body: Body }
export type UntilExpression = Node & { readonly form: 'until'; readonly test: Expression; readonly body: Body }
export type ForExpression = Node & {
  readonly form: 'for'
  readonly bindings: readonly Binding[]
  readonly test: Expression
  readonly steps: readonly Binding[]
  readonly body: Body
}
export type ForeachExpression = Node & {
  readonly form: 'foreach'
  readonly name: string
  readonly over: Expression
  readonly body: Body
  readonly sequential: boolean
}
export type ForkeyvalExpression = Node & {
  readonly form: 'forkeyval'
  readonly key: string
  readonly value: string
  readonly over: Expression
  readonly body: Body
}

export interface CastCase extends Node {
  readonly as: TypeText
  readonly named: string
  readonly body: Body
}
export type CastExpression = Node & {
  readonly form: 'cast'
  readonly value: Expression
  readonly cases: readonly CastCase[]
  readonly partial: boolean
}
export type UpcastExpression = Node & { readonly form: 'upcast'; readonly value: Expression; readonly as: TypeText }
export type IfNotNullExpression = Node & {
  readonly form: 'ifnotnull'
  readonly bindings: readonly Binding[]
  readonly body: Body
  readonly otherwise?: Body
}
interface PackItem extends Node {
  readonly format: string
  readonly value: Expression
}
interface UnpackItem extends Node {
  readonly name: string
  readonly format: string
}
export type PackExpression = Node & { readonly form: 'pack'; readonly items: readonly PackItem[] }
export type UnpackExpression = Node & {
  readonly form: 'unpack'
  readonly value: Expression
  readonly items: readonly UnpackItem[]
  readonly body: Body
  readonly otherwise?: Body
}

export type DocExpression = Node & { readonly form: 'doc'; readonly text: string }
export type ErrorExpression = Node & { readonly form: 'error'; readonly message: string; readonly code?: number }
export type TryExpression = Node & {
  readonly form: 'try'
  readonly body: Body
  readonly filter?: readonly (string | number)[]
}
export type LogExpression = Node & { readonly form: 'log'; readonly values: Body; readonly namespace?: string }

export type CallExpression = Node & { readonly form: 'call'; readonly name: string; readonly args: readonly Argument[] }
/** A user function chosen at run time by the value of an enum. */
export type ChooseExpression = Node & {
  readonly form: 'choose'
  readonly choice: Expression
  readonly args: readonly Expression[]
}

export interface Parameter extends Node {
  readonly name: string
  readonly type: TypeText
}
export type FunctionDefinition = Node & {
  readonly form: 'fcn-def'
  readonly params: readonly Parameter[]
  readonly ret: TypeText
  readonly body: Body
}
export interface FilledArgument extends Node {
  readonly name: string
  readonly value: Argument
}
export type FunctionReference = Node & {
  readonly form: 'fcn-ref'
  readonly name: string
  readonly fill: readonly FilledArgument[]
}

export type Expression =
  | LiteralExpression
  | ValueExpression
  | NewObjectExpression
  | NewArrayExpression
  | ReferenceExpression
  | LetExpression
  | SetExpression
  | AttrExpression
  | AttrToExpression
  | CellExpression
  | CellToExpression
  | PoolExpression
  | PoolToExpression
  | PoolDelExpression
  | DoExpression
  | CondExpression
  | WhileExpression
  | UntilExpression
  | ForExpression
  | ForeachExpression
  | ForkeyvalExpression
  | CastExpression
  | UpcastExpression
  | IfNotNullExpression
  | PackExpression
  | UnpackExpression
  | DocExpression
  | ErrorExpression
  | TryExpression
  | LogExpression
  | CallExpression
  | ChooseExpression

export type FunctionArgument = FunctionDefinition | FunctionReference
export type Argument = Expression | FunctionArgument

export interface Store extends Node {
  readonly name: string
  readonly type: TypeText
  readonly init?: DataText
  readonly shared: boolean
  readonly rollback: boolean
  readonly source: 'embedded' | 'json' | 'avro'
}

export interface UserFunction extends Node {
  readonly name: string
  readonly definition: FunctionDefinition
}

export interface Syntax extends Node {
  readonly name: string
  readonly method: 'map' | 'emit' | 'fold'
  readonly input: TypeText
  readonly output: TypeText
  readonly begin: Body
  readonly action: Body
  readonly end: Body
  readonly functions: readonly UserFunction[]
  readonly cells: readonly Store[]
  readonly pools: readonly Store[]
  readonly zero?: DataText
  readonly merge?: Body
  readonly randseed?: number | bigint
  readonly version?: number
  readonly doc?: string
  readonly metadata: ReadonlyMap<string, string>
  readonly options: ReadonlyMap<string, DocumentValue>
}
