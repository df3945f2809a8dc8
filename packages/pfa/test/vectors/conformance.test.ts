// Every library function on recorded samples: the engine of each case is compiled, every trial must give the recorded result or error.
import { describe, expect, test } from 'vitest'
import { PfaError } from '../../src/errors.ts'
import { compile } from '../../src/index.ts'
import { findFunction } from '../../src/library/index.ts'
import { findConformanceError } from './reference-errors.ts'
import { get, isPresent, items, type Json, json, list, number, plain } from './shared.ts'
import { type Form, same, show, toInput } from './values.ts'

const isQuantile = (name: string): boolean => /^prob\.dist\..*QF$/.test(name)

function runCase(each: Json, generate: boolean): string[] {
  const name = String(get(each, 'function'))
  const problems: string[] = []
  const engine = get(each, 'engine') as object
  const form: Form = {
    bytes: 'base64',
    tolerance: isQuantile(name) ? 0.05 : get(each, 'float32Sensitive') === true ? 1e-5 : 1e-9,
    ignoreOrder: findFunction(name)?.entry.nondeterministic === 'unordered',
  }
  let program: ReturnType<typeof compile>
  try {
    program = compile(engine, { generate })
  } catch (error) {
    return [
      `${name}: ${show(plain(engine as Json))} does not compile: ${error instanceof Error ? error.message : error}`,
    ]
  }
  for (const trial of items(get(each, 'trials'))) {
    const known = findConformanceError(name, plain(get(trial, 'sample')))
    const instance = program.start()
    const wanted = number(get(trial, 'error'))
    const sample = toInput(program.checked.input, get(trial, 'sample'), form)
    const where = `${name} ${show(sample)} in ${show(plain(engine as Json))}`
    try {
      const result = instance.action(sample)
      if (known !== undefined && same(program.checked.output, result, known.ours as Json, { ...form, tolerance: 1e-6 }))
        continue
      if (wanted !== undefined) problems.push(`${where} gave ${show(result)}, expected error ${wanted}`)
      else if (
        get(each, 'nondeterministic') !== true &&
        !same(program.checked.output, result, get(trial, 'result'), form)
      ) {
        problems.push(`${where} gave ${show(result)}, expected ${show(plain(get(trial, 'result')))}`)
      }
    } catch (error) {
      const found = error instanceof PfaError ? error.code : undefined
      if (wanted === undefined || found !== wanted) {
        problems.push(
          `${where} failed with ${
            error instanceof Error
              ? error.stack
                  ?.split('\n')
                  .slice(0, error instanceof PfaError ? 1 : 3)
                  .join(' ')
              : error
          } (${found}), expected ${wanted ?? show(plain(get(trial, 'result')))}`,
        )
      }
    }
  }
  return problems
}

describe.skipIf(!isPresent).each([
  ['generated', true],
  ['interpreted', false],
])('recorded samples, %s', (_, generate) => {
  for (const folder of ['conformance', 'conformance-extended']) {
    for (const file of list(folder)) {
      test(`${folder} ${decodeURIComponent(file.replace(/\.json$/, ''))}`, () => {
        const problems = items(json(`${folder}/${file}`)).flatMap((each) => runCase(each, generate))
        expect(problems.slice(0, 8).join('\n'), `${problems.length} problems`).toBe('')
      })
    }
  }
})
