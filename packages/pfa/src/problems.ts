// The errors that a document can have, each with the JSON pointer of the place; `nearest` suggests the word that was meant.
import { PfaError, type PfaErrorKind } from './errors.ts'

const problem =
  (kind: PfaErrorKind) =>
  (pointer: string, message: string): PfaError =>
    new PfaError(kind, message, { at: { pointer } })

export const syntaxProblem = problem('syntax')
export const semanticProblem = problem('semantic')
export const initializationProblem = problem('initialization')

/** The pointer one step further: `/action` and `a/b` give `/action/a~1b`. */
export const step = (pointer: string, key: string | number): string =>
  typeof key === 'number' ? `${pointer}/${key}` : `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** ` (did you mean "foreach"?)` when a known word is close, else nothing. */
export function nearest(word: string, known: Iterable<string>): string {
  let best: string | undefined
  // As many slips as the length of the word makes likely.
  let smallest = word.length < 3 ? 1 : word.length < 4 ? 2 : word.length < 9 ? 3 : 4
  for (const candidate of known) {
    const distance = editDistance(word, candidate, smallest)
    if (distance < smallest) {
      smallest = distance
      best = candidate
    }
  }
  return best === undefined ? '' : ` (did you mean ${JSON.stringify(best)}?)`
}

/** Insertions, deletions and replacements between two words; gives up at `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? limit
}
