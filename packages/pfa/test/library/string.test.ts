import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exponential, fixed } from '../../src/library/string/decimal.ts'
import { string as module } from '../../src/library/string.ts'
import { array, BOOLEAN, DOUBLE, fails, INT, LONG, NULL, type Row, STRING, testTable, union } from './table.ts'

const S2 = [STRING, STRING]
const S3 = [STRING, STRING, STRING]
const SLICE = [STRING, INT, INT]
const PADDED = [LONG, INT, BOOLEAN]
const MAYBE = union(INT, NULL)
const NUMBER = [DOUBLE, MAYBE, MAYBE]
const NUMBER_WITHIN = [DOUBLE, MAYBE, MAYBE, DOUBLE, DOUBLE]
const INF = Number.POSITIVE_INFINITY

const rows: Row[] = [
  ['s.len', [STRING], ['a😀é'], 3],
  ['s.substr', SLICE, ['a😀é', 1, 2], '😀'],
  ['s.substr', SLICE, ['hello', -4, -1], 'ell'],
  ['s.substr', SLICE, ['hello', 3, 1], ''],
  ['s.substr', SLICE, ['hello', -99, 99], 'hello'],
  ['s.substrto', [STRING, INT, INT, STRING], ['a😀é', 1, 2, 'xy'], 'axyé'],
  ['s.substrto', [STRING, INT, INT, STRING], ['hello', 3, 1, '-'], 'hel-lo'],
  ['s.contains', S2, ['hello', 'ell'], true],
  ['s.contains', S2, ['', ''], true],
  ['s.count', S2, ['aaaa', 'aa'], 2],
  ['s.count', S2, ['aaaa', ''], 0],
  ['s.index', S2, ['😀ab', 'b'], 2],
  ['s.index', S2, ['ab', 'c'], -1],
  ['s.rindex', S2, ['😀bab', 'b'], 3],
  ['s.rindex', S2, ['ab', 'c'], -1],
  ['s.rindex', S2, ['ab', ''], 2],
  ['s.startswith', S2, ['hello', 'he'], true],
  ['s.endswith', S2, ['hello', 'he'], false],
  ['s.join', [array(STRING), STRING], [['a', 'b'], ', '], 'a, b'],
  ['s.join', [array(STRING), STRING], [[], ', '], ''],
  ['s.split', S2, [',a,,b,', ','], ['', 'a', '', 'b', '']],
  ['s.split', S2, ['abc', ''], []],
  ['s.split', S2, ['', ','], ['']],
  ['s.hex', [LONG], [255], 'ff'],
  ['s.hex', [LONG], [9223372036854775807n], '7fffffffffffffff'],
  ['s.hex', [LONG], [-1], fails(39111)],
  ['s.hex', PADDED, [255, 5, false], '   ff'],
  ['s.hex', PADDED, [255, -5, false], 'ff   '],
  ['s.hex', PADDED, [255, 5, true], '000ff'],
  ['s.hex', PADDED, [255, -5, true], fails(39110)],
  ['s.int', [LONG], [-9223372036854775808n], '-9223372036854775808'],
  ['s.int', PADDED, [-42, 6, true], '-00042'],
  ['s.int', PADDED, [42, -4, false], '42  '],
  ['s.int', PADDED, [42, 0, false], ''],
  ['s.int', PADDED, [12345, 2, false], '12345'],
  ['s.int', PADDED, [42, -4, true], fails(39240)],
  ['s.number', [LONG], [-5], '-5'],
  ['s.number', PADDED, [5, 3, true], '005'],
  ['s.number', PADDED, [5, -3, true], fails(39120)],
  ['s.number', NUMBER, [3.14, null, null], '3.14'],
  ['s.number', NUMBER, [3, null, null], '3.0'],
  ['s.number', NUMBER, [-0, null, null], '0.0'],
  ['s.number', NUMBER, [0.0001, null, null], '0.0001'],
  ['s.number', NUMBER, [0.00001, null, null], '1.0e-05'],
  ['s.number', NUMBER, [100000, null, null], '100000.0'],
  ['s.number', NUMBER, [123456789, null, null], '1.234568e+08'],
  ['s.number', NUMBER, [1e300, null, 3], '1.000e+300'],
  ['s.number', NUMBER, [2.5, null, 0], '2'],
  ['s.number', NUMBER, [0.125, null, 2], '0.12'],
  ['s.number', NUMBER, [1.5, 6, 2], '  1.50'],
  ['s.number', NUMBER, [1.5, -6, 2], '1.50  '],
  ['s.number', NUMBER, [Number.NaN, 5, null], '  nan'],
  ['s.number', NUMBER, [-INF, null, 2], '-inf'],
  ['s.number', NUMBER, [INF, null, null], 'inf'],
  ['s.number', NUMBER, [1, null, -1], fails(39121)],
  ['s.number', NUMBER_WITHIN, [5, null, 1, 10, 100], '5.0e+00'],
  ['s.number', NUMBER_WITHIN, [50, null, 1, 10, 100], '50.0'],
  ['s.concat', S2, ['a', 'b'], 'ab'],
  ['s.repeat', [STRING, INT], ['ab', 2], 'abab'],
  ['s.repeat', [STRING, INT], ['ab', -2], ''],
  ['s.lower', [STRING], ['ÀB'], 'àb'],
  ['s.upper', [STRING], ['straße'], 'STRASSE'],
  ['s.lstrip', S2, ['xyxa x', 'yx'], 'a x'],
  ['s.rstrip', S2, ['a😀😀', '😀'], 'a'],
  ['s.strip', S2, ['xyaxy', 'xy'], 'a'],
  ['s.strip', S2, ['xx', 'x'], ''],
  ['s.strip', S2, [' a ', ''], ' a '],
  ['s.replaceall', S3, ['a.a', 'a', '$&'], '$&.$&'],
  ['s.replaceall', S3, ['a😀', '', '-'], '-a-😀-'],
  ['s.replacefirst', S3, ['aa', 'a', '$1'], '$1a'],
  ['s.replacefirst', S3, ['aa', 'b', 'c'], 'aa'],
  ['s.replacelast', S3, ['aa', 'a', 'b'], 'ab'],
  ['s.replacelast', S3, ['aa', '', 'b'], 'aab'],
  ['s.translate', S3, ['banana', 'abn', 'AB'], 'BAAA'],
  ['s.translate', S3, ['😀x', '😀', 'y'], 'yx'],
]

testTable('s.', module, rows)

describe('decimal text', () => {
  const finite = fc.double({ noNaN: true, noDefaultInfinity: true })

  it('agrees with exact arithmetic', () => {
    fc.assert(
      fc.property(finite, fc.nat(20), (x, places) => {
        for (const written of [fixed(x, places), exponential(x, places)]) expect(isNearest(written, x)).toBe(true)
      }),
    )
  })
  it('has the form of C', () => {
    fc.assert(
      fc.property(finite, fc.nat(20), (x, places) => {
        const digits = places === 0 ? '' : `\\.\\d{${places}}`
        expect(fixed(x, places)).toMatch(new RegExp(`^-?\\d+${digits}$`))
        expect(exponential(x, places)).toMatch(new RegExp(`^-?\\d${digits}e[-+]\\d\\d+$`))
      }),
    )
  })
  it.each([
    [0.5, 0, '0', '5e-01'],
    [1.5, 0, '2', '2e+00'],
    [2.5, 0, '2', '2e+00'],
    [-0.125, 2, '-0.12', '-1.25e-01'],
    [1e23, 2, '99999999999999991611392.00', '1.00e+23'],
    [9.995, 2, '9.99', '9.99e+00'],
    [99.5, 0, '100', '1e+02'],
    [5e-324, 3, '0.000', '4.941e-324'],
    [0, 2, '0.00', '0.00e+00'],
  ])('%d with %d places', (x, places, plain, scientific) => {
    expect(fixed(x, places)).toBe(plain)
    expect(exponential(x, places)).toBe(scientific)
  })
})

/** Is the text at most half a unit of its last digit away from the number? Reckoned exactly. */
function isNearest(written: string, x: number): boolean {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(written)!
  const scale = Number(match[4] ?? 0) - (match[3] ?? '').length
  const digits = BigInt(match[2]! + (match[3] ?? ''))
  let numerator = 1n
  let magnitude = Math.abs(x)
  while (!Number.isInteger(magnitude)) {
    magnitude *= 2
    numerator *= 2n
  }
  // magnitude / numerator is x, exactly; digits * 10 ** scale is what was written.
  const left = BigInt(magnitude) * (scale < 0 ? 10n ** BigInt(-scale) : 1n)
  const right = digits * numerator * (scale > 0 ? 10n ** BigInt(scale) : 1n)
  const unit = numerator * (scale > 0 ? 10n ** BigInt(scale) : 1n)
  const distance = left > right ? left - right : right - left
  return 2n * distance <= unit
}
