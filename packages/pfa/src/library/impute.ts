// The library module `impute`: missing and non-numeric values are replaced or refused.
import type { CallSite, LibraryModule } from './library.ts'
import { missingTest } from './missing.ts'

export const impute: LibraryModule = {
  'impute.errorOnNull': (site) => {
    const isMissing = missingTest(site.params[0])
    return (x: unknown) => {
      if (isMissing(x)) throw site.error(21000)
      return x
    }
  },
  'impute.defaultOnNull': (site) => {
    const isMissing = missingTest(site.params[0])
    return (x: unknown, replacement: unknown) => (isMissing(x) ? replacement : x)
  },
  'impute.isnan': () => Number.isNaN,
  'impute.isinf': () => (x: number) => Math.abs(x) === Number.POSITIVE_INFINITY,
  'impute.isnum': () => Number.isFinite,
  'impute.errorOnNonNum': (site: CallSite) => (x: number) => {
    if (Number.isFinite(x)) return x
    throw site.error(x > 0 ? 21051 : x < 0 ? 21052 : 21050)
  },
  'impute.defaultOnNonNum': () => (x: number, replacement: number) => (Number.isFinite(x) ? x : replacement),
}
