// Dates of JavaScript as values of Avro: a type goes in; what makes a value of it from a Date comes out.
import type { AvroType } from '../type.ts'
import { toLong } from './number.ts'

const DAY = 86_400_000

/** Nanoseconds in a unit. */
const TIMESTAMPS: Readonly<Record<string, bigint>> = {
  'timestamp-millis': 1_000_000n,
  'timestamp-micros': 1000n,
  'timestamp-nanos': 1n,
  'local-timestamp-millis': 1_000_000n,
  'local-timestamp-micros': 1000n,
  'local-timestamp-nanos': 1n,
}

/** Undefined for a type that no Date is a value of. The function gives undefined for a Date that is none. */
export function fromDate(type: AvroType): ((date: Date) => unknown) | undefined {
  const logicalType = 'logicalType' in type ? type.logicalType : undefined
  // One that is none throws when it is asked for its text.
  if (type.kind === 'string' && logicalType === undefined)
    return (date) => (isValid(date) ? date.toISOString() : undefined)
  // A day has no time: one that would be lost is not what is meant.
  if (type.kind === 'int' && logicalType === 'date')
    return (date) => (date.getTime() % DAY === 0 ? date.getTime() / DAY + 0 : undefined)
  const unit = type.kind === 'long' && logicalType !== undefined ? TIMESTAMPS[logicalType] : undefined
  if (unit === undefined) return undefined
  return (date) => (isValid(date) ? toLong((BigInt(date.getTime()) * 1_000_000n) / unit) : undefined)
}

function isValid(date: Date): boolean {
  return !Number.isNaN(date.getTime())
}
