// Logical types: the attributes of a schema and the type beneath go in, the attributes worth keeping come out.
import type { FixedType, Logical, PrimitiveKind } from '../type.ts'

type Beneath = PrimitiveKind | 'fixed'

/** Which types each known logical type may stand on; for `fixed` also its size. */
const KNOWN: Readonly<Record<string, { on: readonly Beneath[]; size?: number }>> = {
  decimal: { on: ['bytes', 'fixed'] },
  'big-decimal': { on: ['bytes'] },
  uuid: { on: ['string', 'fixed'], size: 16 },
  date: { on: ['int'] },
  'time-millis': { on: ['int'] },
  'time-micros': { on: ['long'] },
  'timestamp-millis': { on: ['long'] },
  'timestamp-micros': { on: ['long'] },
  'timestamp-nanos': { on: ['long'] },
  'local-timestamp-millis': { on: ['long'] },
  'local-timestamp-micros': { on: ['long'] },
  'local-timestamp-nanos': { on: ['long'] },
  duration: { on: ['fixed'], size: 12 },
}

/**
 * Avro: an unknown or invalid logical type is ignored and the type beneath is used. An unknown one is kept all the same,
 * so that a printed schema still says it; an invalid one is dropped.
 */
export function readLogical(attributes: Readonly<Record<string, unknown>>, beneath: Beneath, size?: number): Logical {
  const logicalType = Object.hasOwn(attributes, 'logicalType') ? attributes.logicalType : undefined
  if (typeof logicalType !== 'string') return {}
  const known = Object.hasOwn(KNOWN, logicalType) ? KNOWN[logicalType] : undefined
  if (known === undefined) return { logicalType }
  if (!known.on.includes(beneath)) return {}
  if (beneath === 'fixed' && known.size !== undefined && known.size !== size) return {}
  return logicalType === 'decimal' ? readDecimal(attributes, size) : { logicalType }
}

function readDecimal({ precision, scale }: Readonly<Record<string, unknown>>, size?: number): Logical {
  if (!isCount(precision) || precision === 0 || precision > digitsIn(size)) return {}
  if (scale === undefined) return { logicalType: 'decimal', precision }
  return isCount(scale) && scale <= precision ? { logicalType: 'decimal', precision, scale } : {}
}

/** Decimal digits that a two's-complement number of so many bytes holds in any case. */
function digitsIn(size: FixedType['size'] | undefined): number {
  return size === undefined ? Number.POSITIVE_INFINITY : Math.floor((8 * size - 1) * Math.log10(2))
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
