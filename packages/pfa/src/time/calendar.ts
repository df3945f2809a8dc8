// The proleptic Gregorian calendar: days since 1970 come in and dates go out, or the other way.

/** Days from 0000-03-01, where the 400-year cycles of this reckoning begin, to 1970-01-01. */
const EPOCH = 719468
const DAYS_IN_CYCLE = 146097

export interface CivilDate {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
}

/** Years are counted from March here, so that the leap day is the last of its year. */
export function daysOf(year: number, month: number, day: number): number {
  const shifted = month > 2 ? year : year - 1
  const cycle = Math.floor(shifted / 400)
  const yearOfCycle = shifted - cycle * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfCycle = yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100) + dayOfYear
  return cycle * DAYS_IN_CYCLE + dayOfCycle - EPOCH
}

export function dateOf(days: number): CivilDate {
  const shifted = days + EPOCH
  const cycle = Math.floor(shifted / DAYS_IN_CYCLE)
  const dayOfCycle = shifted - cycle * DAYS_IN_CYCLE
  const leaps = Math.floor(dayOfCycle / 1460) - Math.floor(dayOfCycle / 36524) + Math.floor(dayOfCycle / 146096)
  const yearOfCycle = Math.floor((dayOfCycle - leaps) / 365)
  const yearStart = 365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100)
  const dayOfYear = dayOfCycle - yearStart
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  return { year: cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, day }
}

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isDate(year: number, month: number, day: number): boolean {
  if (year < 1 || year > 9999 || month < 1 || month > 12 || day < 1) return false
  const isLeapDay = month === 2 && day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return isLeapDay || day <= MONTH_LENGTHS[month - 1]!
}
