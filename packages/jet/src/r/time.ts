// Dates and times of R in words: a number with its class goes in, ISO 8601 comes out.
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
