// The checked program: what `check` gives, and `generate` and `interpret` take. Names are resolved, every expression has its
// type, library calls have their signature, and every promotion is an explicit `convert`.
import type { AvroType, EnumType, MapType, RecordType } from '@pitot/avro'
import type { FunctionType, PfaType } from '../library/library.ts'
import type { ExceptionType, ValueType } from './types.ts'

/** A symbol in one scope. Two symbols of the same name are two variables. */
export class Variable {
  readonly name: string
  readonly type: PfaType
  /** Set again after its declaration. */
  assigned = false

  constructor(name: string, type: PfaType) {
    this.name = name
    this.type = type
  }
}

export interface StoreInfo {
  readonly kind: 'cell' | 'pool'
  readonly name: string
  /** Type of a cell, or of one item of a pool. */
  readonly type: AvroType
  readonly shared: boolean
  readonly rollback: boolean
  /** The first value: of the cell, or a Map for a pool. */
  readonly init: unknown
  /** Anything in the document that writes to it. */
  written: boolean
}

export interface UserFunctionInfo {
  readonly name: string
  readonly type: FunctionType & { readonly result: AvroType; readonly params: readonly AvroType[] }
  readonly paramNames: readonly string[]
  /** Filled in when the bodies are checked, after all headers are known. */
  params: readonly Variable[]
  body: Block
  /** Writes to a cell or pool, itself or through what it calls. */
  writes: boolean
  /** Calls itself, directly or through others. */
  recursive: boolean
}

export type Block = readonly Typed[]

interface Base {
  readonly type: ValueType
  readonly at: string
}

export interface TypedBinding {
  readonly variable: Variable
  readonly value: Typed
}

export type PathStep =
  | { readonly kind: 'field'; readonly record: RecordType; readonly name: string; readonly type: AvroType }
  | { readonly kind: 'index'; readonly value: Typed; readonly type: AvroType }
  | { readonly kind: 'key'; readonly value: Typed; readonly type: AvroType }

/** The codes for an index and for a key that is not there. */
export interface PathErrors {
  readonly name: string
  readonly index: number
  readonly key: number
}

/** A new value, or a function from the old value to the new one. */
export type Replacement = Typed | TypedFunction

export type Constant = Base & { readonly kind: 'constant'; readonly value: unknown }
export type NewArray = Base & { readonly kind: 'new-array'; readonly items: readonly Typed[] }
export type NewMap = Base & {
  readonly kind: 'new-map'
  readonly type: MapType
  readonly entries: readonly (readonly [string, Typed])[]
}
/** Entries in the order of the document, which is the order in which they are evaluated. */
export type NewRecord = Base & {
  readonly kind: 'new-record'
  readonly type: RecordType
  readonly entries: readonly (readonly [string, Typed])[]
}
export type VariableUse = Base & { readonly kind: 'variable'; readonly variable: Variable }
export type Let = Base & { readonly kind: 'let'; readonly bindings: readonly TypedBinding[] }
export type Set_ = Base & { readonly kind: 'set'; readonly bindings: readonly TypedBinding[] }
export type Convert = Base & { readonly kind: 'convert'; readonly type: AvroType; readonly value: Typed }
export type Get = Base & {
  readonly kind: 'get'
  readonly target: Typed
  readonly path: readonly PathStep[]
  readonly errors: PathErrors
}
export type Update = Base & {
  readonly kind: 'update'
  readonly target: Typed
  readonly path: readonly PathStep[]
  readonly to: Replacement
  readonly errors: PathErrors
}
export type CellUse = Base & { readonly kind: 'cell'; readonly cell: StoreInfo }
export type CellTo = Base & {
  readonly kind: 'cell-to'
  readonly cell: StoreInfo
  readonly path: readonly PathStep[]
  readonly to: Replacement
}
/** The first step is the key in the pool. */
export type PoolUse = Base & { readonly kind: 'pool'; readonly pool: StoreInfo; readonly key: Typed }
export type PoolTo = Base & {
  readonly kind: 'pool-to'
  readonly pool: StoreInfo
  readonly key: Typed
  readonly path: readonly PathStep[]
  readonly to: Replacement
  readonly init: Typed
}
export type PoolDel = Base & { readonly kind: 'pool-del'; readonly pool: StoreInfo; readonly key: Typed }
export type Do = Base & { readonly kind: 'do'; readonly body: Block }
export type Cond = Base & {
  readonly kind: 'cond'
  readonly branches: readonly { readonly test: Typed; readonly body: Block }[]
  readonly otherwise?: Block
}
export type While = Base & { readonly kind: 'while'; readonly test: Typed; readonly body: Block }
export type Until = Base & { readonly kind: 'until'; readonly test: Typed; readonly body: Block }
export type For = Base & {
  readonly kind: 'for'
  readonly bindings: readonly TypedBinding[]
  readonly test: Typed
  readonly steps: readonly TypedBinding[]
  readonly body: Block
}
export type Foreach = Base & {
  readonly kind: 'foreach'
  readonly variable: Variable
  readonly over: Typed
  readonly body: Block
}
export type Forkeyval = Base & {
  readonly kind: 'forkeyval'
  readonly key: Variable
  readonly value: Variable
  readonly over: Typed
  readonly body: Block
}
export interface TypedCase {
  readonly variable: Variable
  /** Branches of the value's type that this case takes (places in the union, or 0 for the type itself). */
  readonly branches: readonly number[]
  readonly body: Block
}
export type Cast = Base & {
  readonly kind: 'cast'
  readonly value: Typed
  readonly cases: readonly TypedCase[]
  readonly partial: boolean
}
export type IfNotNull = Base & {
  readonly kind: 'ifnotnull'
  readonly bindings: readonly TypedBinding[]
  readonly body: Block
  readonly otherwise?: Block
}
export type Pack = Base & {
  readonly kind: 'pack'
  readonly items: readonly { readonly format: BinaryFormat; readonly value: Typed }[]
}
export type Unpack = Base & {
  readonly kind: 'unpack'
  readonly value: Typed
  readonly items: readonly { readonly format: BinaryFormat; readonly variable: Variable }[]
  readonly body: Block
  readonly otherwise?: Block
}
export interface BinaryFormat {
  readonly kind:
    | 'pad'
    | 'boolean'
    | 'int8'
    | 'int16'
    | 'int32'
    | 'int64'
    | 'float'
    | 'double'
    | 'raw'
    | 'terminated'
    | 'prefixed'
  readonly unsigned: boolean
  readonly littleEndian: boolean
  /** Length of `raw`, when it is given. */
  readonly size?: number
}
export type Fail = Base & {
  readonly kind: 'fail'
  readonly type: ExceptionType
  readonly message: string
  readonly code?: number
}
export type Try = Base & { readonly kind: 'try'; readonly body: Block; readonly filter?: readonly (string | number)[] }
export type Log = Base & { readonly kind: 'log'; readonly values: readonly Typed[]; readonly namespace?: string }
export type CallLibrary = Base & {
  readonly kind: 'call-library'
  readonly name: string
  readonly params: readonly PfaType[]
  readonly type: AvroType
  readonly args: readonly (Typed | TypedFunction)[]
}
export type CallUser = Base & {
  readonly kind: 'call-user'
  readonly callee: UserFunctionInfo
  readonly args: readonly Typed[]
}
export type Choose = Base & {
  readonly kind: 'choose'
  readonly choice: Typed
  readonly choices: EnumType
  /** Evaluated once; each option uses these variables. */
  readonly args: readonly TypedBinding[]
  readonly options: readonly { readonly symbol: string; readonly body: Typed }[]
}
export type Emit = Base & { readonly kind: 'emit'; readonly value: Typed }

export type Typed =
  | Constant
  | NewArray
  | NewMap
  | NewRecord
  | VariableUse
  | Let
  | Set_
  | Convert
  | Get
  | Update
  | CellUse
  | CellTo
  | PoolUse
  | PoolTo
  | PoolDel
  | Do
  | Cond
  | While
  | Until
  | For
  | Foreach
  | Forkeyval
  | Cast
  | IfNotNull
  | Pack
  | Unpack
  | Fail
  | Try
  | Log
  | CallLibrary
  | CallUser
  | Choose
  | Emit

/** A function given as an argument. References and partial application are functions with a call inside. */
export interface TypedFunction {
  readonly kind: 'function'
  readonly type: FunctionType
  readonly at: string
  /** Evaluated once, where the function stands, before it is called: the arguments filled in beforehand. */
  readonly bindings: readonly TypedBinding[]
  readonly params: readonly Variable[]
  readonly body: Block
}

/** The symbols a routine finds already defined. */
export interface Routine {
  readonly symbols: ReadonlyMap<string, Variable>
  readonly body: Block
}

export interface CheckedProgram {
  readonly name: string
  readonly method: 'map' | 'emit' | 'fold'
  readonly version?: number
  readonly doc?: string
  readonly metadata: ReadonlyMap<string, string>
  readonly randseed?: number | bigint
  readonly input: AvroType
  readonly output: AvroType
  readonly begin: Routine
  readonly action: Routine
  readonly end: Routine
  readonly merge?: Routine
  readonly zero?: unknown
  readonly functions: readonly UserFunctionInfo[]
  readonly cells: readonly StoreInfo[]
  readonly pools: readonly StoreInfo[]
  /** In milliseconds; absent where there is no limit. */
  readonly timeouts: { readonly begin?: number; readonly action?: number; readonly end?: number }
}
