// PFA, compiled to JavaScript: a document comes in, a program that scores records goes out.
export { type CompileOptions, compile } from './compile.ts'
export { PfaError, type PfaErrorKind, type Place } from './errors.ts'
export { type Document, type DocumentObject, type DocumentValue, NumberLexeme } from './forms/document.ts'
export { type Format, formats, type ParseOptions, parse, print } from './forms/index.ts'
export { Instance, type StartOptions, type State } from './instance.ts'
export { Program } from './program.ts'
export type { SharedItem, SharedStore } from './runtime/shared.ts'
