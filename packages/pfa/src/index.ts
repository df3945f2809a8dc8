export { PfaError, type PfaErrorKind, type Place } from './errors.ts'
