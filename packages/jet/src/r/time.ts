// Dates and times of R: a number with its class goes in; ISO 8601 comes out, or the number that a logical type wants.
import { hasClass, type RVector } from './value.ts'

const DAY = 86_400_000

export function isTime(vector: RVector): boolean {
  return hasClass(vector, 'Date') || hasClass(vector, 'POSIXct')
}

/** A Date counts days, a POSIXct seconds, both from 1970. What JavaScript's calendar does not have stays a number. */
export function instantOf(vector: RVector, value: number): string | number {
  const isDate = hasClass(vector, 'Date')
  const date = new Date(isDate ? Math.floor(value) * DAY : value * 1000)
  if (Number.isNaN(date.getTime())) return value
  const text = date.toISOString()
  return isDate ? text.slice(0, 10) : text
}

/** Units in a second. What is finer than a unit is cut off. */
const TIMESTAMPS: Readonly<Record<string, number>> = {
  'timestamp-millis': 1e3,
  'timestamp-micros': 1e6,
  'timestamp-nanos': 1e9,
  'local-timestamp-millis': 1e3,
  'local-timestamp-micros': 1e6,
  'local-timestamp-nanos': 1e9,
}

/** Logical types that say what the number of a date or time is to count. */
export function countsTime(logicalType: string | undefined): logicalType is string {
  return logicalType !== undefined && (logicalType in TIMESTAMPS || /^(date|time-.*)$/.test(logicalType))
}

/** The number of days or units since 1970 that the type wants. What is none of the type is given in words, for the check to refuse. */
export function countOf(vector: RVector, value: number, logicalType: string): unknown {
  // Seconds are doubles, which are true to the microsecond.
  const microseconds = hasClass(vector, 'Date') ? Math.floor(value) * DAY * 1e3 : Math.round(value * 1e6)
  const perSecond = TIMESTAMPS[logicalType]
  if (perSecond === undefined) {
    const isDay = logicalType === 'date' && microseconds % (DAY * 1e3) === 0
    return isDay ? microseconds / (DAY * 1e3) : instantOf(vector, value)
  }
  if (perSecond <= 1e6) return Math.floor(microseconds / (1e6 / perSecond))
  return Number.isFinite(microseconds) ? BigInt(microseconds) * 1000n : microseconds
}
