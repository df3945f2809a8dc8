import { time } from '../../src/library/time.ts'
import { DOUBLE, fails, INT, type Row, STRING, testTable } from './table.ts'

const AT = [DOUBLE, STRING]
const WITHIN = [DOUBLE, STRING, DOUBLE, DOUBLE]
const MAKE = [INT, INT, INT, INT, INT, INT, INT, STRING]

/** Saturday, 2016-02-27 23:59:58 UTC, which is Sunday in Tokyo. */
const INSTANT = 1456617598.75

/** Each part of the date there: its function, the error codes begin at, the value in UTC and in Tokyo. */
const PARTS: [string, number, number, number][] = [
  ['year', 40000, 2016, 2016],
  ['monthOfYear', 40010, 2, 2],
  ['dayOfYear', 40020, 58, 59],
  ['dayOfMonth', 40030, 27, 28],
  ['dayOfWeek', 40040, 5, 6],
  ['hourOfDay', 40050, 23, 8],
  ['minuteOfHour', 40060, 59, 59],
  ['secondOfMinute', 40070, 58, 58],
]

const RANGES: [string, number, number][] = [
  ['isSecondOfMinute', 40090, 58],
  ['isMinuteOfHour', 40100, 59],
  ['isHourOfDay', 40110, 23],
  ['isDayOfWeek', 40120, 5],
  ['isDayOfMonth', 40130, 27],
  ['isMonthOfYear', 40140, 2],
  ['isDayOfYear', 40150, 58],
]

const rows: Row[] = [
  ...PARTS.flatMap(([name, code, utc, tokyo]): Row[] => [
    [`time.${name}`, AT, [INSTANT, ''], utc],
    [`time.${name}`, AT, [INSTANT, 'Asia/Tokyo'], tokyo],
    [`time.${name}`, AT, [INSTANT, 'Nowhere/Bad'], fails(code)],
    [`time.${name}`, AT, [-62135596801, ''], fails(code + 1)],
    [`time.${name}`, AT, [253402300800, 'Nowhere/Bad'], fails(code + 1)],
    [`time.${name}`, AT, [Number.NaN, ''], fails(code + 1)],
  ]),
  ...RANGES.flatMap(([name, code, value]): Row[] => [
    [`time.${name}`, WITHIN, [INSTANT, '', value, value + 0.5], true],
    [`time.${name}`, WITHIN, [INSTANT, '', value - 1, value], false],
    [`time.${name}`, WITHIN, [INSTANT, '', 5, 5], fails(code)],
    [`time.${name}`, WITHIN, [INSTANT, 'Nowhere/Bad', 0, 5], fails(code + 1)],
    [`time.${name}`, WITHIN, [1e300, '', 0, 5], fails(code + 2)],
  ]),
  ['time.year', AT, [-62135596800, ''], 1],
  ['time.year', AT, [253402300799, ''], 9999],
  ['time.dayOfWeek', AT, [0, ''], 3],
  ['time.dayOfWeek', AT, [-86400 * 4, ''], 6],
  ['time.dayOfYear', AT, [1483228799, ''], 366],
  ['time.secondOfMinute', AT, [-0.5, ''], 59],
  ['time.secondOfMinute', AT, [1.9999999, ''], 2],
  ['time.isWeekend', AT, [INSTANT, ''], true],
  ['time.isWeekend', AT, [INSTANT - 86400, ''], false],
  ['time.isWeekend', AT, [INSTANT, 'x'], fails(40160)],
  ['time.isWeekend', AT, [1e300, ''], fails(40161)],
  ['time.isWorkHours', AT, [1456758000, ''], true],
  ['time.isWorkHours', AT, [1456758000, 'America/New_York'], true],
  ['time.isWorkHours', AT, [1456758000, 'Asia/Tokyo'], false],
  ['time.isWorkHours', AT, [INSTANT, 'x'], fails(40170)],
  ['time.isWorkHours', AT, [1e300, ''], fails(40171)],
  ['time.makeTimestamp', MAKE, [1970, 1, 1, 0, 0, 0, 0, ''], 0],
  ['time.makeTimestamp', MAKE, [2016, 2, 29, 1, 2, 3, 4, 'Asia/Kolkata'], 1456687923.004],
  ['time.makeTimestamp', MAKE, [1, 1, 1, 0, 0, 0, 0, ''], -62135596800],
  ['time.makeTimestamp', MAKE, [1970, 1, 1, 0, 0, 0, 0, 'x'], fails(40080)],
  ['time.makeTimestamp', MAKE, [2015, 2, 29, 0, 0, 0, 0, ''], fails(40081)],
  ['time.makeTimestamp', MAKE, [0, 1, 1, 0, 0, 0, 0, ''], fails(40081)],
  ['time.makeTimestamp', MAKE, [10000, 1, 1, 0, 0, 0, 0, ''], fails(40081)],
  ['time.makeTimestamp', MAKE, [2015, 1, 1, 24, 0, 0, 0, ''], fails(40081)],
  ['time.makeTimestamp', MAKE, [2015, 1, 1, 0, 60, 0, 0, ''], fails(40081)],
  ['time.makeTimestamp', MAKE, [2015, 1, 1, 0, 0, 60, 0, ''], fails(40081)],
  ['time.makeTimestamp', MAKE, [2015, 1, 1, 0, 0, 0, 1000, ''], fails(40081)],
]

testTable('time.', time, rows)
