import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as strings from '../../src/runtime/strings.ts'

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('a', 'é', '\uffff', '😀', '𝒜') }),
)

describe('strings by code point', () => {
  it('length, slice, offset and position agree with the decoded characters', () => {
    fc.assert(
      fc.property(text, fc.nat(12), fc.nat(12), (value, start, end) => {
        const characters = Array.from(value)
        expect(strings.characters(value)).toEqual(characters)
        expect(strings.length(value)).toBe(characters.length)
        expect(strings.slice(value, start, end)).toBe(characters.slice(start, end).join(''))
        const offset = strings.offset(value, start)
        expect(offset).toBe(characters.slice(0, start).join('').length)
        expect(strings.position(value, offset)).toBe(Math.min(start, characters.length))
      }),
    )
  })
  it('compares by code point', () => {
    fc.assert(
      fc.property(text, text, (x, y) => {
        const xs = Array.from(x, (character) => character.codePointAt(0)!)
        const ys = Array.from(y, (character) => character.codePointAt(0)!)
        let expected = Math.sign(xs.length - ys.length)
        for (let i = 0; i < Math.min(xs.length, ys.length); i++) {
          if (xs[i] !== ys[i]) {
            expected = xs[i]! < ys[i]! ? -1 : 1
            break
          }
        }
        expect(strings.compare(x, y)).toBe(expected)
      }),
    )
  })
  it('puts characters beyond U+FFFF last, unlike UTF-16', () => {
    expect('😀' < '\uffff').toBe(true)
    expect(strings.compare('😀', '\uffff')).toBe(1)
  })
})
