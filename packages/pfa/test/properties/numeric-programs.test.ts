import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formats, parse, print } from '../../src/forms/index.ts'
import { compile, PfaError } from '../../src/index.ts'
import { Failure, interpret, Unspecified, type Value } from './interpreter.ts'
import { ProgramBuilder } from './numeric-programs.ts'

const choices = fc.array(fc.nat(1000), { minLength: 20, maxLength: 120 })
const inputs = fc.record({ i: fc.integer(), l: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), d: fc.double() })

test('generated numeric programs give what a slow interpreter gives, in every form, compiled and interpreted', () => {
  let failed = 0
  let gave = 0
  fc.assert(
    fc.property(choices, fc.array(inputs, { minLength: 1, maxLength: 3 }), (numbers, records) => {
      const document = new ProgramBuilder(numbers).document()
      const programs = formats.map((format) => compile(parse(print(document, format), format)))
      programs.push(compile(document, { generate: false }))
      for (const { i, l, d } of records) {
        const record = { i, l: Number.isSafeInteger(Number(l)) ? Number(l) : l, d }
        const expected = outcome(() =>
          plain(
            interpret(document, {
              i: { type: 'int', value: BigInt(i) },
              l: { type: 'long', value: l },
              d: { type: 'double', value: d },
            }),
          ),
        )
        if (expected === undefined) continue
        if (typeof expected === 'string') failed += 1
        else gave += 1
        for (const program of programs) {
          expect(
            outcome(() => program.start().action(record)),
            print(document, 'pretty'),
          ).toStrictEqual(expected)
        }
      }
    }),
    { numRuns: 400 },
  )
  console.log(`${gave} results and ${failed} errors compared`)
  expect(Math.min(gave, failed)).toBeGreaterThan(50)
})

/** A value, the code of an error as text, or undefined when the specification is silent. */
function outcome(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (error instanceof Unspecified) return undefined
    if (error instanceof Failure || error instanceof PfaError) return `error ${error.code}`
    throw error
  }
}

/** As the package gives values: a long is a number while it is a safe integer. */
function plain(value: Value): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (value.type === 'double') return value.value
  const number = Number(value.value)
  return Number.isSafeInteger(number) ? number : value.value
}
