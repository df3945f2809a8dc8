import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateOf, daysOf, isDate } from '../../src/time/calendar.ts'
import { findZone } from '../../src/time/zones.ts'

const HOUR = 3600
const utc = (text: string) => Date.parse(`${text}Z`) / 1000

describe('zones', () => {
  it.each([
    ['', 0, 0],
    ['UTC', 0, 0],
    ['Etc/GMT+5', 0, -5 * HOUR],
    ['+05:30', 0, 5.5 * HOUR],
    ['-0330', 0, -3.5 * HOUR],
    ['UTC+9', 0, 9 * HOUR],
    ['GMT-03:00', 0, -3 * HOUR],
    ['EST', utc('1900-01-01T00:00:00'), -5 * HOUR],
    ['america/new_york', utc('2015-01-01T00:00:00'), -5 * HOUR],
    ['America/New_York', utc('2015-07-01T00:00:00'), -4 * HOUR],
    ['America/New_York', utc('2015-03-08T06:59:59'), -5 * HOUR],
    ['America/New_York', utc('2015-03-08T07:00:00'), -4 * HOUR],
    ['America/New_York', utc('2015-11-01T05:59:59'), -4 * HOUR],
    ['America/New_York', utc('2015-11-01T06:00:00'), -5 * HOUR],
    ['Australia/Lord_Howe', utc('2015-01-01T00:00:00'), 11 * HOUR],
    ['Australia/Lord_Howe', utc('2015-07-01T00:00:00'), 10.5 * HOUR],
    ['Asia/Kathmandu', utc('2015-07-01T00:00:00'), 5.75 * HOUR],
    ['Pacific/Apia', utc('2011-12-30T09:59:59'), -10 * HOUR],
    ['Pacific/Apia', utc('2011-12-30T10:00:00'), 14 * HOUR],
    ['Africa/Casablanca', utc('2012-07-25T00:00:00'), 0], // summer time pauses for a month
    ['Africa/Casablanca', utc('2012-08-25T00:00:00'), HOUR],
    ['America/Chicago', utc('2300-07-01T00:00:00'), -6 * HOUR], // beyond the tables, the last offset holds
  ])('%s at %d is %d from UTC', (name, instant, offset) => {
    expect(findZone(name)!.offsetAt(instant)).toBe(offset)
  })

  it.each(['Nowhere/Bad', 'GMT+25', '+24:00', '+5:99', 'x', '5', 'UTC+'])('there is no %s', (name) => {
    expect(findZone(name)).toBeUndefined()
  })

  it.each([
    ['a time like any other', 'America/New_York', '2015-07-01T12:00:00', '2015-07-01T16:00:00'],
    ['an hour that is skipped', 'America/New_York', '2015-03-08T02:30:00', '2015-03-08T07:30:00'],
    ['an hour that comes twice', 'America/New_York', '2015-11-01T01:30:00', '2015-11-01T06:30:00'],
    ['the hour before it', 'America/New_York', '2015-11-01T00:30:00', '2015-11-01T04:30:00'],
    ['the hour after it', 'America/New_York', '2015-11-01T02:30:00', '2015-11-01T07:30:00'],
    ['half an hour that comes twice', 'Australia/Lord_Howe', '2015-04-05T01:45:00', '2015-04-04T15:15:00'],
    ['a day that is skipped', 'Pacific/Apia', '2011-12-30T12:00:00', '2011-12-30T22:00:00'],
    ['a fixed offset', '+01:00', '2015-01-01T00:00:00', '2014-12-31T23:00:00'],
  ])('%s', (_, name, local, instant) => {
    expect(findZone(name)!.instantOf(utc(local))).toBe(utc(instant))
  })

  it('agrees with Intl at any instant', () => {
    const names = ['America/New_York', 'Europe/London', 'Asia/Tehran', 'Australia/Lord_Howe', 'America/Sao_Paulo']
    const instants = fc.integer({ min: utc('1850-01-01T00:00:00'), max: utc('2037-12-31T00:00:00') })
    fc.assert(
      fc.property(fc.constantFrom(...names), instants, (name, instant) => {
        const there = new Intl.DateTimeFormat('en-CA', {
          timeZone: name,
          hourCycle: 'h23',
          year: 'numeric',
          month: '2-digit',
          day: '2-digit',
          hour: '2-digit',
          minute: '2-digit',
          second: '2-digit',
        })
        const fields = Object.fromEntries(
          there.formatToParts(instant * 1000).map(({ type, value }) => [type, Number(value)]),
        )
        const { year, month, day, hour, minute, second } = fields as Record<string, number>
        const local = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!) / 1000
        expect(findZone(name)!.offsetAt(instant)).toBe(local - instant)
      }),
      { numRuns: 200 },
    )
  })
})

describe('calendar', () => {
  it('goes there and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: daysOf(1, 1, 1), max: daysOf(9999, 12, 31) }), (days) => {
        const { year, month, day } = dateOf(days)
        expect(daysOf(year, month, day)).toBe(days)
        expect(isDate(year, month, day)).toBe(true)
        const expected = new Date(days * 86400000)
        expect([year, month, day]).toEqual([
          expected.getUTCFullYear(),
          expected.getUTCMonth() + 1,
          expected.getUTCDate(),
        ])
      }),
    )
  })
  it.each([
    [1900, 2, 29, false],
    [2000, 2, 29, true],
    [2015, 4, 31, false],
    [2015, 0, 1, false],
    [2015, 1, 0, false],
  ])('%d-%d-%d', (year, month, day, expected) => expect(isDate(year, month, day)).toBe(expected))
})
