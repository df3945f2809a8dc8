// Holt-Winters time series of `stat.sample`: a level, a trend and perhaps a cycle are updated and carried forward.
import type { AvroType } from '@pitot/avro'
import { tooLarge } from '../../runtime/failures.ts'
import type { CallSite, Implementation, LibraryModule } from '../library.ts'
import { hasField, recordType, semantic } from '../record.ts'
import type { Vector } from '../vector.ts'

interface Series {
  readonly level: number
  readonly trend: number
}

interface PeriodicSeries extends Series {
  readonly cycle: Vector
  readonly multiplicative: boolean
}

const outside = (weight: number) => weight < 0 || weight > 1

const updateHoltWinters: Implementation = (site) => (x: number, alpha: number, beta: number, state: Series) => {
  if (outside(alpha)) throw site.error(14040)
  if (outside(beta)) throw site.error(14041)
  const level = alpha * x + (1 - alpha) * (state.level + state.trend)
  return { ...state, level, trend: beta * (level - state.level) + (1 - beta) * state.trend }
}

/** The cycle is rotated left by one: its first item is then the value for this moment, and is brought up to date. */
const updateHoltWintersPeriodic: Implementation =
  (site) => (x: number, alpha: number, beta: number, gamma: number, state: PeriodicSeries) => {
    if (outside(alpha)) throw site.error(14050)
    if (outside(beta)) throw site.error(14051)
    if (outside(gamma)) throw site.error(14052)
    const { cycle: old, multiplicative } = state
    if (old.length === 0) throw site.error(14053)
    const before = old[1 % old.length]!
    const carried = (1 - alpha) * (state.level + state.trend)
    const level = (multiplicative ? (alpha * x) / before : alpha * (x - before)) + carried
    const trend = beta * (level - state.level) + (1 - beta) * state.trend
    const cycle = old.slice(1)
    cycle.push(old[0]!)
    cycle[0] = (multiplicative ? (gamma * x) / level : gamma * (x - level)) + (1 - gamma) * before
    return { ...state, level, trend, cycle }
  }

const isCycle = (type: AvroType) => type.kind === 'array' && type.items.kind === 'double'
const isBoolean = (type: AvroType) => type.kind === 'boolean'

/** True for a state with a cycle; "cycle" and "multiplicative" come together or not at all. */
function isPeriodic(site: CallSite, place: number): boolean {
  const record = recordType(site, place)
  const cycle = hasField(site, record, 'cycle', isCycle)
  const multiplicative = hasField(site, record, 'multiplicative', isBoolean)
  if (cycle !== multiplicative) {
    throw semantic(site, `record ${record.name} needs both of "cycle" and "multiplicative", or none`)
  }
  return cycle
}

function ahead(state: PeriodicSeries, steps: number): number {
  const line = state.level + steps * state.trend
  const season = state.cycle[steps % state.cycle.length]!
  return state.multiplicative ? line * season : line + season
}

const forecast1: Implementation = (site) => {
  if (!isPeriodic(site, 0)) return ({ level, trend }: Series) => level + trend
  return (state: PeriodicSeries) => {
    if (state.cycle.length === 0) throw site.error(14060)
    return ahead(state, 1)
  }
}

const forecastMany: Implementation = (site) => {
  if (!isPeriodic(site, 1)) {
    return (n: number, { level, trend }: Series) => series(n, (step) => level + step * trend)
  }
  return (n: number, state: PeriodicSeries) => {
    if (state.cycle.length === 0) throw site.error(14070)
    return series(n, (step) => ahead(state, step))
  }
}

/** One call must not fill the memory. */
const LONGEST = 2 ** 24

function series(n: number, at: (step: number) => number): number[] {
  if (n > LONGEST) throw tooLarge()
  const values: number[] = []
  for (let step = 1; step <= n; step++) values.push(at(step))
  return values
}

export const forecast: LibraryModule = {
  'stat.sample.updateHoltWinters': updateHoltWinters,
  'stat.sample.updateHoltWintersPeriodic': updateHoltWintersPeriodic,
  'stat.sample.forecast1HoltWinters': forecast1,
  'stat.sample.forecastHoltWinters': forecastMany,
}
