// The library module `stat.change`: how a stream of values departs from what it was.
import type { LibraryModule } from '../library.ts'

interface Trigger {
  readonly numEvents: number
  readonly numRuns: number
  readonly currentRun: number
  readonly longestRun: number
}

interface Moments {
  readonly count: number
  readonly mean: number
  readonly variance: number
}

function zValue(x: number, { mean, variance }: Moments): number {
  return (x - mean) / Math.sqrt(variance)
}

export const change: LibraryModule = {
  'stat.change.updateTrigger': (site) => (predicate: boolean, history: Trigger) => {
    const { numEvents, numRuns, currentRun, longestRun } = history
    if (numEvents < 0 || numRuns < 0 || currentRun < 0 || longestRun < 0) throw site.error(37000)
    if (!predicate) return { ...history, currentRun: 0 }
    return {
      ...history,
      numEvents: numEvents + 1,
      numRuns: currentRun === 0 ? numRuns + 1 : numRuns,
      currentRun: currentRun + 1,
      longestRun: Math.max(longestRun, currentRun + 1),
    }
  },
  'stat.change.zValue': (site) =>
    site.params.length === 2
      ? zValue
      : (x: number, moments: Moments, unbiased: boolean) => {
          if (!unbiased) return zValue(x, moments)
          return zValue(x, moments) * Math.sqrt(moments.count / (moments.count - 1))
        },
  'stat.change.updateCUSUM': () => (logLikelihoodRatio: number, last: number, reset: number) => {
    const sum = logLikelihoodRatio + last
    if (sum > reset) return sum
    return reset // also for a sum that is no number
  },
}
