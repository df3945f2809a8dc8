import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bestOffer } from '../src/accept.ts'

const offers = ['application/json', 'application/x-yaml', 'text/yaml'] as const

describe('bestOffer', () => {
  const cases: [accept: string | undefined, best: string | undefined, why: string][] = [
    [undefined, 'application/json', 'no header means the first'],
    ['', 'application/json', 'an empty header means the first'],
    ['  ', 'application/json', 'a blank header means the first'],
    ['*/*', 'application/json', 'anything means the first'],
    ['application/x-yaml', 'application/x-yaml', 'the exact type'],
    ['Application/X-YAML', 'application/x-yaml', 'case does not matter'],
    ['text/*', 'text/yaml', 'a group'],
    ['text/yaml, application/json', 'application/json', 'among equals the first of the offers'],
    ['application/json;q=0.5, text/yaml', 'text/yaml', 'the better quality'],
    ['application/json;q=0.5,text/yaml;q=0.6', 'text/yaml', 'spaces do not matter'],
    ['application/json ; q=0.5 , text/yaml ; q=0.4', 'application/json', 'nor do more spaces'],
    ['*/*;q=0.1, text/yaml', 'text/yaml', 'the exact range beats anything'],
    ['application/*, application/json;q=0.2', 'application/x-yaml', 'the exact range decides even when it is lower'],
    ['*/*, application/json;q=0', 'application/x-yaml', 'quality 0 means not at all'],
    ['application/json;q=0', undefined, 'nothing is left'],
    ['image/png', undefined, 'nothing is offered'],
    ['application/json; charset=utf-8', 'application/json', 'parameters are passed over'],
    ['application/json;q=abc', undefined, 'a quality that is no number is none'],
    ['application/json;q=', undefined, 'an empty quality is none'],
    ['application/json;Q=0.1, text/yaml;q=0.2', 'text/yaml', 'Q is q'],
    [',,;,/', undefined, 'rubbish asks for nothing'],
    ['text/html, image/gif, *; q=.2, */*; q=.2', 'application/json', 'what Java sends'],
  ]
  test.each(cases)('%j gives %j: %s', (accept, best) => {
    expect(bestOffer(accept, offers)).toBe(best)
  })

  test('an offer with parameters is given back with them', () => {
    expect(bestOffer('text/plain', ['text/plain; version=0.0.4'])).toBe('text/plain; version=0.0.4')
  })

  test('nothing offered is nothing given', () => {
    expect(bestOffer(undefined, [])).toBeUndefined()
    expect(bestOffer('*/*', [])).toBeUndefined()
  })

  test('any header gives one of the offers or nothing', () => {
    const header = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('application/json', 'text', '/', '*', ';', 'q=', '0', '.', '1', ',', ' ') }),
    )
    fc.assert(
      fc.property(header, (accept) => {
        expect([...offers, undefined]).toContain(bestOffer(accept, offers))
      }),
    )
  })

  test('of exact wishes the best wins, in whatever order they stand', () => {
    const wishes = fc.uniqueArray(
      fc.record({ type: fc.constantFrom(...offers), quality: fc.integer({ min: 0, max: 10 }) }),
      {
        selector: (wish) => wish.type,
        minLength: 1,
      },
    )
    fc.assert(
      fc.property(wishes, (list) => {
        const header = list.map(({ type, quality }) => `${type};q=${quality / 10}`).join(', ')
        const best = Math.max(...list.map((wish) => wish.quality))
        const wanted = offers.filter((type) => list.some((wish) => wish.type === type && wish.quality === best))
        expect(bestOffer(header, offers)).toBe(best === 0 ? undefined : wanted[0])
      }),
    )
  })
})
