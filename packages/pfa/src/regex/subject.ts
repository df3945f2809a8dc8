// What is searched: units with the word characters among them, and the assertions that hold between them.
import type { Assertion } from './syntax.ts'

export interface Subject {
  readonly units: ArrayLike<number>
  isWord(unit: number): boolean
}

/** Does the assertion hold before the unit at `at`? */
export function holdsAt(test: Assertion, { units, isWord }: Subject, at: number): boolean {
  const before = at > 0 && isWord(units[at - 1]!)
  const after = at < units.length && isWord(units[at]!)
  return holdsBetween(test, at === 0, at === units.length, before, after)
}

export function holdsBetween(
  test: Assertion,
  isStart: boolean,
  isEnd: boolean,
  wordBefore: boolean,
  wordAfter: boolean,
): boolean {
  switch (test) {
    case 'start':
      return isStart
    case 'end':
      return isEnd
    case 'boundary':
      return wordBefore !== wordAfter
    case 'no boundary':
      return wordBefore === wordAfter
    case 'word start':
      return !wordBefore && wordAfter
    case 'word end':
      return wordBefore && !wordAfter
  }
}
