// R for tests: the one that is there, else Debian's.
import { findExecutable, install } from './server.ts'

/** `PITOT_TEST_RSCRIPT=/path/of/Rscript` names one to use instead. */
export function findR(): { readonly rscript: string } | { readonly missing: string } {
  const find = () => process.env.PITOT_TEST_RSCRIPT ?? findExecutable('Rscript')
  const missing = find() === undefined ? install(['r-base-core']) : undefined
  const rscript = find()
  return rscript === undefined ? { missing: `R: ${missing}` } : { rscript }
}
