import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeRegex } from '../../src/regex/regex.ts'
import { codePoints } from '../../src/regex/units.ts'

const units = (text: string) => Array.from(text, (character) => character.codePointAt(0)!)
const nothing = () => {}

function groups(pattern: string, subject: string, from = 0): unknown {
  const found = makeRegex(units(pattern), codePoints)!.searchGroups(units(subject), from, nothing)
  return found?.map((span) => span && [span.start, span.end])
}

describe('patterns that are none', () => {
  it.each([
    '(',
    '[',
    '[a',
    '[]',
    '[^]',
    '[z-a]',
    '[[:nope:]]',
    '[[:alpha:]',
    '[[.ab.]]',
    '[a-m-z]',
    '[a-[:alpha:]]',
    '*',
    '+a',
    '?',
    '(*)',
    'a|*',
    '(?i)a',
    '(?:a)',
    '^*',
    '{2}',
    'a{',
    'a{x}',
    'a{2',
    'a{2,1}',
    'a{,',
    'a{32768}',
    '\\',
    '\\1',
    '(a\\1)',
    '(a)\\2',
    'a{1000}{1000}',
    '('.repeat(300) + ')'.repeat(300),
  ])('%s', (pattern) => expect(makeRegex(units(pattern), codePoints)).toBeUndefined())
})

/** Pattern, subject, and the groups of the first match. */
const MATCHES: [string, string, unknown][] = [
  // leftmost, then longest
  ['a|ab|abc', 'xabcd', [[1, 4]]],
  ['abcd|c', 'abcd', [[0, 4]]],
  ['b|a*', 'aab', [[0, 2]]],
  ['x*', 'abc', [[0, 0]]],
  ['c$', 'cc', [[1, 2]]],
  ['o.*?o', 'foo boo', [[1, 7]]],
  // characters
  ['\\.\\*\\(\\\\', 'a.*(\\', [[1, 5]]],
  ['\\d', '1d', [[1, 2]]],
  ['.', '\n', [[0, 1]]],
  ['.', '\0a', [[1, 2]]],
  ['a}', 'a}', [[0, 2]]],
  ['a)', 'a)', [[0, 2]]],
  ['[]a]+', ']a', [[0, 2]]],
  ['[^]a]', ']ab', [[2, 3]]],
  ['[a-]+', 'b-a', [[1, 3]]],
  ['[\\n]+', 'n\\', [[0, 2]]],
  ['[[:digit:][:upper:]_]+', 'a1B_c', [[1, 4]]],
  ['[[:alpha:]]+', '1éß😀', [[1, 3]]],
  ['[[=a=][.-.]]+', 'ba-', [[1, 3]]],
  ['[^[:space:]]+', ' ab ', [[1, 3]]],
  ['\\w+', '-aé_1-', [[1, 5]]],
  ['\\W', 'a-', [[1, 2]]],
  ['\\s\\S', 'a b', [[1, 3]]],
  // counts
  ['a{2}', 'aaa', [[0, 2]]],
  ['a{2,}', 'baaa', [[1, 4]]],
  ['a{,2}', 'aaa', [[0, 2]]],
  ['a{1,2}b', 'aaab', [[1, 4]]],
  ['(ab){0}c', 'abc', [[2, 3], undefined]],
  ['a**', 'aa', [[0, 2]]],
  // places
  ['^a', 'ba', undefined],
  ['^$', '', [[0, 0]]],
  ['a$', 'ab', undefined],
  ['^b', 'a\nb', undefined],
  ['\\bfox\\b', 'foxy fox', [[5, 8]]],
  ['\\Bx', 'x ax', [[3, 4]]],
  ['\\<b', 'ab b', [[3, 4]]],
  ['a\\>', 'ab a', [[3, 4]]],
  ["\\`a|a\\'", 'bab a', [[4, 5]]],
  // groups: each takes the longest it can, those on the left first
  [
    '(a|ab)(c|bcd)(d*)',
    'abcd',
    [
      [0, 4],
      [0, 2],
      [2, 3],
      [3, 4],
    ],
  ],
  [
    '(a*)(a*)',
    'aa',
    [
      [0, 2],
      [0, 2],
      [2, 2],
    ],
  ],
  [
    '(a*)+',
    'aa',
    [
      [0, 2],
      [0, 2],
    ],
  ],
  [
    '(a*)*',
    'b',
    [
      [0, 0],
      [0, 0],
    ],
  ],
  ['(a)*', 'b', [[0, 0], undefined]],
  [
    '(a|b)*',
    'abab',
    [
      [0, 4],
      [3, 4],
    ],
  ],
  ['((a)|b)*', 'ab', [[0, 2], [1, 2], undefined]],
  ['(x(y)?)+', 'xyx', [[0, 3], [2, 3], undefined]],
  [
    '()',
    'a',
    [
      [0, 0],
      [0, 0],
    ],
  ],
  [
    '(|a)b',
    'ab',
    [
      [0, 2],
      [0, 1],
    ],
  ],
  ['(abc){2}|(def){2}', 'defdef', [[0, 6], undefined, [3, 6]]],
  [
    '(.*)(foo|foobar)(.*)',
    'foobar',
    [
      [0, 6],
      [0, 0],
      [0, 6],
      [6, 6],
    ],
  ],
  // back references
  [
    '(.)\\1',
    'hello',
    [
      [2, 4],
      [2, 3],
    ],
  ],
  [
    '(a*)b\\1',
    'aabaa',
    [
      [0, 5],
      [0, 2],
    ],
  ],
  [
    '(a|ab)(c|bcd)\\2',
    'abcc',
    [
      [0, 4],
      [0, 2],
      [2, 3],
    ],
  ],
  ['(a)|b\\1', 'b', undefined],
  [
    '(the )\\1',
    'in the the spring',
    [
      [3, 11],
      [3, 7],
    ],
  ],
]

describe('matches', () => {
  it.each(MATCHES)('%s in %j', (pattern, subject, expected) => expect(groups(pattern, subject)).toEqual(expected))

  it('go on from a place, which is no beginning', () => {
    expect(groups('^a', 'aa', 1)).toBeUndefined()
    expect(groups('\\ba', 'aa a', 1)).toEqual([[3, 4]])
  })
})

/** Patterns that JavaScript reads the same way, without groups. */
const pattern = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', 'b', 'c', '.', '[ab]', '[^a]'),
    fc.tuple(tie('pattern'), tie('pattern')).map(([x, y]) => x + y),
    fc.tuple(tie('pattern'), tie('pattern')).map(([x, y]) => `(${x}|${y})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,2}', '{,1}', '{0,2}'))
      .map(([x, y]) => `(${x})${y}`),
  ),
})).pattern
const subject = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })

/** Tries every span with the platform's own engine, which can say whether a whole text matches. */
function leftmostLongest(source: string, text: string): [number, number] | undefined {
  const whole = new RegExp(`^(?:${source.replaceAll('{,', '{0,')})$`)
  for (let start = 0; start <= text.length; start++) {
    for (let end = text.length; end >= start; end--) if (whole.test(text.slice(start, end))) return [start, end]
  }
  return undefined
}

describe('generated patterns', () => {
  it('find the leftmost longest match', () => {
    fc.assert(
      fc.property(pattern, subject, (source, text) => {
        const found = groups(source, text) as [number, number][] | undefined
        expect(found?.[0]).toEqual(leftmostLongest(source, text))
      }),
      { numRuns: 500 },
    )
  })
  it('find groups inside the match', () => {
    fc.assert(
      fc.property(pattern, subject, (source, text) => {
        const found = groups(source, text) as ([number, number] | undefined)[] | undefined
        for (const span of found ?? []) {
          if (span === undefined) continue
          expect(span[0]).toBeGreaterThanOrEqual(found![0]![0])
          expect(span[1]).toBeLessThanOrEqual(found![0]![1])
          expect(span[0]).toBeLessThanOrEqual(span[1])
        }
      }),
      { numRuns: 300 },
    )
  })
  it('read any text as a pattern or refuse it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab()[]{}*+?|^$.\\,:-=123') }), subject, (source, text) => {
        makeRegex(units(source), codePoints)?.searchGroups(units(text), 0, nothing)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('time', () => {
  const long = 'a'.repeat(50_000)

  it.each([
    ['(a+)+$', `${long}b`],
    ['(a|a)*b', long],
    ['(a*)*b', long],
    ['a*b', long],
    ['(.*)(.*)(.*)(.*)b', long],
    ['(a|b|ab)*c', long],
    ['.*.*.*x', long],
    ['(a|b)*b(a|b){20}', long],
    ['(a{1,20}){1,20}b', long.slice(0, 5000)],
  ])('%s on a long text is linear', (source, text) => {
    const compiled = makeRegex(units(source), codePoints)!
    let reads = 0
    const subject = new Proxy(units(text), {
      get: (target, key) => {
        if (key !== 'length') reads++
        return Reflect.get(target, key)
      },
    })
    expect(compiled.search(subject, 0, nothing)).toBeUndefined()
    expect(reads).toBeGreaterThanOrEqual(text.length)
    expect(reads).toBeLessThanOrEqual(10 * text.length)
  })
  it.each([
    ['(a|b)*', [49_999, 50_000]],
    ['((a)(b)?)+', [49_999, 50_000]],
    ['(a*)(b*)', [0, 50_000]],
    ['(a{1,3}){1,200}', [597, 600]],
  ])('the groups of %s on a long text', (source, expected) => {
    const found = makeRegex(units(source), codePoints)!.searchGroups(units(long), 0, nothing)!
    expect([found[1]!.start, found[1]!.end]).toEqual(expected)
  })
  it('of back references is bounded by the clock', () => {
    const compiled = makeRegex(units('(a*)*\\1b'), codePoints)!
    let ticks = 0
    const tick = () => {
      if (++ticks > 100) throw new Error('time is up')
    }
    expect(() => compiled.search(units('a'.repeat(2000)), 0, tick)).toThrow('time is up')
  })
})
