import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSensorDescriptor, type SensorDescriptor } from '../src/descriptor.ts'
import { SensorDescriptorError } from '../src/problems.ts'
import { Profile } from '../src/profile.ts'

const usual: SensorDescriptor = {
  tap: 't',
  activate: { type: 'permanent', interval: 1, duration: null, maxReads: null },
  report: { interval: 0 },
  filter: null,
  aggregate: { type: 'accumulate', sampleSize: 1000 },
  sink: 'pneumo',
}
const profile = new Profile()
profile.add(1)
const reference = profile.toJSON()
const thresholds = { psi: 0.2, ks: 0.1, newCategories: 0.05 }

const good: [given: object, expected: Partial<SensorDescriptor>][] = [
  [{}, {}],
  [{ Version: '1.2', Description: 'a watch', Activate: null, Report: null, Filter: null, Sink: null }, {}],
  [{ Activate: 'permanent' }, {}],
  [{ Activate: { Type: 'Permanent', MaxReads: 3 } }, { activate: { ...usual.activate, maxReads: 3 } }],
  [{ Activate: 'regular' }, { activate: { type: 'regular', interval: 1, duration: null, maxReads: 1 } }],
  [
    { Activate: { Type: 'regular', Interval: 0.5 } },
    { activate: { type: 'regular', interval: 0.5, duration: null, maxReads: 1 } },
  ],
  [
    { Activate: { Type: 'random', Intensity: 4, Duration: 2 } },
    { activate: { type: 'random', interval: 0.25, duration: 2, maxReads: null } },
  ],
  [{ Report: { Interval: 3 } }, { report: { interval: 3 } }],
  [{ Report: {} }, {}],
  [{ Report: { Interval: '0' } }, {}],
  [{ Filter: { Type: '>=', Threshold: '1G' } }, { filter: { type: '>=', threshold: 1073741824 } }],
  [
    { Filter: { Type: 'within-range', MinValue: '1K', MaxValue: 2000 } },
    { filter: { type: 'within-range', minimum: 1024, maximum: 2000 } },
  ],
  [{ Aggregate: null }, { aggregate: { type: 'last' } }],
  [{ Aggregate: 'sum' }, { aggregate: { type: 'sum' } }],
  [{ Aggregate: { Type: 'Count' } }, { aggregate: { type: 'count' } }],
  [{ Aggregate: { Type: 'accumulate', SampleSize: 5 } }, { aggregate: { type: 'accumulate', sampleSize: 5 } }],
  [{ Aggregate: 'quantiles' }, { aggregate: { type: 'quantiles', quantiles: [0.5, 0.9, 0.99] } }],
  [{ Aggregate: { Type: 'histogram', Bounds: [1, '1K'] } }, { aggregate: { type: 'histogram', bounds: [1, 1024] } }],
  [{ Aggregate: { Type: 'profile', Sketch: true } }, { aggregate: { type: 'profile', sketch: true, maxRate: 2500 } }],
  [
    { Aggregate: { Type: 'drift', Reference: reference } },
    { aggregate: { type: 'drift', reference, thresholds, minCount: 1000, maxRate: 2500 } },
  ],
  [
    { Aggregate: { Type: 'drift', Reference: { count: 1, sketch: reference }, PSI: 1, MinCount: 9, MaxRate: 50 } },
    { aggregate: { type: 'drift', reference, thresholds: { ...thresholds, psi: 1 }, minCount: 9, maxRate: 50 } },
  ],
  [
    { Aggregate: { Type: 'drift', Reference: 'last-month' } },
    { aggregate: { type: 'drift', reference, thresholds, minCount: 1000, maxRate: 2500 } },
  ],
  [{ Sink: 'pneumo' }, {}],
  [{ Sink: { Type: 'Pneumo' } }, {}],
  [{ Sink: { Transport: 'discard' } }, { sink: { Transport: 'discard' } }],
]

describe('a good descriptor', () => {
  test.each(good)('%j', (given, expected) => {
    const stored = (name: string) => (name === 'last-month' ? { sketch: reference } : undefined)
    expect(readSensorDescriptor({ Tap: 't', ...given }, stored)).toEqual({ ...usual, ...expected })
  })

  test('spells its fields in any letter case', () => {
    expect(readSensorDescriptor({ tap: 't', filter: { type: '<', threshold: 1 } }).filter).toEqual({
      type: '<',
      threshold: 1,
    })
  })
})

const seconds = 'a number of seconds from 0.001 to 1000000'
const numbers = 'a number, or a text such as "1G" with K, M or G for powers of 1024'
const types = 'one of >, >=, <, <=, within-range, outside-range'
const words = 'one of accumulate, sum, count, mean, min, max, quantiles, histogram, profile, drift'
const aProfile = 'a profile: the data of a profile sensor with "Sketch": true, or the name of a stored one'
const bad: [given: unknown, sentence: string][] = [
  [null, 'null is not allowed, it must be a JSON object with the field Tap'],
  [[], '[] is not allowed, it must be a JSON object with the field Tap'],
  [{}, 'the field Tap is missing; it must be the name of a tapping point'],
  [{ Tap: 1 }, '/Tap: 1 is not allowed, it must be the name of a tapping point'],
  [{ Tap: '' }, '/Tap: "" is not allowed, it must be the name of a tapping point'],
  [
    { Tap: 't', Filtre: {} },
    "/Filtre: there is no field 'Filtre' here; known: Version, Description, Tap, Activate, Report, Filter, Aggregate, Sink; did you mean 'Filter'?",
  ],
  [{ Tap: 't', tap: 't' }, "/tap: 'tap' says again what 'Tap' says already"],
  [
    { Tap: 't', Activate: 'regulr' },
    '/Activate: "regulr" is not allowed, it must be one of permanent, regular, random; did you mean \'regular\'?',
  ],
  [
    { Tap: 't', Activate: { Type: 'rnadom' } },
    '/Activate/Type: "rnadom" is not allowed, it must be one of permanent, regular, random; did you mean \'random\'?',
  ],
  [{ Tap: 't', Activate: 7 }, '/Activate: 7 is not allowed, it must be a word or an object with a Type'],
  [{ Tap: 't', Activate: {} }, '/Activate: the field Type is missing; it must be one of permanent, regular, random'],
  [
    { Tap: 't', Activate: { Type: 'regular', Interval: 1, Intensity: 1 } },
    '/Activate: Intensity and Interval say the same in two ways; write one of them',
  ],
  [
    { Tap: 't', Activate: { Type: 'regular', Interval: 0 } },
    `/Activate/Interval: 0 is not allowed, it must be ${seconds}`,
  ],
  [
    { Tap: 't', Activate: { Type: 'regular', Duration: 'long' } },
    `/Activate/Duration: "long" is not allowed, it must be ${seconds}`,
  ],
  [
    { Tap: 't', Activate: { Type: 'regular', MaxReads: 1.5 } },
    '/Activate/MaxReads: 1.5 is not allowed, it must be a whole number from 1 to 2147483647',
  ],
  [
    { Tap: 't', Activate: { Type: 'permanent', Interval: 2 } },
    '/Activate/Interval: a permanent sensor has no Interval; with one it is regular or random',
  ],
  [
    { Tap: 't', Activate: { Type: 'regular', Intervall: 2 } },
    "/Activate/Intervall: there is no field 'Intervall' here; known: Type, Intensity, Interval, Duration, MaxReads; did you mean 'Interval'?",
  ],
  [{ Tap: 't', Report: 3 }, '/Report: 3 is not allowed, it must be an object with the field Interval'],
  [
    { Tap: 't', Report: { Interval: -1 } },
    '/Report/Interval: -1 is not allowed, it must be 0 or a number of seconds from 0.01 to 1000000',
  ],
  [{ Tap: 't', Filter: '>' }, '/Filter: ">" is not allowed, it must be null or an object with a Type'],
  [{ Tap: 't', Filter: {} }, `/Filter: the field Type is missing; it must be ${types}`],
  [
    { Tap: 't', Filter: { Type: 'witin-range' } },
    `/Filter/Type: "witin-range" is not allowed, it must be ${types}; did you mean 'within-range'?`,
  ],
  [
    { Tap: 't', Filter: { Type: '>' } },
    `/Filter: the field Threshold is missing, which '>' needs; it must be ${numbers}`,
  ],
  [
    { Tap: 't', Filter: { Type: '>', Threshold: '1X' } },
    `/Filter/Threshold: "1X" is not allowed, it must be ${numbers}`,
  ],
  [
    { Tap: 't', Filter: { Type: '>', Threshold: 1, MinValue: 1 } },
    "/Filter/MinValue: '>' has no MinValue; it needs Threshold",
  ],
  [{ Tap: 't', Filter: { Type: 'within-range', MinValue: 5, MaxValue: 1 } }, '/Filter: MinValue 5 is above MaxValue 1'],
  [{ Tap: 't', Aggregate: 7 }, '/Aggregate: 7 is not allowed, it must be a word or an object with a Type'],
  [{ Tap: 't', Aggregate: 'smu' }, `/Aggregate: "smu" is not allowed, it must be ${words}; did you mean 'sum'?`],
  [{ Tap: 't', Aggregate: {} }, `/Aggregate: the field Type is missing; it must be ${words}`],
  [
    { Tap: 't', Aggregate: { Type: 'accumulate', SampleSize: 0 } },
    '/Aggregate/SampleSize: 0 is not allowed, it must be a whole number from 1 to 100000',
  ],
  [
    { Tap: 't', Aggregate: { Type: 'sum', SampleSize: 1 } },
    "/Aggregate/SampleSize: there is no field 'SampleSize' here; known: none",
  ],
  [
    { Tap: 't', Aggregate: { Type: 'quantiles', Quantiles: [0.9, 0.5] } },
    '/Aggregate/Quantiles: [0.9,0.5] is not allowed, it must be a list of 1 to 100 rising numbers from 0 to 1',
  ],
  [
    { Tap: 't', Aggregate: 'histogram' },
    '/Aggregate: the field Bounds is missing; it must be a list of 1 to 1000 rising numbers',
  ],
  [{ Tap: 't', Aggregate: 'drift' }, `/Aggregate: the field Reference is missing; it must be ${aProfile}`],
  [
    { Tap: 't', Aggregate: { Type: 'drift', Reference: 'nobody' } },
    `/Aggregate/Reference: there is no stored profile "nobody"; it must be ${aProfile}`,
  ],
  [
    { Tap: 't', Aggregate: { Type: 'drift', Reference: { count: 3 } } },
    `/Aggregate/Reference: this is no reference: it is no profile of version 1; it must be ${aProfile}`,
  ],
  [
    { Tap: 't', Sink: 'Pnuemo' },
    '/Sink: "Pnuemo" is not allowed, it must be "Pneumo" or a stream descriptor; did you mean \'Pneumo\'?',
  ],
  [
    { Tap: 1, Report: { Interval: 'x' } },
    '/Tap: 1 is not allowed, it must be the name of a tapping point; /Report/Interval: "x" is not allowed, it must be 0 or a number of seconds from 0.01 to 1000000',
  ],
]

describe('a bad descriptor', () => {
  test.each(bad)('%j', (given, sentence) => {
    expect(() => readSensorDescriptor(given)).toThrow(new SensorDescriptorError(sentence))
  })

  test('of any shape is refused with a sentence, never with a crash', () => {
    const fields = ['Tap', 'Activate', 'Report', 'Filter', 'Aggregate', 'Sink', 'Other']
    const value = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.dictionary(
        fc.constantFrom('Type', 'Interval', 'Threshold', 'Reference', 'Bounds'),
        fc.jsonValue({ maxDepth: 2 }),
      ),
      fc.record({ Type: fc.constantFrom('drift', 'histogram', 'regular', '>'), Reference: fc.jsonValue() }),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...fields), value), (given) => {
        try {
          expect(readSensorDescriptor(given).tap).toBe(given.Tap)
        } catch (error) {
          expect(error).toBeInstanceOf(SensorDescriptorError)
        }
      }),
    )
  })
})
