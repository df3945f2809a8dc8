// The sensor descriptor: JSON comes in, checked settings or one error that names every wrong field goes out.
import type { AggregateSettings } from './aggregate.ts'
import { driftReference } from './drift.ts'
import { comparisons, type FilterSettings, ranges } from './filter.ts'
import { Problems, shown } from './problems.ts'
import { Profile } from './profile.ts'
import {
  anything,
  asSection,
  between,
  type Field,
  flag,
  hasField,
  isObject,
  name,
  oneOf,
  quantity,
  readSection,
  rising,
  text,
  whole,
  zeroOr,
} from './section.ts'

/** When a tap is switched on, and for how long. All times in seconds. */
export interface Activation {
  readonly type: 'permanent' | 'regular' | 'random'
  /** Between two activations; the mean of it when they are random. */
  readonly interval: number
  /** How long an activation lasts at the most; null for until `maxReads`. */
  readonly duration: number | null
  /** How many readings an activation takes at the most; null for any number. */
  readonly maxReads: number | null
}

export interface SensorDescriptor {
  readonly tap: string
  readonly activate: Activation
  readonly report: { readonly interval: number }
  readonly filter: FilterSettings | null
  readonly aggregate: AggregateSettings
  /** `pneumo`: notifications. Else what the sink's owner understands, as it was written. */
  readonly sink: 'pneumo' | Readonly<Record<string, unknown>>
}

const longest = 1e6
const fields = {
  Version: text,
  Description: text,
  Tap: name,
  Activate: anything,
  Report: anything,
  Filter: anything,
  Aggregate: anything,
  Sink: anything,
}

/** `profiles` gives stored reference profiles by name, where there are any. Throws a `SensorDescriptorError`. */
export function readSensorDescriptor(
  given: unknown,
  profiles: (name: string) => unknown = () => undefined,
): SensorDescriptor {
  const problems = new Problems()
  if (!isObject(given)) problems.add('', `${shown(given)} is not allowed, it must be a JSON object with the field Tap`)
  problems.throwIfAny()
  const written = readSection(given as Record<string, unknown>, '', fields, problems)
  if (!hasField(given as Record<string, unknown>, 'Tap'))
    problems.add('', 'the field Tap is missing; it must be the name of a tapping point')
  const activate = readActivation(written.Activate, problems)
  const report = readReport(written.Report, problems)
  const filter = readFilter(written.Filter, problems)
  const aggregate = readAggregate(written.Aggregate, profiles, problems)
  const sink = readSink(written.Sink, problems)
  problems.throwIfAny()
  return { tap: written.Tap!, activate: activate!, report, filter, aggregate: aggregate!, sink: sink! }
}

const activationTypes = ['permanent', 'regular', 'random'] as const
const positive = between(0.001, longest, 'a number of seconds')
const activationFields = {
  Type: oneOf(activationTypes),
  Intensity: between(1 / longest, 1000, 'a number of activations a second'),
  Interval: positive,
  Duration: positive,
  MaxReads: whole(1, 2 ** 31 - 1),
}

function readActivation(given: unknown, problems: Problems): Activation | undefined {
  if (given === undefined || given === null) return activation('permanent')
  if (typeof given === 'string') {
    const type = activationFields.Type.read(given)
    // The word is the whole section, so it is named by the section's own pointer.
    if (type !== undefined) return activation(type)
    return problems.notAllowed('/Activate', given, activationFields.Type.allowed, activationTypes)
  }
  const section = asSection(given, '/Activate', problems)
  if (section === undefined) return undefined
  const values = readSection(section, '/Activate', activationFields, problems)
  const { Type: type, Intensity: intensity, Interval: interval, Duration: duration, MaxReads: maxReads } = values
  if (!hasField(section, 'Type'))
    problems.add('/Activate', `the field Type is missing; it must be ${activationFields.Type.allowed}`)
  if (intensity !== undefined && interval !== undefined)
    problems.add('/Activate', 'Intensity and Interval say the same in two ways; write one of them')
  if (type === 'permanent') {
    for (const [field, value] of Object.entries({ Intensity: intensity, Interval: interval, Duration: duration }))
      if (value !== undefined)
        problems.add(`/Activate/${field}`, `a permanent sensor has no ${field}; with one it is regular or random`)
  }
  return type && activation(type, interval ?? (intensity === undefined ? undefined : 1 / intensity), duration, maxReads)
}

function activation(type: Activation['type'], interval?: number, duration?: number, maxReads?: number): Activation {
  // Without any limit an activation would never end, and the next one would mean nothing.
  const once = type !== 'permanent' && duration === undefined && maxReads === undefined
  return { type, interval: interval ?? 1, duration: duration ?? null, maxReads: maxReads ?? (once ? 1 : null) }
}

function readReport(given: unknown, problems: Problems): SensorDescriptor['report'] {
  const Interval = zeroOr(between(0.01, longest, 'a number of seconds'))
  if (given === undefined || given === null) return { interval: 0 }
  if (!isObject(given)) {
    problems.notAllowed('/Report', given, 'an object with the field Interval')
    return { interval: 0 }
  }
  return { interval: readSection(given, '/Report', { Interval }, problems).Interval ?? 0 }
}

const filterTypes = [...comparisons, ...ranges]
const filterFields = { Type: oneOf(filterTypes), Threshold: quantity, MinValue: quantity, MaxValue: quantity }
const neededBy = { comparison: ['Threshold'], range: ['MinValue', 'MaxValue'] } as const

function readFilter(given: unknown, problems: Problems): FilterSettings | null {
  if (given === undefined || given === null) return null
  if (!isObject(given)) {
    problems.notAllowed('/Filter', given, 'null or an object with a Type')
    return null
  }
  const values = readSection(given, '/Filter', filterFields, problems)
  if (!hasField(given, 'Type'))
    problems.add('/Filter', `the field Type is missing; it must be ${filterFields.Type.allowed}`)
  const { Type: type, Threshold: threshold, MinValue: minimum, MaxValue: maximum } = values
  if (type === undefined) return null
  const isRange = type === 'within-range' || type === 'outside-range'
  const needed: readonly string[] = neededBy[isRange ? 'range' : 'comparison']
  for (const field of ['Threshold', 'MinValue', 'MaxValue'] as const) {
    const isWritten = hasField(given, field)
    if (needed.includes(field) && !isWritten)
      problems.add('/Filter', `the field ${field} is missing, which '${type}' needs; it must be ${quantity.allowed}`)
    if (!needed.includes(field) && isWritten)
      problems.add(`/Filter/${field}`, `'${type}' has no ${field}; it needs ${needed.join(' and ')}`)
  }
  if (!isRange) return threshold === undefined ? null : { type, threshold }
  if (minimum === undefined || maximum === undefined) return null
  if (minimum > maximum) problems.add('/Filter', `MinValue ${minimum} is above MaxValue ${maximum}`)
  return { type, minimum, maximum }
}

const share = between(0, 1)
const maxRate = between(1, 1e9)
const aggregateFields = {
  accumulate: { SampleSize: whole(1, 100_000) },
  sum: {},
  count: {},
  mean: {},
  min: {},
  max: {},
  quantiles: { Quantiles: rising(0, 1, 100) },
  histogram: { Bounds: rising(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 1000) },
  profile: { Sketch: flag, MaxRate: maxRate },
  drift: {
    Reference: anything,
    PSI: between(0, 1000),
    KS: share,
    NewCategories: share,
    MinCount: whole(1, 1e9),
    MaxRate: maxRate,
  },
} as const
type AggregateWord = keyof typeof aggregateFields
const aggregateWords = Object.keys(aggregateFields) as AggregateWord[]
const aggregateType: Field<AggregateWord> = oneOf(aggregateWords)
const usualSample = 1000
/** A quantile of so many values is about as near to that of all of them as a sketch is anyway: within one percent. */
const usualRate = 2_500
const usualQuantiles = [0.5, 0.9, 0.99]

function readAggregate(
  given: unknown,
  profiles: (name: string) => unknown,
  problems: Problems,
): AggregateSettings | undefined {
  if (given === undefined) return { type: 'accumulate', sampleSize: usualSample }
  if (given === null) return { type: 'last' }
  const section = asSection(given, '/Aggregate', problems)
  if (section === undefined) return undefined
  const [typeKey] = Object.keys(section).filter((key) => key.toLowerCase() === 'type')
  if (typeKey === undefined)
    return problems.add('/Aggregate', `the field Type is missing; it must be ${aggregateType.allowed}`)
  const type = aggregateType.read(section[typeKey])
  const pointer = typeof given === 'string' ? '/Aggregate' : `/Aggregate/${typeKey}`
  if (type === undefined) return problems.notAllowed(pointer, section[typeKey], aggregateType.allowed, aggregateWords)
  const { [typeKey]: _, ...rest } = section
  const read = <Word extends AggregateWord>(word: Word) =>
    readSection(rest, '/Aggregate', aggregateFields[word], problems)
  switch (type) {
    case 'accumulate':
      return { type, sampleSize: read(type).SampleSize ?? usualSample }
    case 'quantiles':
      return { type, quantiles: read(type).Quantiles ?? usualQuantiles }
    case 'histogram': {
      const { Bounds: bounds } = read(type)
      if (!hasField(rest, 'Bounds'))
        problems.add(
          '/Aggregate',
          `the field Bounds is missing; it must be ${aggregateFields.histogram.Bounds.allowed}`,
        )
      return { type, bounds: bounds ?? [] }
    }
    case 'profile': {
      const { Sketch: sketch = false, MaxRate = usualRate } = read(type)
      return { type, sketch, maxRate: MaxRate }
    }
    case 'drift': {
      const { Reference, PSI = 0.2, KS = 0.1, NewCategories = 0.05, MinCount = 1000, MaxRate = usualRate } = read(type)
      const reference = readReference(Reference, profiles, problems)
      const thresholds = { psi: PSI, ks: KS, newCategories: NewCategories }
      return { type, reference, thresholds, minCount: MinCount, maxRate: MaxRate }
    }
    default:
      read(type)
      return { type }
  }
}

/** A profile, the report of a profile sensor that has its sketch, or the name of a stored one. */
function readReference(given: unknown, profiles: (name: string) => unknown, problems: Problems): unknown {
  const pointer = '/Aggregate/Reference'
  const allowed = 'a profile: the data of a profile sensor with "Sketch": true, or the name of a stored one'
  if (given === undefined) return problems.add('/Aggregate', `the field Reference is missing; it must be ${allowed}`)
  const stored = typeof given === 'string' ? profiles(given) : given
  if (stored === undefined)
    return problems.add(pointer, `there is no stored profile ${shown(given)}; it must be ${allowed}`)
  const profile = isObject(stored) && 'sketch' in stored ? stored.sketch : stored
  try {
    driftReference(Profile.from(profile))
    return profile
  } catch (error) {
    return problems.add(pointer, `this is no reference: ${(error as Error).message}; it must be ${allowed}`)
  }
}

function readSink(given: unknown, problems: Problems): SensorDescriptor['sink'] | undefined {
  if (given === undefined || given === null) return 'pneumo'
  if (isObject(given)) {
    const keys = Object.keys(given)
    const isNotification = keys.length === 1 && typeof given.Type === 'string' && given.Type.toLowerCase() === 'pneumo'
    return isNotification ? 'pneumo' : given
  }
  if (typeof given === 'string' && given.toLowerCase() === 'pneumo') return 'pneumo'
  return problems.notAllowed('/Sink', given, '"Pneumo" or a stream descriptor', ['Pneumo'])
}
