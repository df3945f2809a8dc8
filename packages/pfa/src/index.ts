export { PfaError, type PfaErrorKind, type Place } from './errors.ts'
export { type Document, type DocumentObject, type DocumentValue, NumberLexeme } from './forms/document.ts'
export { type Format, formats, parse, print } from './forms/index.ts'
