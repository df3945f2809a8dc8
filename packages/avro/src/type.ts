// The one representation of an Avro schema that every part of Pitot uses: in comes nothing, out go types.
//
// Values of these types, everywhere in Pitot (decoded records, PFA values, samples):
//
//   null, boolean        null, boolean
//   int, float, double   number (a float is already rounded to 32 bits)
//   long                 number while it is a safe integer, bigint beyond: never both for the same value
//   string, enum         string
//   bytes, fixed         Uint8Array
//   array                Array
//   map                  Map<string, value>
//   record               object with one own property per field, in the order of the schema
//   union                the bare value where the value tells its branch (see `isPlainUnion`), else a `Branch`

export const primitiveKinds = ['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'] as const
export type PrimitiveKind = (typeof primitiveKinds)[number]

/** What a logical type adds. Values stay those of the type beneath; only a valid logical type is kept. */
export interface Logical {
  readonly logicalType?: string
  /** Of a `decimal`. */
  readonly precision?: number
  /** Of a `decimal`; 0 when absent. */
  readonly scale?: number
}

export interface PrimitiveType extends Logical {
  readonly kind: PrimitiveKind
}

export interface ArrayType {
  readonly kind: 'array'
  readonly items: AvroType
}

export interface MapType {
  readonly kind: 'map'
  readonly values: AvroType
}

export interface UnionType {
  readonly kind: 'union'
  readonly branches: readonly AvroType[]
}

export interface RecordType {
  readonly kind: 'record'
  /** Full name: namespace and name joined by dots. */
  readonly name: string
  /** Filled after creation, so that a record can hold itself. */
  readonly fields: readonly Field[]
  readonly aliases?: readonly string[]
  readonly doc?: string
}

export interface Field {
  readonly name: string
  readonly type: AvroType
  /** The default as it stands in the schema (JSON form); absent when there is none, `null` when the default is null. */
  readonly default?: unknown
  readonly aliases?: readonly string[]
  readonly order?: 'ascending' | 'descending' | 'ignore'
  readonly doc?: string
}

export interface EnumType {
  readonly kind: 'enum'
  readonly name: string
  readonly symbols: readonly string[]
  readonly default?: string
  readonly aliases?: readonly string[]
  readonly doc?: string
}

export interface FixedType extends Logical {
  readonly kind: 'fixed'
  readonly name: string
  readonly size: number
  readonly aliases?: readonly string[]
}

export type NamedType = RecordType | EnumType | FixedType
export type AvroType = PrimitiveType | ArrayType | MapType | UnionType | NamedType
