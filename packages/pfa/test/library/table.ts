// Tests of library functions as tables: rows of name, types, arguments and outcome come in, a test for each goes out, and
// one more that the rows leave out no function, signature or error code of the module.
import type { AvroType } from '@pitot/avro'
import { describe, expect, it } from 'vitest'
import { PfaError } from '../../src/errors.ts'
import type { CallSite, Host, LibraryModule, PfaType } from '../../src/library/library.ts'
import { signatures } from '../../src/library/signatures.generated.ts'
import { type LibrarySignatures, type Pattern, readSignature } from '../../src/library/signatures.ts'

export const NULL: AvroType = { kind: 'null' }
export const BOOLEAN: AvroType = { kind: 'boolean' }
export const INT: AvroType = { kind: 'int' }
export const LONG: AvroType = { kind: 'long' }
export const FLOAT: AvroType = { kind: 'float' }
export const DOUBLE: AvroType = { kind: 'double' }
export const STRING: AvroType = { kind: 'string' }
export const BYTES: AvroType = { kind: 'bytes' }
export const array = (items: AvroType): AvroType => ({ kind: 'array', items })
export const map = (values: AvroType): AvroType => ({ kind: 'map', values })
export const union = (...branches: AvroType[]): AvroType => ({ kind: 'union', branches })
export const enumeration = (...symbols: string[]): AvroType => ({ kind: 'enum', name: 'E', symbols })
export const fixed = (size: number): AvroType => ({ kind: 'fixed', name: 'F', size })
export const record = (fields: Record<string, AvroType>): AvroType => ({
  kind: 'record',
  name: 'R',
  fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
})
/** The last type is the result. */
export const fcn = (...types: PfaType[]): PfaType => ({
  kind: 'fcn',
  params: types.slice(0, -1),
  result: types.at(-1)!,
})

export const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
export const text = (value: string): Uint8Array => new TextEncoder().encode(value)
export const entries = (values: Record<string, unknown>): Map<string, unknown> => new Map(Object.entries(values))

class Failure {
  readonly code: number

  constructor(code: number) {
    this.code = code
  }
}

export const fails = (code: number): Failure => new Failure(code)

class Approximately {
  readonly value: number

  constructor(value: number) {
    this.value = value
  }
}

/** To twelve digits. */
export const about = (value: number): Approximately => new Approximately(value)

class Satisfies {
  readonly test: (result: never) => boolean

  constructor(test: (result: never) => boolean) {
    this.test = test
  }
}

/** Where the result is random: it must pass this test, again and again. */
// biome-ignore lint/suspicious/noExplicitAny: the result has the type of the function under test
export const satisfies = (test: (result: any) => boolean): Satisfies => new Satisfies(test)

export type Row = readonly [name: string, params: readonly PfaType[], args: readonly unknown[], expected: unknown]

export function callSite(
  name: string,
  params: readonly PfaType[],
  host: Partial<Host> = {},
  result: PfaType = NULL,
): CallSite {
  return {
    name,
    params,
    result,
    host: { random: Math.random, now: () => 0, tick: () => {}, ...host },
    error: (code) => new PfaError('runtime', `${name} raises ${code}`, { code }),
  }
}

export function call(
  module: LibraryModule,
  name: string,
  params: readonly PfaType[],
  args: readonly unknown[],
): unknown {
  const items = params[0]?.kind === 'array' ? params[0].items : NULL
  return module[name]!(callSite(name, params, {}, items))(...args)
}

function show(value: unknown): string {
  if (typeof value === 'function') return 'f'
  if (value instanceof Failure) return `error ${value.code}`
  if (value instanceof Map) return `{${[...value].map(([key, inner]) => `${key}: ${show(inner)}`).join(', ')}}`
  if (Array.isArray(value) || value instanceof Uint8Array) return `[${Array.from(value as unknown[], show).join(', ')}]`
  if (value instanceof Approximately) return `about ${value.value}`
  if (value instanceof Satisfies) return 'as it must be'
  if (typeof value === 'object' && value !== null) return JSON.stringify(value)
  return typeof value === 'string' ? JSON.stringify(value) : Object.is(value, -0) ? '-0' : String(value)
}

export function testTable(
  prefix: string,
  module: LibraryModule,
  rows: readonly Row[],
  unreachable: readonly number[] = [],
): void {
  describe(`library module ${prefix}`, () => {
    for (const [name, params, args, expected] of rows) {
      it(`${name}(${args.map(show).join(', ')}) is ${show(expected)}`, () => {
        const frozen = args.map(freeze)
        const run = () => call(module, name, params, frozen)
        if (expected instanceof Failure) expect(run).toThrow(expect.objectContaining({ code: expected.code }))
        else if (expected instanceof Approximately) {
          expect(Math.abs((run() as number) - expected.value)).toBeLessThanOrEqual(1e-12 * Math.abs(expected.value))
        } else if (expected instanceof Satisfies) {
          for (let i = 0; i < 100; i++) expect(expected.test(run() as never), show(run())).toBe(true)
        } else expect(run()).toStrictEqual(expected)
      })
    }
    it('has every function, signature and error code in these rows', () => {
      expect(Object.keys(module).sort()).toEqual(ownNames(prefix).sort())
      expect(uncovered(prefix, rows, unreachable)).toEqual([])
    })
  })
}

/** Arguments are never changed: an implementation that tries fails. */
function freeze(value: unknown): unknown {
  if (Array.isArray(value)) value.forEach(freeze)
  return value instanceof Uint8Array || value instanceof Map ? value : Object.freeze(value)
}

const library: LibrarySignatures = signatures

function ownNames(prefix: string): string[] {
  return Object.keys(library).filter((name) => name.startsWith(prefix) && !name.slice(prefix.length).includes('.'))
}

function uncovered(prefix: string, rows: readonly Row[], unreachable: readonly number[]): string[] {
  const missing: string[] = []
  for (const name of ownNames(prefix)) {
    const own = rows.filter((row) => row[0] === name)
    for (const signature of library[name]!.signatures) {
      const { params } = readSignature(signature)
      const isMet = own.some(
        (row) => row[1].length === params.length && params.every(({ pattern }, i) => fits(pattern, row[1][i]!)),
      )
      if (!isMet) missing.push(`${name}${signature}`)
    }
    for (const code of Object.keys(library[name]!.errors ?? {}).map(Number)) {
      const isMet = own.some((row) => row[3] instanceof Failure && row[3].code === code) || unreachable.includes(code)
      if (!isMet) missing.push(`${name} raises ${code}`)
    }
  }
  return missing
}

function fits(pattern: Pattern, type: PfaType): boolean {
  switch (pattern.kind) {
    case 'any':
      return pattern.of === undefined || pattern.of.includes(type.kind)
    case 'array':
      return type.kind === 'array' && fits(pattern.items, type.items)
    case 'map':
      return type.kind === 'map' && fits(pattern.values, type.values)
    default:
      return type.kind === pattern.kind
  }
}
