// Chooses the signature of a library function: patterns and argument types come in, concrete parameter and result types go out.
import type { AvroType, EnumType } from '@pitot/avro'
import type { PfaType } from '../library/library.ts'
import type { Pattern, Signature } from '../library/signatures.ts'
import { type AnyType, accepts, narrowestSupertype, primitive } from './types.ts'

export interface Match {
  readonly signature: Signature
  readonly params: readonly PfaType[]
  readonly result: AvroType
}

/** What the labels of one signature have met so far. */
interface Labels {
  readonly met: Map<string, PfaType[]>
  /** Records whose fields an enum must list: label of the record, symbols of the enum. */
  readonly fields: Map<string, readonly string[]>
  /** Labels that may only be one of a few primitives, wherever they stand. */
  readonly restricted: Map<string, readonly string[]>
  /** Labels of records: the name of the record that each has met. */
  readonly records: Map<string, string>
}

/** Tries the signatures in the order of the specification; the first that fits is taken. */
export function matchSignature(signatures: readonly Signature[], args: readonly AnyType[]): Match | undefined {
  for (const signature of signatures) {
    const match = matchOne(signature, args)
    if (match !== undefined) return match
  }
  return undefined
}

function matchOne(signature: Signature, args: readonly AnyType[]): Match | undefined {
  if (signature.params.length !== args.length) return undefined
  const labels: Labels = { met: new Map(), fields: new Map(), restricted: new Map(), records: new Map() }
  const fits = signature.params.every(({ pattern }, index) =>
    fit(pattern, args[index] as AnyType, labels, false, false),
  )
  if (!fits) return undefined
  const types = resolveLabels(labels)
  if (types === undefined) return undefined
  const params = signature.params.map(({ pattern }, index) => assign(pattern, args[index] as PfaType, types))
  if (!params.every((param, index) => canBeCalled(args[index] as PfaType, param))) return undefined
  const result = fill(signature.result, types)
  if (result === undefined || result.kind === 'fcn') return undefined
  return { signature, params, result }
}

/** A function is called with what the labels became, which may be more than it takes. */
const canBeCalled = (given: PfaType, called: PfaType): boolean =>
  given.kind !== 'fcn' ||
  called.kind !== 'fcn' ||
  given.params.every((param, index) => accepts(param, called.params[index] as PfaType))

/** Each label becomes the narrowest type that accepts everything it met. */
function resolveLabels({ met, fields, restricted }: Labels): ReadonlyMap<string, PfaType> | undefined {
  const types = new Map<string, PfaType>()
  for (const [label, members] of met) {
    const type = narrowestSupertype(members)
    if (type === undefined || restricted.get(label)?.includes(type.kind) === false) return undefined
    const symbols = fields.get(label)
    if (symbols !== undefined) {
      if (type.kind !== 'record' || type.fields.length !== symbols.length) return undefined
      if (!type.fields.every((field, index) => field.name === symbols[index])) return undefined
    }
    types.set(label, type)
  }
  return types
}

/** How numbers may widen: a parameter of a function argument goes the other way round; inside unions and records not at all. */
function fitNumber(pattern: string, given: string, strict: boolean, reversed: boolean): boolean {
  if (pattern === given) return true
  if (strict) return false
  const wanted = primitive((reversed ? given : pattern) as 'int')
  return accepts(wanted, primitive((reversed ? pattern : given) as 'int'))
}

const numbers: ReadonlySet<string> = new Set(['int', 'long', 'float', 'double'])

function meet(labels: Labels, label: string, type: PfaType): void {
  const members = labels.met.get(label)
  if (members === undefined) labels.met.set(label, [type])
  else members.push(type)
}

function fit(pattern: Pattern, given: AnyType, labels: Labels, strict: boolean, reversed: boolean): boolean {
  if (given.kind === 'exception') return false
  switch (pattern.kind) {
    case 'any':
      if (pattern.of !== undefined) labels.restricted.set(pattern.label, pattern.of)
      // A union of numbers is none of the numbers themselves.
      if (labels.restricted.get(pattern.label)?.includes(given.kind) === false) return false
      // Where a record was asked for, the label is that record ever after: this tells a subtree from a score.
      if (labels.records.has(pattern.label)) {
        return given.kind === 'record' && given.name === labels.records.get(pattern.label)
      }
      meet(labels, pattern.label, given)
      return true
    case 'array':
      return given.kind === 'array' && fit(pattern.items, given.items, labels, strict, reversed)
    case 'map':
      return given.kind === 'map' && fit(pattern.values, given.values, labels, strict, reversed)
    case 'union':
      if (given.kind === 'fcn') return false
      if (given.kind === 'union') return fitUnion(pattern.branches, given.branches, labels, reversed)
      return pattern.branches.some((branch) =>
        tentatively(labels, (trial) => fit(branch, given, trial, strict, reversed)),
      )
    case 'fcn':
      return (
        given.kind === 'fcn' &&
        pattern.params.length === given.params.length &&
        pattern.params.every((param, index) => fit(param, given.params[index] as PfaType, labels, strict, true)) &&
        fit(pattern.result, given.result, labels, strict, false)
      )
    case 'record': {
      if (given.kind !== 'record') return false
      meet(labels, pattern.label, given)
      labels.records.set(pattern.label, given.name)
      return pattern.fields.every((wanted) => {
        const field = given.fields.find(({ name }) => name === wanted.name)
        return field !== undefined && fit(wanted.pattern, field.type, labels, true, reversed)
      })
    }
    case 'enum':
      if (given.kind !== 'enum') return false
      meet(labels, pattern.label, given)
      if (pattern.ofRecord !== undefined) labels.fields.set(pattern.ofRecord, (given as EnumType).symbols)
      return true
    case 'fixed':
      if (given.kind !== 'fixed') return false
      meet(labels, pattern.label, given)
      return true
    default:
      if (numbers.has(pattern.kind) && numbers.has(given.kind))
        return fitNumber(pattern.kind, given.kind, strict, reversed)
      return pattern.kind === given.kind
  }
}

/** Runs a match on a copy of the labels, and keeps what it met only when it succeeds. */
function tentatively(labels: Labels, match: (trial: Labels) => boolean): boolean {
  const trial: Labels = {
    met: new Map([...labels.met].map(([label, members]) => [label, [...members]])),
    fields: new Map(labels.fields),
    restricted: new Map(labels.restricted),
    records: new Map(labels.records),
  }
  if (!match(trial)) return false
  labels.met.clear()
  for (const [label, members] of trial.met) labels.met.set(label, members)
  for (const [label, symbols] of trial.fields) labels.fields.set(label, symbols)
  for (const [label, kinds] of trial.restricted) labels.restricted.set(label, kinds)
  for (const [label, name] of trial.records) labels.records.set(label, name)
  return true
}

/** Every branch given must find a pattern of its own, in whatever order. */
function fitUnion(
  patterns: readonly Pattern[],
  given: readonly AvroType[],
  labels: Labels,
  reversed: boolean,
): boolean {
  const [first, ...rest] = given
  if (first === undefined) return true
  return patterns.some((pattern, index) =>
    tentatively(
      labels,
      (trial) =>
        fit(pattern, first, trial, true, reversed) && fitUnion(patterns.toSpliced(index, 1), rest, trial, reversed),
    ),
  )
}

/** The concrete type of one parameter. */
function assign(pattern: Pattern, given: PfaType, types: ReadonlyMap<string, PfaType>): PfaType {
  switch (pattern.kind) {
    case 'any':
    case 'record':
    case 'enum':
    case 'fixed':
      return types.get(pattern.label) ?? given
    case 'array':
      return given.kind === 'array'
        ? { kind: 'array', items: assign(pattern.items, given.items, types) as AvroType }
        : given
    case 'map':
      return given.kind === 'map'
        ? { kind: 'map', values: assign(pattern.values, given.values, types) as AvroType }
        : given
    case 'fcn':
      if (given.kind !== 'fcn') return given
      return {
        kind: 'fcn',
        params: pattern.params.map((param, index) => assign(param, given.params[index] as PfaType, types)),
        result: assign(pattern.result, given.result, types),
      }
    case 'union': {
      const whole = fill(pattern, types)
      return whole !== undefined && accepts(whole, given) ? whole : given
    }
    default:
      return primitive(pattern.kind)
  }
}

/** The type of a pattern whose labels are known. */
export function fill(pattern: Pattern, types: ReadonlyMap<string, PfaType>): PfaType | undefined {
  switch (pattern.kind) {
    case 'any':
    case 'record':
    case 'enum':
    case 'fixed':
      return types.get(pattern.label)
    case 'array': {
      const items = fill(pattern.items, types)
      return items === undefined || items.kind === 'fcn' ? undefined : { kind: 'array', items }
    }
    case 'map': {
      const values = fill(pattern.values, types)
      return values === undefined || values.kind === 'fcn' ? undefined : { kind: 'map', values }
    }
    case 'union': {
      const branches = pattern.branches.map((branch) => fill(branch, types))
      if (branches.some((branch) => branch === undefined || branch.kind === 'fcn')) return undefined
      return narrowestUnionOf(branches as AvroType[])
    }
    case 'fcn': {
      const params = pattern.params.map((param) => fill(param, types))
      const result = fill(pattern.result, types)
      if (result === undefined || params.includes(undefined)) return undefined
      return { kind: 'fcn', params: params as PfaType[], result }
    }
    default:
      return primitive(pattern.kind)
  }
}

/** A union in the order of the pattern; branches that are unions themselves are merged. */
function narrowestUnionOf(branches: readonly AvroType[]): AvroType {
  const flat: AvroType[] = []
  for (const branch of branches.flatMap((each) => (each.kind === 'union' ? each.branches : [each]))) {
    if (!flat.some((known) => accepts(known, branch) && accepts(branch, known))) flat.push(branch)
  }
  const [only] = flat
  return flat.length === 1 && only !== undefined ? only : { kind: 'union', branches: flat }
}
