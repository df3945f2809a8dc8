// Histograms and counters of `stat.sample`: a value, a weight and a histogram come in, the filled histogram goes out.
import type { AvroType } from '@pitot/avro'
import { tooLarge } from '../../runtime/failures.ts'
import type { CallSite, Implementation, LibraryModule } from '../library.ts'
import { hasField, holdsDouble, recordType, semantic } from '../record.ts'
import type { Rows, Vector } from '../vector.ts'

interface Histogram {
  readonly numbins: number
  readonly low: number
  readonly high: number
  readonly binsize: number
  readonly ranges: Rows
  readonly values: Vector
  readonly underflow: number
  readonly overflow: number
  readonly nanflow: number
  readonly infflow: number
}

/** Where a value goes that is in no bin. */
type Flow = 'underflow' | 'overflow' | 'nanflow' | 'infflow'
type Fill = (x: number, w: number, histogram: Histogram) => Vector | Flow

/** One value far out must not fill the memory with empty bins. */
const LARGEST = 2 ** 24

const FLOWS: readonly Flow[] = ['underflow', 'overflow', 'nanflow', 'infflow']

const isNumber = (type: AvroType) => ['int', 'long', 'float', 'double'].includes(type.kind)
const isRanges = (type: AvroType) => type.kind === 'array' && type.items.kind === 'array'

const fillHistogram: Implementation = (site) => {
  const record = recordType(site, 2)
  const has = (name: string, fits: (type: AvroType) => boolean) => hasField(site, record, name, fits)
  const present = new Set(FLOWS.filter((flow) => has(flow, holdsDouble)))
  const infinite = present.has('infflow')
  const kinds: Fill[] = []
  if (has('numbins', isNumber) && has('low', isNumber) && has('high', isNumber)) kinds.push(fixedBins(site, infinite))
  if (has('low', isNumber) && has('binsize', isNumber)) kinds.push(growingBins(site, infinite))
  if (has('ranges', isRanges)) kinds.push(rangeBins(site, infinite))
  if (kinds.length !== 1) {
    throw semantic(
      site,
      `record ${record.name} needs numbins, low and high, or low and binsize, or ranges, and only these`,
    )
  }
  const fill = kinds[0]!
  return (x: number, w: number, histogram: Histogram) => {
    const result = fill(x, w, histogram)
    if (typeof result !== 'string') return { ...histogram, values: result }
    if (!present.has(result)) return { ...histogram }
    return { ...histogram, [result]: histogram[result] + w }
  }
}

function withAdded(values: Vector, place: number, w: number): number[] {
  const result = values.slice()
  result[place]! += w
  return result
}

/** The flow of a value that is not finite; undefined for one that a bin may hold. */
function special(x: number, infinite: boolean): Flow | undefined {
  if (infinite && Math.abs(x) === Number.POSITIVE_INFINITY) return 'infflow'
  return Number.isNaN(x) ? 'nanflow' : undefined
}

function fixedBins(site: CallSite, infinite: boolean): Fill {
  return (x, w, { numbins, low, high, values }) => {
    if (numbins < 1) throw site.error(14082)
    if (values.length !== numbins) throw site.error(14080)
    if (!(low < high) || !Number.isFinite(low) || !Number.isFinite(high)) throw site.error(14081)
    const flow = special(x, infinite)
    if (flow !== undefined) return flow
    if (x >= high) return 'overflow'
    if (x < low) return 'underflow'
    return withAdded(values, Math.floor(((x - low) / (high - low)) * numbins), w)
  }
}

function growingBins(site: CallSite, infinite: boolean): Fill {
  return (x, w, { low, binsize, values }) => {
    if (!(binsize > 0) || !Number.isFinite(binsize)) throw site.error(14082)
    const flow = special(x, infinite)
    if (flow !== undefined) return flow
    if (x === Number.POSITIVE_INFINITY) return 'overflow'
    if (x < low) return 'underflow'
    const place = placeInGrowing(x, low, binsize, values.length)
    if (place < values.length) return withAdded(values, place, w)
    if (place >= LARGEST) throw tooLarge()
    const result = values.slice()
    while (result.length < place) result.push(0)
    result.push(w)
    return result
  }
}

/** An empty histogram has no upper edge to measure by, so that its first value goes to the first bin. */
function placeInGrowing(x: number, low: number, binsize: number, bins: number): number {
  if (bins === 0) return 0
  const high = low + binsize * bins
  return Math.floor(((x - low) / (high - low)) * bins)
}

/** The text of the specification allows ranges of one point, its conformance suite refuses them: so does this. */
function rangeBins(site: CallSite, infinite: boolean): Fill {
  return (x, w, { ranges, values }) => {
    if (values.length !== ranges.length) throw site.error(14080)
    for (const range of ranges) {
      const [low, high] = range
      if (range.length !== 2 || !(low! < high!) || !Number.isFinite(low) || !Number.isFinite(high))
        throw site.error(14083)
    }
    const flow = special(x, infinite)
    if (flow !== undefined) return flow
    const result = values.slice()
    let hit = false
    for (let i = 0; i < ranges.length; i++) {
      const [low, high] = ranges[i] as [number, number]
      if (x >= low && x < high) {
        result[i]! += w
        hit = true
      }
    }
    return hit ? result : 'underflow'
  }
}

interface Histogram2d {
  readonly xnumbins: number
  readonly xlow: number
  readonly xhigh: number
  readonly ynumbins: number
  readonly ylow: number
  readonly yhigh: number
  readonly values: Rows
}

/** Indexed by where x is and then where y is: below, within or above its range. */
const FLOWS_2D = [
  ['underunderflow', 'undermidflow', 'underoverflow'],
  ['midunderflow', '', 'midoverflow'],
  ['overunderflow', 'overmidflow', 'overoverflow'],
] as const

const side = (x: number, low: number, high: number) => (x < low ? 0 : x < high ? 1 : 2)

const fillHistogram2d: Implementation = (site) => {
  const record = recordType(site, 3)
  const names = [...FLOWS_2D.flat(), 'nanflow', 'infflow'].filter((name) => name !== '')
  const present = new Set<string>(names.filter((name) => hasField(site, record, name, holdsDouble)))
  const infinite = present.has('infflow')
  const flowOf = (x: number, y: number, { xlow, xhigh, ylow, yhigh }: Histogram2d): string => {
    if (Number.isNaN(x) || Number.isNaN(y)) return 'nanflow'
    if (infinite && !(Number.isFinite(x) && Number.isFinite(y))) return 'infflow'
    return FLOWS_2D[side(x, xlow, xhigh)]![side(y, ylow, yhigh)]!
  }
  return (x: number, y: number, w: number, histogram: Histogram2d) => {
    check2d(site, histogram)
    const flow = flowOf(x, y, histogram)
    if (flow !== '') {
      if (!present.has(flow)) return { ...histogram }
      return { ...histogram, [flow]: (histogram as unknown as Record<string, number>)[flow]! + w }
    }
    const { xnumbins, xlow, xhigh, ynumbins, ylow, yhigh } = histogram
    const column = Math.floor(((x - xlow) / (xhigh - xlow)) * xnumbins)
    const values = histogram.values.slice()
    values[column] = withAdded(values[column]!, Math.floor(((y - ylow) / (yhigh - ylow)) * ynumbins), w)
    return { ...histogram, values }
  }
}

function check2d(site: CallSite, { xnumbins, xlow, xhigh, ynumbins, ylow, yhigh, values }: Histogram2d): void {
  if (xnumbins < 1 || ynumbins < 1) throw site.error(14092)
  if (values.length !== xnumbins || values.some((column) => column.length !== ynumbins)) throw site.error(14090)
  const finite = Number.isFinite(xlow) && Number.isFinite(xhigh) && Number.isFinite(ylow) && Number.isFinite(yhigh)
  if (!(finite && xlow < xhigh && ylow < yhigh)) throw site.error(14091)
}

const fillCounter: Implementation =
  () => (x: string, w: number, counter: { readonly values: ReadonlyMap<string, number> }) => {
    const values = new Map(counter.values)
    values.set(x, (values.get(x) ?? 0) + w)
    return { ...counter, values }
  }

export const histogram: LibraryModule = {
  'stat.sample.fillHistogram': fillHistogram,
  'stat.sample.fillHistogram2d': fillHistogram2d,
  'stat.sample.fillCounter': fillCounter,
}
