// The error for a document that no PrettyPFA text can mean.
import { PfaError } from '../../errors.ts'
import type { DocumentValue } from '../../forms/document.ts'
import { inline } from '../inline.ts'

export function printingError(what: string, found: DocumentValue | undefined): PfaError {
  const text = found === undefined ? 'nothing' : (inline(found, 60, JSON.stringify) ?? 'a longer value')
  return new PfaError(
    'syntax',
    `PrettyPFA cannot say this document: expected ${what}, found ${text}. Print it as JSON.`,
  )
}
