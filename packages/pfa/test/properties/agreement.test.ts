// Generated code and the interpreter agree: on results, errors and state, for random documents and inputs.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PfaError } from '../../src/errors.ts'
import { compile, type Instance } from '../../src/index.ts'
import { ProgramMaker } from './programs.ts'

const inputs = [0, 1, -1, 3, 1000, 2147483647, -2147483648]

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

/** What a document did with one input, as text. */
function outcome(instance: Instance, input: number): string {
  let result: unknown
  try {
    result = instance.action(input)
  } catch (error) {
    if (!(error instanceof PfaError)) throw error
    result = `${error.kind} ${error.code}`
  }
  const show = (value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : Object.is(value, -0) ? '-0' : String(value)
  return `${show(result)} ${JSON.stringify(instance.snapshot(), plain)}`
}

test('generated code does what the interpreter does', () => {
  let errors = 0
  let results = 0
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 }), (seed) => {
      const document = new ProgramMaker(seed).document() as object
      const fast = compile(document).start()
      const slow = compile(document, { generate: false }).start()
      for (const [index, input] of inputs.entries()) {
        // Going on from a snapshot is going on.
        if (index === 4) fast.restore(fast.snapshot())
        const expected = outcome(slow, input)
        if (/^runtime/.test(expected)) errors++
        else results++
        expect(outcome(fast, input), JSON.stringify(document, plain)).toBe(expected)
      }
    }),
    { numRuns: 400 },
  )
  // Both kinds of outcome must occur, or the documents test nothing.
  expect(errors).toBeGreaterThan(100)
  expect(results).toBeGreaterThan(100)
})
