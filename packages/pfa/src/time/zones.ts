// Time zones: a name comes in, and what the clock shows there at any instant goes out. Instants are seconds since 1970 UTC.

export interface Zone {
  /** Seconds to add to UTC at this instant to get what the clock shows. */
  offsetAt(instant: number): number
  /** The instant at which the clock shows this; `local` is what a clock showing UTC would call seconds since 1970. */
  instantOf(local: number): number
}

const DAY = 86400
/** What is asked for at once; any length does. */
const YEAR = 366 * DAY
/** How far apart `Intl` is asked: no zone changed twice in so short a time. */
const STEP = 8 * DAY

// No zone changed before 1840, and the tables that results are compared with end with 32 bits.
const FIRST_INSTANT = -4102444800
const LAST_INSTANT = 2147483647

const zones = new Map<string, Zone>()
const MOST_ZONES = 2000

/** By IANA name in any case, by fixed offset (`+05:30`, `UTC-3`), UTC where blank. Undefined where there is no such zone. */
export function findZone(name: string): Zone | undefined {
  const known = zones.get(name)
  if (known !== undefined) return known
  const zone = fixedZone(name) ?? namedZone(name)
  if (zone === undefined) return undefined
  if (zones.size >= MOST_ZONES) zones.clear() // names come from records too: memory must not grow with them
  zones.set(name, zone)
  return zone
}

const OFFSET = /^(?:UTC|GMT)?([-+])(\d{1,2})(?::?([0-5]\d))?$/

/** Names of fixed offsets. Newer tables make some of them links to places that once had another. */
const FIXED = new Map([
  ['', 0],
  ['UTC', 0],
  ['EST', -5 * 3600],
  ['MST', -7 * 3600],
  ['HST', -10 * 3600],
])

function fixedZone(name: string): Zone | undefined {
  const fixed = FIXED.get(name)
  if (fixed !== undefined) return zoneAt(fixed)
  const match = OFFSET.exec(name)
  if (match === null) return undefined
  const seconds = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60
  if (seconds >= DAY) return undefined
  return zoneAt(match[1] === '-' ? -seconds : seconds)
}

function zoneAt(offset: number): Zone {
  return { offsetAt: () => offset, instantOf: (local) => local - offset }
}

function namedZone(name: string): Zone | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined // newer engines take offsets too, by rules of their own
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
    return new NamedZone(format)
  } catch {
    return undefined
  }
}

/** The stretches of one year: `starts[i]` is the first instant at which `offsets[i]` holds. */
interface Year {
  readonly starts: readonly number[]
  readonly offsets: readonly number[]
}

/** Asks `Intl`, which is slow, a few dozen times for each year that is needed, and never again. */
class NamedZone implements Zone {
  readonly #format: Intl.DateTimeFormat
  readonly #years = new Map<number, Year>()

  constructor(format: Intl.DateTimeFormat) {
    this.#format = format
  }

  offsetAt(instant: number): number {
    const within = Math.min(Math.max(Math.floor(instant), FIRST_INSTANT), LAST_INSTANT)
    const index = Math.floor(within / YEAR)
    let year = this.#years.get(index)
    if (year === undefined) {
      year = this.#explore(index * YEAR, (index + 1) * YEAR)
      this.#years.set(index, year)
    }
    let i = year.starts.length - 1
    while (year.starts[i]! > within) i--
    return year.offsets[i]!
  }

  /**
   * What the clock shows twice, when it is put back, is the later of the two. What it skips is reckoned with the offset
   * before the skip.
   */
  instantOf(local: number): number {
    const before = this.offsetAt(local - DAY)
    const after = this.offsetAt(local + DAY)
    if (before === after) return local - before
    const isAfter = this.offsetAt(local - after) === after
    return local - (isAfter ? after : before)
  }

  #explore(start: number, end: number): Year {
    const starts = [start]
    const offsets = [this.#ask(start)]
    for (let at = start; at < end; at += STEP) {
      const next = Math.min(at + STEP, end)
      const offset = this.#ask(next)
      const current = offsets[offsets.length - 1]!
      if (offset === current) continue
      starts.push(this.#findChange(at, next, current))
      offsets.push(offset)
    }
    return { starts, offsets }
  }

  /** The first instant after `low` whose offset is not `offset`, which it has no more at `high`. */
  #findChange(low: number, high: number, offset: number): number {
    let from = low
    let to = high
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2)
      if (this.#ask(middle) === offset) from = middle
      else to = middle
    }
    return to
  }

  #ask(instant: number): number {
    const match = /GMT(?:([-+])(\d+):(\d+)(?::(\d+))?)?$/.exec(this.#format.format(instant * 1000))
    if (match === null || match[1] === undefined) return 0
    const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
    return match[1] === '-' ? -seconds : seconds
  }
}
