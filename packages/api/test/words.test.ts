import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { didYouMean, nearestWord } from '../src/words.ts'

describe('nearestWord', () => {
  const cases: { name: string; word: string; known: string[]; nearest: string | undefined }[] = [
    { name: 'finds a word with a letter left out', word: 'helth', known: ['swagger', 'health'], nearest: 'health' },
    { name: 'finds a word with a letter too many', word: 'healtth', known: ['swagger', 'health'], nearest: 'health' },
    { name: 'finds a word with a wrong letter', word: 'heakth', known: ['swagger', 'health'], nearest: 'health' },
    { name: 'counts swapped neighbours as one slip', word: 'rtn', known: ['rnt'], nearest: 'rnt' },
    { name: 'does not mind upper case', word: 'HEALTH', known: ['health'], nearest: 'health' },
    { name: 'gives the known word as it is written', word: 'transport', known: ['Transport'], nearest: 'Transport' },
    { name: 'prefers the nearest', word: 'outputs', known: ['inputs', 'output'], nearest: 'output' },
    { name: 'gives the first of equals', word: 'cat', known: ['car', 'cap'], nearest: 'car' },
    { name: 'allows one slip in three letters', word: 'abx', known: ['abc'], nearest: 'abc' },
    { name: 'allows no two slips in three letters', word: 'axy', known: ['abc'], nearest: undefined },
    { name: 'allows two slips in six letters', word: 'strxxm', known: ['stream'], nearest: 'stream' },
    { name: 'allows no three slips in six letters', word: 'stxxxm', known: ['stream'], nearest: undefined },
    { name: 'gives nothing for no word at all', word: '', known: ['r', ''], nearest: undefined },
    { name: 'gives nothing when nothing is known', word: 'health', known: [], nearest: undefined },
  ]
  test.each(cases)('$name', ({ word, known, nearest }) => {
    expect(nearestWord(word, known)).toBe(nearest)
  })

  test('gives the same as comparing with every known word by the textbook', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 6 })
    fc.assert(
      fc.property(short, fc.array(short, { maxLength: 6 }), (word, known) => {
        const limit = Math.floor(Math.max(word.length, 3) / 3)
        const ranked = known.map((candidate) => ({ candidate, distance: distance(word, candidate) }))
        const least = Math.min(...ranked.map((entry) => entry.distance))
        const expected =
          least > limit || word === '' ? undefined : ranked.find((entry) => entry.distance === least)?.candidate
        expect(nearestWord(word, known)).toBe(expected)
      }),
    )
  })

  test('of two very long words is not looked for letter by letter', () => {
    // Every letter against every letter would be a million million steps.
    expect(nearestWord('x'.repeat(1_000_000), ['health', 'y'.repeat(1_000_000)])).toBeUndefined()
  })
})

describe('didYouMean', () => {
  test('asks with the nearest word', () => {
    expect(didYouMean('healt', ['health'])).toBe("; did you mean 'health'?")
  })
  test('says nothing when no word is near', () => {
    expect(didYouMean('zebra', ['health'])).toBe('')
  })
})

/** Insertions, deletions, replacements and swaps of neighbours, straight from the definition. */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const replaced = distance(a.slice(1), b.slice(1)) + (a[0] === b[0] ? 0 : 1)
  if (a[0] === b[0]) return replaced
  const options = [replaced, distance(a.slice(1), b) + 1, distance(a, b.slice(1)) + 1]
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]) {
    options.push(distance(a.slice(2), b.slice(2)) + 1)
  }
  return Math.min(...options)
}
