// The one error of this package: what went wrong with a document or a record, and where.

export type PfaErrorKind = 'syntax' | 'semantic' | 'initialization' | 'runtime' | 'user' | 'timeout'

export interface Place {
  readonly line?: number
  readonly column?: number
  /** JSON pointer into the document. */
  readonly pointer?: string
}

export class PfaError extends Error {
  override readonly name = 'PfaError'
  readonly kind: PfaErrorKind
  readonly code?: number
  readonly at?: Place

  constructor(kind: PfaErrorKind, message: string, details: { code?: number; at?: Place } = {}) {
    super(message)
    this.kind = kind
    if (details.code !== undefined) this.code = details.code
    if (details.at !== undefined) this.at = details.at
  }
}
