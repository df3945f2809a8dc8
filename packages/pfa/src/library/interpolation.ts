// The library module `interp`: bins, nearest entries of a table, and straight lines between them.
import type { CallSite, Implementation, LibraryModule } from './library.ts'
import { squaredDistance, type Vector } from './vector.ts'

interface Point<X, To> {
  readonly x: X
  readonly to: To
}

function isInt(x: number): boolean {
  return x === (x | 0)
}

const bin: Implementation = (site) =>
  site.params.length === 4
    ? (x: number, bins: number, low: number, high: number) => {
        if (!(low < high)) throw site.error(22000)
        if (bins < 1) throw site.error(22001)
        const place = Math.floor(bins * ((x - low) / (high - low)))
        if (!(x >= low && x < high && place >= 0 && place < bins)) throw site.error(22002)
        return place
      }
    : (x: number, origin: number, width: number) => {
        if (!Number.isFinite(origin)) throw site.error(22000)
        if (!(width > 0)) throw site.error(22001)
        const place = Math.floor((x - origin) / width)
        if (!isInt(place) || !Number.isFinite(x)) throw site.error(22002)
        return place
      }

const scalarDistance = (x: number, y: number) => Math.abs(x - y)

const nearest: Implementation = (site) => {
  if (site.params.length === 3) {
    return (x: unknown, table: readonly Point<unknown, unknown>[], metric: (x: unknown, y: unknown) => number) =>
      nearestEntry(site, x, table, metric)
  }
  if (site.params[0]?.kind !== 'array') {
    return (x: number, table: readonly Point<number, unknown>[]) => nearestEntry(site, x, table, scalarDistance)
  }
  const distance = (x: Vector, y: Vector): number => {
    if (x.length !== y.length) throw site.error(22011)
    return squaredDistance(x, y)
  }
  return (x: Vector, table: readonly Point<Vector, unknown>[]) => nearestEntry(site, x, table, distance)
}

function nearestEntry<X, Y>(
  site: CallSite,
  x: X,
  table: readonly Point<Y, unknown>[],
  metric: (x: X, y: Y) => number,
): unknown {
  if (table.length === 0) throw site.error(22010)
  let best = table[0]!
  let smallest = metric(x, best.x)
  for (let i = 1; i < table.length; i++) {
    const distance = metric(x, table[i]!.x)
    if (distance < smallest) {
      smallest = distance
      best = table[i]!
    }
  }
  return best.to
}

type To = number | Vector
type Table = readonly Point<number, To>[]
type Interpolate = (x: number, one: Point<number, To>, two: Point<number, To>) => To

/** What a function does with a point outside of the table, given the nearest entry and the second nearest. */
type Outside = (x: number, nearest: Point<number, To>, second: Point<number, To>, interpolate: Interpolate) => To | null

function linear(code: number, outside: Outside): Implementation {
  return (site) => {
    const interpolate = interpolator(site, code + 1)
    return (x: number, table: Table) => {
      let below = -1
      let above = -1
      for (let i = 0; i < table.length; i++) {
        const at = table[i]!.x
        if (at <= x) {
          if (below < 0 || x - at < x - table[below]!.x) below = i
        } else if (x < at && (above < 0 || at - x < table[above]!.x - x)) above = i
      }
      if (below >= 0 && above >= 0) return interpolate(x, table[below]!, table[above]!)
      const first = nearestOf(x, table, Number.NaN)
      const second = first < 0 ? -1 : nearestOf(x, table, Math.abs(x - table[first]!.x), first)
      if (second < 0) throw site.error(code)
      return outside(x, table[first]!, table[second]!, interpolate)
    }
  }
}

/** The first nearest entry that is not as near as `excluded`; -1 when there is none. */
function nearestOf(x: number, table: Table, excluded: number, not = -1): number {
  let best = -1
  for (let i = 0; i < table.length; i++) {
    const distance = Math.abs(x - table[i]!.x)
    if (i !== not && distance !== excluded && (best < 0 || distance < Math.abs(x - table[best]!.x))) best = i
  }
  return best
}

function interpolator(site: CallSite, code: number): Interpolate {
  const table = site.params[1]
  const record = table?.kind === 'array' ? table.items : undefined
  const to = record?.kind === 'record' ? record.fields.find(({ name }) => name === 'to')?.type : undefined
  if (to?.kind === 'array') {
    return (x, one, two) => {
      const from = one.to as Vector
      const toward = two.to as Vector
      if (from.length !== toward.length) throw site.error(code)
      const part = (x - one.x) / (two.x - one.x)
      return from.map((value, i) => (1 - part) * value + part * toward[i]!)
    }
  }
  return (x, one, two) => {
    const part = (x - one.x) / (two.x - one.x)
    return (1 - part) * (one.to as number) + part * (two.to as number)
  }
}

export const interpolation: LibraryModule = {
  'interp.bin': bin,
  'interp.nearest': nearest,
  'interp.linear': linear(22020, (x, one, two, interpolate) => interpolate(x, one, two)),
  'interp.linearFlat': linear(22030, (_, one) => one.to),
  'interp.linearMissing': linear(22040, (x, one, two, interpolate) => (one.x === x ? interpolate(x, one, two) : null)),
}
