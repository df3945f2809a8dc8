// The library module `time`: timestamps (seconds since 1970 UTC) and zones come in, parts of dates and answers go out.
import { dateOf, daysOf, isDate } from '../time/calendar.ts'
import { findZone, type Zone } from '../time/zones.ts'
import type { CallSite, Implementation, LibraryModule } from './library.ts'

const DAY = 86400
const FIRST_TIMESTAMP = -62135596800
const LAST_TIMESTAMP = 253402300799

/** What the clock shows at a place, as seconds that a clock showing UTC would have counted since 1970. */
type Clock = (timestamp: number, zone: string) => number

/** Raises `rangeCode` for timestamps outside the years 1 to 9999 and then `zoneCode` for zones that are not known. */
function clock(site: CallSite, zoneCode: number, rangeCode: number): Clock {
  const zoneOf = zones(site, zoneCode)
  return (timestamp, name) => {
    if (!(timestamp >= FIRST_TIMESTAMP && timestamp <= LAST_TIMESTAMP)) throw site.error(rangeCode)
    const seconds = wholeSeconds(timestamp)
    return seconds + zoneOf(name).offsetAt(seconds)
  }
}

/** Mostly, the zone is the same in every call: then it is not looked up again. */
function zones(site: CallSite, code: number): (name: string) => Zone {
  let lastName: string | undefined
  let lastZone: Zone | undefined
  return (name) => {
    if (name !== lastName) {
      const zone = findZone(name)
      if (zone === undefined) throw site.error(code)
      lastName = name
      lastZone = zone
    }
    return lastZone!
  }
}

/** Time is kept to the microsecond: what is nearer than half of one to the next second belongs to it. */
function wholeSeconds(timestamp: number): number {
  const seconds = Math.floor(timestamp)
  return timestamp - seconds > 0.9999995 ? seconds + 1 : seconds
}

const dayNumber = (local: number) => Math.floor(local / DAY)
const secondOfDay = (local: number) => local - dayNumber(local) * DAY

const second = (local: number) => secondOfDay(local) % 60
const minute = (local: number) => Math.floor(secondOfDay(local) / 60) % 60
const hour = (local: number) => Math.floor(secondOfDay(local) / 3600)
/** Monday is 0. Day 0 was a Thursday. */
const dayOfWeek = (local: number) => (((dayNumber(local) + 3) % 7) + 7) % 7
const dayOfMonth = (local: number) => dateOf(dayNumber(local)).day
const month = (local: number) => dateOf(dayNumber(local)).month
const year = (local: number) => dateOf(dayNumber(local)).year
const dayOfYear = (local: number) => dayNumber(local) - daysOf(year(local), 1, 1) + 1

type Part = (local: number) => number

function part(code: number, get: Part): Implementation {
  return (site) => {
    const show = clock(site, code, code + 1)
    return (timestamp: number, zone: string) => get(show(timestamp, zone))
  }
}

/** Is the part from `low` (included) to `high` (excluded)? */
function isWithin(code: number, get: Part): Implementation {
  return (site) => {
    const show = clock(site, code + 1, code + 2)
    return (timestamp: number, zone: string, low: number, high: number) => {
      if (low >= high) throw site.error(code)
      const value = get(show(timestamp, zone))
      return value >= low && value < high
    }
  }
}

export const time: LibraryModule = {
  'time.year': part(40000, year),
  'time.monthOfYear': part(40010, month),
  'time.dayOfYear': part(40020, dayOfYear),
  'time.dayOfMonth': part(40030, dayOfMonth),
  'time.dayOfWeek': part(40040, dayOfWeek),
  'time.hourOfDay': part(40050, hour),
  'time.minuteOfHour': part(40060, minute),
  'time.secondOfMinute': part(40070, second),
  'time.makeTimestamp': (site) => {
    const zoneOf = zones(site, 40080)
    return (
      year: number,
      month: number,
      day: number,
      hour: number,
      minute: number,
      second: number,
      millisecond: number,
      zone: string,
    ) => {
      const place = zoneOf(zone)
      const isTime = isIn(hour, 24) && isIn(minute, 60) && isIn(second, 60) && isIn(millisecond, 1000)
      if (!isTime || !isDate(year, month, day)) throw site.error(40081)
      const local = daysOf(year, month, day) * DAY + hour * 3600 + minute * 60 + second
      return place.instantOf(local) + millisecond / 1000
    }
  },
  'time.isSecondOfMinute': isWithin(40090, second),
  'time.isMinuteOfHour': isWithin(40100, minute),
  'time.isHourOfDay': isWithin(40110, hour),
  'time.isDayOfWeek': isWithin(40120, dayOfWeek),
  'time.isDayOfMonth': isWithin(40130, dayOfMonth),
  'time.isMonthOfYear': isWithin(40140, month),
  'time.isDayOfYear': isWithin(40150, dayOfYear),
  'time.isWeekend': (site) => {
    const show = clock(site, 40160, 40161)
    return (timestamp: number, zone: string) => dayOfWeek(show(timestamp, zone)) >= 5
  },
  'time.isWorkHours': (site) => {
    const show = clock(site, 40170, 40171)
    return (timestamp: number, zone: string) => {
      // By the hour alone: documents in use were made with a reference that lets weekends count.
      const shown = hour(show(timestamp, zone))
      return shown >= 9 && shown < 17
    }
  },
}

function isIn(value: number, end: number): boolean {
  return value >= 0 && value < end
}
