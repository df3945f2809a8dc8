// Cells and pools have a limit together: in every language what would be too much costs its record, and the job goes on.
import { expect, test } from 'vitest'
import { findR } from '../../../../test/servers/r.ts'
import { debugInput, debugOutput, harness, modelOf } from './harness.ts'

/** Keeps a thousand characters under the name of each record; negative ones keep nothing. */
const models: readonly (readonly [language: string, source: string])[] = [
  [
    'python3',
    `
import pitot
def action(x):
    if x >= 0:
        pitot.pools('seen').set(str(x), 'x' * 1000)
        pitot.cells('last').update(lambda old: x)
    return x
`,
  ],
  [
    'r',
    `
action <- function(x) {
  if (x >= 0) {
    Set(Pool("seen"), as.character(x), strrep("x", 1000))
    Update(Cell("last"), function(old) x)
  }
  emit(x)
}
`,
  ],
  [
    'javascript',
    `
export function action(x) {
  if (x >= 0) {
    pools('seen').update(String(x), () => 'x'.repeat(1000))
    cells('last').set(x)
  }
  return x
}
`,
  ],
  [
    'pfa-json',
    `
{
  "input": "int",
  "output": "int",
  "pools": { "seen": { "type": "string", "shared": true } },
  "action": [
    { "if": { ">=": ["input", 0] }, "then": { "pool": "seen", "path": [{ "s.int": "input" }], "to": ["LONG"], "init": ["LONG"] } },
    "input"
  ]
}
`.replaceAll('LONG', 'x'.repeat(1000)),
  ],
]

const missing: Readonly<Record<string, boolean>> = { r: 'missing' in findR() }
const LIMIT = 64 * 2 ** 10

test.for(models)('%s', { timeout: 60_000 }, async ([language, source], { skip }) => {
  if (missing[language]) skip('there is no R')
  await using job = harness({ stateMemory: LIMIT })
  const growing = Array.from({ length: 100 }, (_, at) => at)
  await job.job.attachStream(1, debugOutput, {})
  await job.job.attachStream(0, debugInput([...growing, -1, -2]), {})
  await job.job.loadModel(modelOf(language, source), {})
  await job.state('FINISHED')

  const kept = job.output().map(Number)
  expect(kept.length).toBeGreaterThan(30)
  expect(kept.length).toBeLessThan(64)
  expect(kept).toEqual([...growing.slice(0, kept.length - 2), -1, -2])
  const rejected = job.job.rejected({})
  expect(rejected.map(({ bytes }) => Number(Buffer.from(bytes)))).toEqual(growing.slice(kept.length - 2))
  for (const { step, reason } of rejected) {
    expect(step).toBe('model')
    expect(reason).toContain('would hold more than the 64 KiB that they may (--state-memory)')
  }
  const { sharedState } = job.job.report()
  expect(sharedState.limit).toBe(LIMIT)
  expect(sharedState.bytes).toBeGreaterThan(30_000)
  expect(sharedState.bytes).toBeLessThanOrEqual(LIMIT)
})
