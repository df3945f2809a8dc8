// The filter of a sensor: a reading comes in; the reading, the part of it that passes, or nothing goes out.
import { isTagged, numberOf, type Reading } from './reading.ts'

export const comparisons = ['>', '>=', '<', '<='] as const
export const ranges = ['within-range', 'outside-range'] as const

export type FilterSettings =
  | { readonly type: (typeof comparisons)[number]; readonly threshold: number }
  | { readonly type: (typeof ranges)[number]; readonly minimum: number; readonly maximum: number }

/** Undefined for a reading that does not pass. Of a tagged reading, those numbers pass that would pass alone. */
export type Filter = (reading: Reading) => Reading | undefined

/** Only numbers can be compared, so nothing else passes. The ends of a range belong to it. */
export function createFilter(settings: FilterSettings): Filter {
  const passes = test(settings)
  return (reading) => {
    const number = numberOf(reading)
    if (number !== undefined) return passes(number) ? reading : undefined
    if (!isTagged(reading)) return undefined
    const kept = Object.entries(reading).filter(([, value]) => typeof value === 'number' && passes(value))
    return kept.length > 0 ? Object.fromEntries(kept) : undefined
  }
}

function test(settings: FilterSettings): (value: number) => boolean {
  switch (settings.type) {
    case '>':
      return (value) => value > settings.threshold
    case '>=':
      return (value) => value >= settings.threshold
    case '<':
      return (value) => value < settings.threshold
    case '<=':
      return (value) => value <= settings.threshold
    case 'within-range':
      return (value) => value >= settings.minimum && value <= settings.maximum
    case 'outside-range':
      return (value) => value < settings.minimum || value > settings.maximum
  }
}
