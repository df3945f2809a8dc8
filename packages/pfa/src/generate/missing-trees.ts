// Trees with a third way for missing fields, as trees with two: nodes of `missingWalk` come in, nodes of `simpleWalk` go out.
//
// A node that asks a field which may be null becomes two: is the field missing? If not, the test itself. The question is
// put to a field of its own, which is 1 where the field is null and 0 elsewhere.
import { type AvroType, Branch, isPlainUnion, type RecordType } from '@pitot/avro'
import { withoutNull } from '../check/types.ts'
import type { TreeTypes } from '../library/model/flat-tree.ts'

/** No field of a record can have such a name, so that there is no confusion. */
const suffix = ' is missing'

const questionFor = (field: string): string => `${field}${suffix}`

/** The field that a question is about; undefined for ordinary fields. */
export const askedField = (name: string): string | undefined =>
  name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined

interface Node {
  readonly field: string
  readonly pass: unknown
  readonly fail: unknown
  readonly missing: unknown
}

export function withoutMissing(
  trees: readonly unknown[],
  types: TreeTypes,
): { trees: readonly unknown[]; types: TreeTypes } {
  const nullable = new Set(
    types.datum.fields.flatMap((field) => (withoutNull(field.type) === undefined ? [] : [field.name])),
  )
  const number: AvroType = { kind: 'int' }
  const datum: RecordType = {
    ...types.datum,
    fields: [
      ...types.datum.fields.map((field) => ({ ...field, type: withoutNull(field.type) ?? field.type })),
      ...[...nullable].map((name) => ({ name: questionFor(name), type: number })),
    ],
  }
  const childType = types.node.fields.find((field) => field.name === 'pass')?.type
  const tagged = childType?.kind === 'union' && !isPlainUnion(childType)
  const asChild = (node: Node): unknown => (tagged ? new Branch(types.node.name, node) : node)
  const child = (value: unknown): unknown => {
    const node = value instanceof Branch ? (value.type === types.node.name ? value.value : undefined) : value
    return isNode(node) ? asChild(split(node)) : value
  }
  const split = (node: Node): Node => {
    const test = { ...node, pass: child(node.pass), fail: child(node.fail) }
    if (!nullable.has(node.field)) return test
    const question = { ...test, field: questionFor(node.field), operator: '>', value: 0 }
    return { ...question, pass: child(node.missing), fail: asChild(test) }
  }
  return { trees: trees.map((tree) => split(tree as Node)), types: { ...types, datum } }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Map) &&
  !(value instanceof Uint8Array)
