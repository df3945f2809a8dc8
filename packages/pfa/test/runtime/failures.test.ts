// Whatever goes wrong while a document runs is an error of this package.
import { expect, test } from 'vitest'
import { compile, PfaError } from '../../src/index.ts'

test.each([true, false])('text that cannot be written is a runtime error, with generated code: %s', (generate) => {
  const text = '{"input": "null", "output": "null", "action": [{"log": [{"string": "\\ud800"}]}]}'
  const instance = compile(text, { generate }).start()
  expect(() => instance.action(null)).toThrow(PfaError)
  expect(() => instance.action(null)).toThrow(expect.objectContaining({ kind: 'runtime' }))
})

test.each([true, false])('the error that comes first is the one that is told, with generated code: %s', (generate) => {
  const document = { input: 'long', output: 'long', action: { '%': [{ '//': [{ long: 1 }, 'input'] }, 0] } }
  expect(() => compile(document, { generate }).start().action(0)).toThrow(expect.objectContaining({ code: 18040 }))
})
