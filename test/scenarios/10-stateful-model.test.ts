// A model that looks back: nothing for the first records, one score for each of the others.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../service-options.ts'
import { debugIn, debugOut, type Fleet, startFleet } from './fleet.ts'
import { formParts, inlineAttachment, multipart } from './multipart.ts'

const source = `
# fastscore.input: double
# fastscore.output: double
# fastscore.module-attached: windowing
import json
from collections import deque
from windowing import weighted

def begin():
    global window, weights
    window = deque(maxlen=30)
    with open('parameters/weights.json') as file:
        weights = json.load(file)

def action(x):
    window.append(x)
    if len(window) == 30:
        yield weighted(window, weights)
`

let fleet: Fleet
const folder = temporaryFolder()
beforeAll(async () => {
  fleet = await startFleet()
  mkdirSync(`${folder}/parameters`)
  mkdirSync(`${folder}/windowing`)
  writeFileSync(`${folder}/parameters/weights.json`, JSON.stringify(Array.from({ length: 30 }, (_, n) => n)))
  writeFileSync(`${folder}/windowing/__init__.py`, 'from .sums import weighted\n')
  writeFileSync(
    `${folder}/windowing/sums.py`,
    'def weighted(values, weights):\n    return float(sum(a * b for a, b in zip(values, weights)))\n',
  )
  execFileSync('tar', ['czf', 'lstm.tar.gz', 'parameters', 'windowing'], { cwd: folder })
})
afterAll(() => fleet?.stop())

test('thirty records make one window', async () => {
  const { engine } = fleet
  const archive = inlineAttachment('lstm.tar.gz', 'application/gzip', readFileSync(`${folder}/lstm.tar.gz`))
  const model = { name: 'lstm', type: 'application/vnd.fastscore.model-python3', source }
  const { body, headers } = multipart('form-data', formParts(model, [archive]))
  await engine.ok('PUT /1/job/model', body, headers)
  await engine.output(debugOut)
  const values = Array.from({ length: 100 }, (_, n) => (n * 37) % 11)
  await engine.input(debugIn(values, { Schema: 'double' }))
  const status = await engine.finished()
  expect(status).toMatchObject({ input: { total_records: 100 }, output: { total_records: 71 } })
  const expected = Array.from({ length: 71 }, (_, start) =>
    values.slice(start, start + 30).reduce((sum, value, place) => sum + value * place, 0),
  )
  expect((await engine.debugOutput()).map(Number)).toEqual(expected)
})
