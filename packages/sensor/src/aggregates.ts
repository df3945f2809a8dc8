// All aggregates: settings come in, an aggregate that has seen nothing yet goes out.
import type { Aggregate, AggregateSettings } from './aggregate.ts'
import { Accumulate } from './aggregates/accumulate.ts'
import { Count } from './aggregates/count.ts'
import { DriftAggregate } from './aggregates/drift.ts'
import { Last } from './aggregates/last.ts'
import { histogram, max, mean, min, Numeric, quantiles, sum } from './aggregates/numeric.ts'
import { ProfileAggregate } from './aggregates/profile.ts'

type Make<Type extends AggregateSettings['type']> = (
  settings: Extract<AggregateSettings, { readonly type: Type }>,
  random: () => number,
) => Aggregate

const kinds: { readonly [Type in AggregateSettings['type']]: Make<Type> } = {
  last: () => new Last(),
  accumulate: ({ sampleSize }, random) => new Accumulate(sampleSize, random),
  sum: () => new Numeric(sum),
  count: () => new Count(),
  mean: () => new Numeric(mean),
  min: () => new Numeric(min),
  max: () => new Numeric(max),
  quantiles: (settings) => new Numeric(quantiles(settings.quantiles)),
  histogram: ({ bounds }) => new Numeric(histogram(bounds)),
  profile: ({ sketch }) => new ProfileAggregate(sketch),
  drift: (settings) => new DriftAggregate(settings),
}

export function createAggregate(settings: AggregateSettings, random: () => number = Math.random): Aggregate {
  return (kinds[settings.type] as Make<AggregateSettings['type']>)(settings, random)
}
