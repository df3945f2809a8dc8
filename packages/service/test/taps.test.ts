import { describe, expect, test } from 'vitest'
import { type Tap, Taps } from '../src/taps.ts'

describe('an event tap', () => {
  test('that nobody watches has nothing to call', () => {
    const taps = new Taps()
    const tap = taps.event<number>('count')
    expect(tap.watch).toBeUndefined()
    const seen: number[] = []
    const detach = tap.attach((value) => seen.push(value))
    tap.watch?.(1)
    detach()
    expect(tap.watch).toBeUndefined()
    expect(seen).toEqual([1])
  })

  test('has any number of watchers, who may leave while they are called', () => {
    const tap = new Taps().event<number>('count')
    const seen: string[] = []
    const first = tap.attach((value) => {
      seen.push(`first ${value}`)
      first()
    })
    const second = tap.attach((value) => seen.push(`second ${value}`))
    tap.watch?.(1)
    tap.watch?.(2)
    second()
    tap.watch?.(3)
    expect(seen).toEqual(['first 1', 'second 1', 'second 2'])
  })
})

describe('the taps of a service', () => {
  test('are listed in order, in all spellings', () => {
    const taps = new Taps()
    taps.gauge('sys.memory', () => 1)
    taps.event('manifold.0.records.count')
    taps.alias('manifold.input', 'manifold.0')
    expect(taps.names()).toEqual(['manifold.0.records.count', 'manifold.input.records.count', 'sys.memory'])
    expect(taps.find('manifold.input.records.count')).toBe(taps.find('manifold.0.records.count'))
    expect(taps.find('manifold.input.records.size')).toBeUndefined()
  })

  test('have different names', () => {
    const taps = new Taps()
    taps.gauge('a', () => 1)
    expect(() => taps.event('a')).toThrow('there is a tap a already')
  })

  test('come and go, and who follows one is told', () => {
    const taps = new Taps()
    taps.alias('old', 'jet.7')
    const seen: (Tap['kind'] | undefined)[] = []
    const unfollow = taps.follow('old.count', (tap) => seen.push(tap?.kind))
    taps.event('jet.7.count')
    taps.event('jet.77.count')
    taps.remove('jet.7')
    taps.gauge('jet.7.count', () => 1)
    unfollow()
    taps.remove('jet.7.count')
    expect(seen).toEqual([undefined, 'event', undefined, 'gauge'])
    expect(taps.names()).toEqual(['jet.77.count'])
  })

  test('are all there are below a name, where nobody knows which', () => {
    const taps = new Taps()
    taps.alias('input', 'slot.0')
    const seen: (Tap['kind'] | undefined)[] = []
    taps.follow('input.field.a.b', (tap) => seen.push(tap?.kind))
    const started: string[] = []
    taps.distantBelow('slot.0.field', (rest) => {
      started.push(rest)
      return { collect: async () => [], stop: () => undefined }
    })
    const tap = taps.find('slot.0.field.a.b')
    if (tap?.kind === 'distant') tap.start({ filter: null, aggregate: { type: 'count' }, maxReads: null })
    expect(started).toEqual(['a.b'])
    expect(taps.find('slot.0.field')).toBeUndefined()
    expect(taps.find('slot.0.field.')).toBeUndefined()
    expect(taps.names()).toEqual([])
    expect(() => taps.distantBelow('slot.0.field', () => expect.unreachable())).toThrow('already')
    taps.remove('slot.0.field')
    expect(taps.find('slot.0.field.a.b')).toBeUndefined()
    expect(seen).toEqual([undefined, 'distant', undefined])
  })

  test.each([
    ['jet.*.input.records.count', 'jet.17.input.records.count', true],
    ['jet.*.input.records.count', 'jet.17.output.records.count', false],
    ['manifold.*.field.*', 'manifold.0.field.a.b', true],
    ['manifold.*.field.*', 'manifold.0.field.', false],
    ['manifold.*.field.*', 'manifoldX0.field.a', false],
  ])('%s expects %s: %j', (pattern, name, expected) => {
    const taps = new Taps()
    taps.expect(pattern)
    expect(taps.isExpected(name)).toBe(expected)
  })
})
