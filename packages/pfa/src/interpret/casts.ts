// Promotion, cast, ifnotnull, pack and unpack.
import { type AvroType, Branch } from '@pitot/avro'
import type { Cast, Convert, IfNotNull, Pack, Unpack } from '../check/typed.ts'
import { packer, unpacker } from '../runtime/binary.ts'
import { branchFinder } from '../runtime/compare.ts'
import { promotion, promotionOfBranches } from '../runtime/convert.ts'
import { packErrors } from '../runtime/failures.ts'
import { prepare, prepareAll, prepareBlock } from './expressions.ts'
import type { Run } from './frame.ts'
import type { Machine } from './program.ts'

const bare = (value: unknown): unknown => (value instanceof Branch ? value.value : value)

export function runConvert(node: Convert, machine: Machine): Run {
  const value = prepare(node.value, machine)
  const promote = promotion(node.value.type as AvroType, node.type)
  return promote === undefined ? value : (frame) => promote(value(frame))
}

export function runCast(node: Cast, machine: Machine): Run {
  const value = prepare(node.value, machine)
  const type = node.value.type as AvroType
  const find = type.kind === 'union' ? branchFinder(type) : () => 0
  const cases = node.cases.map((each) => {
    const members = each.branches.map((place) => (type.kind === 'union' ? type.branches[place] : type) as AvroType)
    const [only] = members
    const as = each.variable.type as AvroType
    const several = type.kind === 'union' && members.length > 1
    const promote = several ? promotionOfBranches(type, members, as) : only && promotion(only, as)
    return { ...each, several, promote, run: prepareBlock(each.body, machine) }
  })
  return (frame) => {
    const given = value(frame)
    const place = find(given)
    const chosen = cases.find((each) => each.branches.includes(place))
    if (chosen === undefined) return null
    const inside = chosen.several ? given : bare(given)
    frame.declare(chosen.variable, chosen.promote === undefined ? inside : chosen.promote(inside))
    const result = chosen.run(frame)
    return node.partial ? null : result
  }
}

export function runIfNotNull(node: IfNotNull, machine: Machine): Run {
  const bindings = node.bindings.map(({ variable, value }) => ({ variable, run: prepare(value, machine) }))
  const body = prepareBlock(node.body, machine)
  const otherwise = node.otherwise && prepareBlock(node.otherwise, machine)
  return (frame) => {
    const values = bindings.map(({ run }) => run(frame))
    if (values.some((value) => bare(value) === null)) return otherwise === undefined ? null : otherwise(frame)
    for (const [index, { variable }] of bindings.entries()) {
      frame.declare(variable, variable.type.kind === 'union' ? values[index] : bare(values[index]))
    }
    const result = body(frame)
    return otherwise === undefined ? null : result
  }
}

export function runPack(node: Pack, machine: Machine): Run {
  const values = prepareAll(
    node.items.map((item) => item.value),
    machine,
  )
  const pack = packer(
    node.items.map((item) => item.format),
    packErrors(node.at),
  )
  return (frame) => pack(values.map((value) => value(frame)))
}

export function runUnpack(node: Unpack, machine: Machine): Run {
  const value = prepare(node.value, machine)
  const unpack = unpacker(node.items.map((item) => item.format))
  const body = prepareBlock(node.body, machine)
  const otherwise = node.otherwise && prepareBlock(node.otherwise, machine)
  return (frame) => {
    const parts = unpack(value(frame) as Uint8Array)
    if (parts === undefined) return otherwise === undefined ? null : otherwise(frame)
    for (const [index, { variable }] of node.items.entries()) frame.declare(variable, parts[index])
    const result = body(frame)
    return otherwise === undefined ? null : result
  }
}
