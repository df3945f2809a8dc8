// Complete models with inputs and recorded outputs.
import { describe, expect, test } from 'vitest'
import { PfaError } from '../../src/errors.ts'
import { compile, parse } from '../../src/index.ts'
import { get, isPresent, type Json, list, number, plain, text } from './shared.ts'
import { type Form, same, show, toInput } from './values.ts'

const form: Form = { bytes: 'latin1', tolerance: 1e-9, ignoreOrder: false }
const lines = (path: string): Json[] =>
  text(path)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => parse(line, 'json').root)

describe.skipIf(!isPresent).each([
  ['generated', true],
  ['interpreted', false],
])('recorded models, %s', (_, generate) => {
  for (const model of list('models')) {
    test(model, () => {
      const program = compile(text(`models/${model}/model.pfa.json`), { generate })
      const emitted: unknown[] = []
      const instance = program.start({ emit: (value) => emitted.push(value) })
      instance.begin()
      const expected = lines(`models/${model}/expected.jsonl`)
      const problems: string[] = []
      for (const [index, line] of lines(`models/${model}/input.jsonl`).entries()) {
        emitted.length = 0
        const wanted = expected[index]
        const where = `line ${index + 1}: ${show(plain(line)).slice(0, 200)}`
        try {
          const result = instance.action(toInput(program.checked.input, line, form))
          const outputs = program.method === 'emit' ? emitted : [result]
          const all =
            program.method === 'emit' ? (get(wanted, 'emitted') as readonly Json[]) : [get(wanted, 'output') as Json]
          const right =
            outputs.length === all?.length &&
            outputs.every((value, place) => same(program.checked.output, value, all[place], form))
          if (!right) problems.push(`${where} gave ${show(outputs)}, expected ${show(plain(wanted))}`)
        } catch (error) {
          const code = error instanceof PfaError ? error.code : undefined
          const wantedError = get(wanted, 'error')
          if (wantedError === undefined || code !== number(get(wantedError, 'code')))
            problems.push(`${where} failed: ${(error as Error).message}, expected ${show(plain(wanted))}`)
        }
      }
      expect(problems.slice(0, 5).join('\n'), `${problems.length} problems`).toBe('')
    })
  }
})
