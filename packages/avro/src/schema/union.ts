// What tells the branches of a union apart: a type goes in, its tag and the shape of its values come out.
import type { AvroType, UnionType } from '../type.ts'

/** What JavaScript can tell about a value without its schema. */
export type Shape = 'null' | 'boolean' | 'number' | 'string' | 'bytes' | 'array' | 'map' | 'record'

const SHAPES: Readonly<Record<Exclude<AvroType['kind'], 'union'>, Shape>> = {
  null: 'null',
  boolean: 'boolean',
  int: 'number',
  long: 'number',
  float: 'number',
  double: 'number',
  string: 'string',
  enum: 'string',
  bytes: 'bytes',
  fixed: 'bytes',
  array: 'array',
  map: 'map',
  record: 'record',
}

/** A union holds no union directly, so every branch has a shape. */
export function shapeOf(branch: AvroType): Shape {
  if (branch.kind === 'union') throw new TypeError('a union has no shape of its own: ask for each branch')
  return SHAPES[branch.kind]
}

/** True when every value tells its branch by its shape: then values stand bare, else each is a `Branch`. */
export function isPlainUnion(union: UnionType): boolean {
  return new Set(union.branches.map(shapeOf)).size === union.branches.length
}

/** The tag of this branch in Avro's JSON: a primitive's kind, `array`, `map`, or a named type's full name. */
export function branchName(branch: AvroType): string {
  return branch.kind === 'record' || branch.kind === 'enum' || branch.kind === 'fixed' ? branch.name : branch.kind
}
