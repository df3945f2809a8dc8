// Rows of «this document, these records, these results» become tests.
import { expect, test } from 'vitest'
import { compile, PfaError } from '../../src/index.ts'

/**
 * `given`: records as Avro-JSON text. `expected`: for each record its result as text, `[...]` of what was emitted for an
 * emit document, or the kind and code of the error it ends with ('runtime 18000'); a single text 'syntax', 'semantic' or
 * 'initialization' for a document that is refused.
 */
export type Row = readonly [
  title: string,
  document: string,
  given: readonly string[],
  expected: readonly string[] | string,
]

export function testRows(rows: readonly Row[]): void {
  test.each(rows)('%s', (_title, document, given, expected) => {
    // The mode without generated code is slower, and otherwise the same.
    for (const generate of [true, false]) {
      if (typeof expected === 'string') expect(refusal(document, generate)).toBe(expected)
      else expect(results(document, given, generate).map(plain), `generate: ${generate}`).toEqual(expected.map(plain))
    }
  })
}

function refusal(document: string, generate: boolean): string {
  try {
    compile(document, { generate })
  } catch (error) {
    return kindOf(error)
  }
  return 'accepted'
}

function results(document: string, given: readonly string[], generate: boolean): string[] {
  const emitted: string[] = []
  const program = compile(document, { generate })
  const instance = program.start({ emitJson: (text) => emitted.push(text), log: () => {} })
  instance.begin()
  return given.map((record) => {
    emitted.length = 0
    try {
      const result = instance.actionJson(record)
      return program.method === 'emit' ? `[${emitted.join(', ')}]` : String(result)
    } catch (error) {
      return kindOf(error)
    }
  })
}

export function kindOf(error: unknown): string {
  if (!(error instanceof PfaError)) throw error
  return error.code === undefined ? error.kind : `${error.kind} ${error.code}`
}

/** Space and the order of keys do not count. */
function plain(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text)))
  } catch {
    return text
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}

/** A document of one expression or several; types and expressions as JSON text. */
export function doc(input: string, output: string, action: string, rest = ''): string {
  return `{"input": ${input}, "output": ${output}, "action": ${action}${rest === '' ? '' : `, ${rest}`}}`
}

/** A row for an expression that needs no input. */
export function row(title: string, output: string, action: string, expected: string, rest = ''): Row {
  const refused = ['syntax', 'semantic', 'initialization'].includes(expected)
  return [title, doc('"null"', output, action, rest), ['null'], refused ? expected : [expected]]
}
