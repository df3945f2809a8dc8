// The documents of the benchmark give what was recorded.
import { describe, expect, test } from 'vitest'
import { compile, parse } from '../../src/index.ts'
import { get, isPresent, items, list, text } from './shared.ts'
import { type Form, same, show } from './values.ts'

const form: Form = { bytes: 'latin1', tolerance: 1e-9, ignoreOrder: false }
const names = list('perf')
  .filter((name) => /^[a-z]_\w+\.json$/.test(name))
  .map((name) => name.replace('.json', ''))

describe.skipIf(!isPresent)('documents of the benchmark', () => {
  test.each(names)('%s', (name) => {
    const document = text(`perf/${name}.json`)
    const program = compile(document)
    const recorded = parse(text(`perf/${name}.expected.json`), 'json').root
    const expected = items(Array.isArray(recorded) ? recorded : (get(recorded, 'outputs') ?? get(recorded, 'expected')))
    expect(expected.length).toBeGreaterThan(0)
    const lines = text(`perf/${name}.input.jsonl`).split('\n')
    const instance = program.start()
    const other = program.start()
    for (const [index, wanted] of expected.entries()) {
      const line = lines[index] as string
      const result = instance.action(JSON.parse(line))
      expect(same(program.checked.output, result, wanted, form), `${line} gave ${show(result)}`).toBe(true)
      const written = parse(other.actionJson(line) as string, 'json').root
      expect(same(program.checked.output, result, written, form), `${line} gave ${show(written)}`).toBe(true)
    }
  })
})
