// Replays recorded calls of library functions: a module and the folder of recordings come in, a list of disagreements goes out.
//
// A recording is a document whose action is one call, with samples. Arguments that are functions of the document are run
// by the few expressions that occur in recordings.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type AvroType, Branch, type RecordType } from '@pitot/avro'
import { PfaError } from '../../src/errors.ts'
import type { CallSite, LibraryModule, PfaType } from '../../src/library/library.ts'
import { compareNumbers } from '../../src/runtime/compare.ts'

export const recordings = new URL('../../../../../shared/pfa/', import.meta.url)

// biome-ignore lint/suspicious/noExplicitAny: recordings are JSON of many shapes
type Json = any

interface Template {
  function: string
  engine: { input: Json; output: Json; action: Json }
  trials: { sample: Json; result?: Json; error?: number }[]
  nondeterministic?: boolean
  mapOrderDependent?: boolean
  float32Sensitive?: boolean
}

/** Whole numbers beyond 2^53 become bigints; doubles stay what they were written as. */
export function readJson(url: URL): Json {
  return JSON.parse(readFileSync(url, 'utf8'), (_, value, context?: { source?: string }) => {
    if (typeof value !== 'number' || Number.isSafeInteger(value) || !/^-?\d+$/.test(context?.source ?? '')) return value
    return BigInt(context!.source!)
  })
}

export function schema(json: Json, names: Map<string, AvroType>): AvroType {
  if (Array.isArray(json)) return { kind: 'union', branches: json.map((branch) => schema(branch, names)) }
  if (typeof json === 'string') return names.get(json) ?? ({ kind: json } as AvroType)
  switch (json.type) {
    case 'array':
      return { kind: 'array', items: schema(json.items, names) }
    case 'map':
      return { kind: 'map', values: schema(json.values, names) }
    case 'record': {
      const fields: RecordType['fields'][number][] = []
      const record: RecordType = { kind: 'record', name: json.name, fields }
      names.set(json.name, record)
      for (const field of json.fields) fields.push({ ...field, type: schema(field.type, names) })
      return record
    }
    case 'enum':
    case 'fixed': {
      const type = { ...json, kind: json.type } as AvroType
      names.set(json.name, type)
      return type
    }
    default:
      return schema(json.type, names)
  }
}

const SPECIAL: Record<string, number> = {
  nan: Number.NaN,
  NaN: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  Infinity: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
}

const isNumeric = (type: AvroType) => ['int', 'long', 'float', 'double'].includes(type.kind)
const nameOf = (type: AvroType) => ('name' in type ? type.name : type.kind)

export function decode(type: AvroType, json: Json): unknown {
  switch (type.kind) {
    case 'float':
      return Math.fround(SPECIAL[json] ?? Number(json))
    case 'double':
      return SPECIAL[json] ?? Number(json)
    case 'bytes':
    case 'fixed':
      return Uint8Array.from(Buffer.from(json, 'base64'))
    case 'array':
      return json.map((item: Json) => decode(type.items, item))
    case 'map':
      return new Map(Object.entries(json).map(([key, value]) => [key, decode(type.values, value)]))
    case 'record':
      return Object.fromEntries(type.fields.map((field) => [field.name, decode(field.type, json[field.name])]))
    case 'union': {
      if (json === null) return null
      const [tag, value] = Object.entries(json)[0]!
      const branch = type.branches.find((candidate) => nameOf(candidate).split('.').pop() === tag.split('.').pop())!
      const numbers = type.branches.filter(isNumeric).length
      const strings = type.branches.filter(({ kind }) => kind === 'string' || kind === 'enum').length
      const decoded = decode(branch, value)
      const ambiguous = (isNumeric(branch) && numbers > 1) || (typeof decoded === 'string' && strings > 1)
      return ambiguous ? new Branch(nameOf(branch), decoded) : decoded
    }
    default:
      return json
  }
}

function closeTo(x: number, y: number): boolean {
  if (Object.is(x, y) || x === y) return true
  return Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y))
}

export function alike(x: unknown, y: unknown): boolean {
  if (typeof x === 'number' && typeof y === 'number') return closeTo(x, y)
  if (x instanceof Branch && y instanceof Branch) return x.type === y.type && alike(x.value, y.value)
  if (x instanceof Uint8Array && y instanceof Uint8Array) return Buffer.compare(x, y) === 0
  if (x instanceof Map && y instanceof Map) {
    return x.size === y.size && [...x].every(([key, value]) => y.has(key) && alike(value, y.get(key)))
  }
  if (Array.isArray(x) && Array.isArray(y)) return x.length === y.length && x.every((item, i) => alike(item, y[i]))
  if (isPlain(x) && isPlain(y)) {
    return Object.keys(x).length === Object.keys(y).length && Object.keys(x).every((key) => alike(x[key], y[key]))
  }
  return x === y
}

function isPlain(x: unknown): x is Record<string, unknown> {
  return typeof x === 'object' && x !== null && !(x instanceof Map) && !Array.isArray(x) && !(x instanceof Uint8Array)
}

export function callSite(name: string, params: readonly PfaType[], result: PfaType): CallSite {
  return {
    name,
    params,
    result,
    host: { random: Math.random, now: () => 0, tick: () => {} },
    error: (code) => new PfaError('runtime', `${name} raises ${code}`, { code }),
  }
}

class Unsupported extends Error {}

type Scope = Record<string, unknown>

function evaluate(expression: Json, scope: Scope, names: Map<string, AvroType>): Json {
  if (typeof expression !== 'object') return typeof expression === 'string' ? scope[expression] : expression
  const run = (inner: Json) => evaluate(inner, scope, names)
  if (Array.isArray(expression)) return expression.map(run).pop()
  if ('attr' in expression) return run(expression.attr)[expression.path[0].string]
  if ('ifnotnull' in expression) {
    const [name, value] = Object.entries(expression.ifnotnull)[0]!
    const given = run(value)
    return given === null ? run(expression.else) : evaluate(expression.then, { ...scope, [name]: given }, names)
  }
  if ('upcast' in expression) return run(expression.upcast)
  if ('new' in expression) {
    return Object.fromEntries(Object.entries(expression.new).map(([key, value]) => [key, run(value)]))
  }
  if ('value' in expression) {
    const type = schema(expression.type, names)
    return decode(type.kind === 'union' ? type.branches[0]! : type, expression.value.array ?? expression.value)
  }
  const [[name, given]] = Object.entries(expression) as [[string, Json]]
  const args = (Array.isArray(given) ? given : [given]).map(run)
  switch (name) {
    case '<':
      return compareNumbers(args[0], args[1]) < 0
    case '+':
      return args[0] + args[1]
    case '&&':
      return args[0] && args[1]
    case 'a.len':
    case 's.len':
      return args[0].length
    case 's.int':
      return String(args[0])
    case 'cast.int':
      if (!(Math.abs(args[0]) < 2 ** 31)) throw new PfaError('runtime', 'int overflow', { code: 17020 })
      return Math.floor(args[0] + 0.5)
    case 'string':
      return given
    default:
      throw new Unsupported(name)
  }
}

interface Argument {
  type: PfaType
  value(input: Json): unknown
}

function argument(expression: Json, input: RecordType, names: Map<string, AvroType>): Argument {
  if (typeof expression === 'string') {
    const field = input.fields.find(({ name }) => `input.${name}` === expression)!
    return { type: field.type, value: (record) => record[field.name] }
  }
  if (typeof expression === 'object' && 'params' in expression) {
    const params = expression.params.map((param: Json) => Object.entries(param)[0] as [string, Json])
    const type: PfaType = {
      kind: 'fcn',
      params: params.map(([, json]: [string, Json]) => schema(json, names)),
      result: schema(expression.ret, names),
    }
    const call = (...args: unknown[]) => {
      const scope = Object.fromEntries(params.map(([name]: [string, Json], i: number) => [name, args[i]]))
      return evaluate(expression.do, scope, names)
    }
    return { type, value: () => call }
  }
  if (typeof expression === 'number') return { type: { kind: 'int' }, value: () => expression }
  if (typeof expression === 'object' && 'string' in expression) {
    return { type: { kind: 'string' }, value: () => expression.string }
  }
  throw new Unsupported(JSON.stringify(expression))
}

export interface Report {
  agreed: number
  skipped: string[]
  disagreed: string[]
}

export function replay(module: LibraryModule, folder: 'conformance' | 'conformance-extended', only?: string): Report {
  const report: Report = { agreed: 0, skipped: [], disagreed: [] }
  const directory = new URL(`${folder}/`, recordings)
  for (const file of existsSync(directory) ? readdirSync(directory) : []) {
    const name = decodeURIComponent(file.replace(/\.json$/, ''))
    if (!(name in module) || (only !== undefined && only !== name)) continue
    for (const template of readJson(new URL(encodeURIComponent(file), directory)) as Template[]) {
      try {
        replayTemplate(module, template, report)
      } catch (error) {
        if (!(error instanceof Unsupported)) throw error
        report.skipped.push(`${name}: ${error.message}`)
      }
    }
  }
  return report
}

/** Arguments arrive promoted in compiled documents; here, numbers already are what they are promoted to. */
function replayTemplate(module: LibraryModule, template: Template, report: Report): void {
  const names = new Map<string, AvroType>()
  const input = schema(template.engine.input, names) as RecordType
  const given = template.engine.action[template.function]
  const args: Argument[] = (Array.isArray(given) ? given : [given]).map((expression: Json) =>
    argument(expression, input, names),
  )
  const output = schema(template.engine.output, names)
  const site = callSite(
    template.function,
    args.map(({ type }) => type),
    output,
  )
  const call = module[template.function]!(site)
  for (const trial of template.trials) {
    const record = decode(input, trial.sample)
    let outcome: string | undefined
    try {
      const result = call(...args.map(({ value }) => value(record)))
      if (trial.error !== undefined) outcome = `${show(result)} instead of error ${trial.error}`
      else if (!template.nondeterministic && !sameResult(template, result, decode(output, trial.result))) {
        outcome = `${show(result)} instead of ${show(decode(output, trial.result))}`
      }
    } catch (error) {
      if (error instanceof Unsupported) throw error
      const code = error instanceof PfaError ? error.code : String((error as Error).stack)
      if (code !== trial.error) outcome = `error ${code} instead of ${show(trial.error ?? trial.result)}`
    }
    if (outcome === undefined) report.agreed++
    else {
      const types = args.map(({ type }) => type.kind).join(', ')
      report.disagreed.push(`${template.function}(${types}) of ${show(trial.sample)}: ${outcome}`)
    }
  }
}

function sameResult(template: Template, x: unknown, y: unknown): boolean {
  if (template.float32Sensitive && typeof x === 'number' && typeof y === 'number') {
    return Object.is(Math.fround(x), Math.fround(y)) || Math.abs(x - y) <= 1e-5 * Math.max(Math.abs(x), Math.abs(y))
  }
  if (template.mapOrderDependent && Array.isArray(x) && Array.isArray(y)) {
    return x.length === y.length && x.every((item) => y.some((other) => alike(item, other)))
  }
  return alike(x, y)
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'bigint' || (typeof inner === 'number' && !Number.isFinite(inner))
      ? String(inner)
      : inner instanceof Map
        ? Object.fromEntries(inner)
        : inner,
  )
}
