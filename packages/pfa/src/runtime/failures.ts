// The errors that running code raises, and what `try` catches.
import { AvroError } from '@pitot/avro'
import { PfaError } from '../errors.ts'
import type { PackErrors } from './binary.ts'

export const pathError = (code: number, name: string, message: string, pointer: string) => (): PfaError =>
  new PfaError('runtime', `${name}: ${message}`, { code, at: { pointer } })

export const userError = (message: string, code: number | undefined, pointer: string) => (): PfaError =>
  new PfaError('user', message, code === undefined ? { at: { pointer } } : { code, at: { pointer } })

export const packErrors = (pointer: string): PackErrors => ({
  wrongSize: pathError(3000, 'pack', 'raw bytes does not have specified size', pointer),
  tooLong: pathError(3001, 'pack', 'length prefixed bytes is larger than 255 bytes', pointer),
})

export const tooLarge = (): PfaError =>
  new PfaError('runtime', 'a value has grown too large; a loop probably doubles it without end')

export const timeUp = (milliseconds: number): PfaError =>
  new PfaError('timeout', `the time limit of ${milliseconds} ms is over`)

/** What a library function says after its name, which is what a filter names. */
const messageOf = (error: PfaError): string => error.message.slice(error.message.indexOf(': ') + 2)

/** Without a filter every error of the document is caught; time-outs never are. */
export function catcher(filter: readonly (string | number)[] | undefined): (error: unknown) => boolean {
  return (error) => {
    if (!(error instanceof PfaError)) return filter === undefined && error instanceof RangeError
    if (error.kind !== 'runtime' && error.kind !== 'user') return false
    if (filter === undefined) return true
    const message = error.kind === 'user' ? error.message : messageOf(error)
    return filter.includes(message) || (error.code !== undefined && filter.includes(error.code))
  }
}

/** JavaScript's own errors that a document can cause. */
export function explain(error: unknown): unknown {
  // A value that Avro has no text for, such as half of a surrogate pair, met where it is written.
  if (error instanceof AvroError) return new PfaError('runtime', error.message)
  if (!(error instanceof RangeError)) return error
  if (/call stack/i.test(error.message)) return new PfaError('runtime', 'functions call each other too deeply')
  return new PfaError('runtime', `a value has grown too large (${error.message})`)
}
