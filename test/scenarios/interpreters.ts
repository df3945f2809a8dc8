// Interpreters with the libraries that scenarios need. Missing ones are told, and in CI they are a failure.
import { describe } from 'vitest'
import { findPython } from '../servers/python.ts'
import { findR } from '../servers/r.ts'

/** With scikit-learn, numpy and pandas. */
export function describePython(title: string, suite: (python: string) => void): void {
  const found = findPython(['scikit-learn==1.7.2', 'pandas==2.3.3'])
  if ('python' in found) describe(title, () => suite(found.python))
  else missing(title, found.missing)
}

export function describeR(title: string, suite: (rscript: string) => void): void {
  const found = findR()
  if ('rscript' in found) describe(title, () => suite(found.rscript))
  else missing(title, found.missing)
}

/** Rows with a language in one of their columns; where there is no R, those of R are left out. */
export function runnable<const Row extends readonly unknown[]>(rows: readonly Row[], column = 0): Row[] {
  const found = findR()
  if ('rscript' in found) return [...rows]
  missing('models in R', found.missing)
  return rows.filter((row) => row[column] !== 'r')
}

function missing(title: string, what: string): void {
  if (process.env.CI === 'true') throw new Error(what)
  describe.skip(`${title} (skipped: ${what})`, () => undefined)
}
