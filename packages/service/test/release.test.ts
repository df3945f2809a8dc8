import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dateText, healthRecord, release } from '../src/release.ts'

const dates: [iso: string, text: string][] = [
  ['2017-01-16T00:29:55Z', 'Mon Jan 16 00:29:55 UTC 2017'],
  ['2017-01-06T00:29:55.999Z', 'Fri Jan  6 00:29:55 UTC 2017'],
  ['2024-02-29T23:59:59Z', 'Thu Feb 29 23:59:59 UTC 2024'],
  ['1999-12-31T12:00:00+14:00', 'Thu Dec 30 22:00:00 UTC 1999'],
]
test.each(dates)('%s is written as `date -u` does: %s', (iso, text) => {
  expect(dateText(new Date(iso))).toBe(text)
})

test('any date can be read back', () => {
  const min = new Date('1000-01-01')
  const max = new Date('9999-12-31')
  fc.assert(
    fc.property(fc.date({ min, max, noInvalidDate: true }), (date) => {
      expect(Date.parse(dateText(date))).toBe(Math.floor(date.getTime() / 1000) * 1000)
    }),
  )
})

test('a health record has an id of its own, the release and the time of the build', () => {
  const [one, other] = [healthRecord(), healthRecord()]
  expect(Object.keys(one)).toEqual(['id', 'release', 'built_on'])
  expect(one.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(other.id).not.toBe(one.id)
  expect(one.release).toBe('1.3')
  expect(release).toBe('1.3')
  expect(one.built_on).toMatch(/^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}$/)
  expect(other.built_on).toBe(one.built_on)
})
