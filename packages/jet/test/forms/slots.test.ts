// Emissions by slot: the order in each slot is the order of the model, and ends of record sets stand where they came.

import { frameAt } from '@pitot/codec'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emissionsBySlot } from '../../src/forms/slots.ts'
import { END_OF_SET, type Scored } from '../../src/index.ts'

type Emission = { readonly index: number; readonly slot: number; readonly text: string | null }

function scoredOf(emissions: readonly Emission[]): Scored {
  const bounds: number[] = []
  let text = ''
  for (const emission of emissions) {
    bounds.push(text.length, text.length + (emission.text?.length ?? 0))
    text += emission.text ?? ''
  }
  return {
    batch: 0,
    consumed: 0,
    seconds: { decode: 0, checkInput: 0, model: 0, checkOutput: 0, encode: 0 },
    indexes: Uint32Array.from(emissions, ({ index }) => index),
    bounds: Uint32Array.from(bounds),
    slots: Uint16Array.from(emissions, ({ slot, text }) => (text === null ? slot | END_OF_SET : slot)),
    bytes: Buffer.from(text),
    rejects: [],
  }
}

/** The same, told per slot: text of each emission, `|` for the end of a set. */
function told(emissions: readonly Emission[]): Record<string, string[]> {
  const bySlot: Record<string, string[]> = {}
  for (const { slot, index, text } of emissions) {
    bySlot[slot] ??= []
    bySlot[slot].push(text === null ? '|' : `${index}:${text}`)
  }
  return bySlot
}

function grouped(scored: Scored): Record<string, string[]> {
  return Object.fromEntries(
    emissionsBySlot(scored).map(({ slot, frames, indexes, endsOfSets = [] }) => {
      const texts = Array.from(indexes, (index, at) => `${index}:${Buffer.from(frameAt(frames, at))}`)
      for (const [place, end] of endsOfSets.entries()) texts.splice(end + place, 0, '|')
      return [slot, texts]
    }),
  )
}

const emissionsOf = (slots: readonly number[], texts: fc.Arbitrary<string | null>) =>
  fc.array(fc.record({ index: fc.nat(9), slot: fc.constantFrom(...slots), text: texts }), { maxLength: 30 })
const text = fc.stringMatching(/^[a-z]{0,4}$/)

test.each<[string, fc.Arbitrary<Emission[]>]>([
  ['one slot', emissionsOf([1], text)],
  ['several slots', emissionsOf([1, 3, 5], text)],
  ['record sets', emissionsOf([1, 3], fc.option(text))],
])('%s', (_, emissions) => {
  fc.assert(
    fc.property(emissions, (all) => {
      expect(grouped(scoredOf(all))).toEqual(told(all))
    }),
  )
})

test('nothing is copied', () => {
  const scored = scoredOf([
    { index: 0, slot: 1, text: 'a' },
    { index: 1, slot: 3, text: 'b' },
  ])
  expect(emissionsBySlot(scored).every(({ frames }) => frames.bytes === scored.bytes)).toBe(true)
})
