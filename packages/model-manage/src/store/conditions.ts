// Conditions on a write or read: entity tags come in, whether the current state meets them goes out.
import { failure } from '@pitot/api'

/** What a caller expects of the current version. `*` stands for any version at all. */
export interface Condition {
  readonly ifMatch?: readonly string[] | undefined
  readonly ifNoneMatch?: readonly string[] | undefined
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

export function readCondition(headers: Headers): Condition {
  return { ifMatch: tags(headers['if-match']), ifNoneMatch: tags(headers['if-none-match']) }
}

function tags(header: string | string[] | undefined): readonly string[] | undefined {
  if (header === undefined) return undefined
  const text = Array.isArray(header) ? header.join(',') : header
  return text
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .filter((tag) => tag !== '')
}

/** True when a reader that has one of these tags has the current version already. */
export function isKnown(condition: Condition, etag: string): boolean {
  return condition.ifNoneMatch?.some((tag) => tag === '*' || tag === etag) ?? false
}

/** Throws `precondition-failed` when the current version, if any, is not what the writer expects. */
export function requireCondition(condition: Condition, what: string, etag: string | undefined): void {
  const { ifMatch, ifNoneMatch } = condition
  const actual = etag ?? 'not there'
  const matches = (tag: string) => etag !== undefined && (tag === '*' || tag === etag)
  if (ifMatch !== undefined && !ifMatch.some(matches)) {
    throw failure('precondition-failed', { what, condition: `If-Match: ${ifMatch.join(', ')}`, actual })
  }
  if (ifNoneMatch?.some(matches)) {
    throw failure('precondition-failed', { what, condition: `If-None-Match: ${ifNoneMatch.join(', ')}`, actual })
  }
}
