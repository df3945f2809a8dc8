// Interpreters with the libraries that scenarios need. Missing ones are told, and in CI they are a failure.
import { describe } from 'vitest'
import { findPython } from '../servers/python.ts'
import { findExecutable } from '../servers/server.ts'

/** With scikit-learn, numpy and pandas. */
export function describePython(title: string, suite: (python: string) => void): void {
  const found = findPython(['scikit-learn==1.7.2', 'pandas==2.3.3'])
  if ('python' in found) describe(title, () => suite(found.python))
  else missing(title, found.missing)
}

export function describeR(title: string, suite: (rscript: string) => void): void {
  const rscript = findExecutable('Rscript')
  if (rscript === undefined) missing(title, 'no R; install r-base-core')
  else describe(title, () => suite(rscript))
}

function missing(title: string, what: string): void {
  if (process.env.CI === 'true') throw new Error(what)
  describe.skip(`${title} (skipped: ${what})`, () => undefined)
}
