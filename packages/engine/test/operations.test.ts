// Every operation with every reply and every error it lists: one row each.
import { engineOperations, errorCatalogue, type Operation } from '@pitot/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, call } from '../../../test/http.ts'
import { testOptions } from '../../../test/service-options.ts'
import { startEngine } from '../src/index.ts'
import { jobRows } from './operations/job-rows.ts'
import { modelRows } from './operations/model-rows.ts'
import { restRows } from './operations/rest-rows.ts'
import type { Row, Step } from './operations/row.ts'
import { streamRows } from './operations/stream-rows.ts'
import { trialRows } from './operations/trial-rows.ts'

const rows = [...streamRows, ...modelRows, ...restRows, ...jobRows, ...trialRows]

let engine: Awaited<ReturnType<typeof startEngine>>
beforeAll(async () => {
  engine = await startEngine({
    ...(await testOptions()),
    resume: false,
    allowExec: [],
    stateMemory: 256 * 2 ** 20,
    jets: { memory: 2 ** 30, timeout: 30, network: false, isolation: 'auto' },
  })
})
afterAll(() => engine?.stop())

function send([request, options]: Step, headers: Record<string, string> = {}): Promise<Answer> {
  const [method, path] = request.split(' ') as [string, string]
  return call(engine.url, path, { ...options, method, headers: { ...headers, ...options?.headers } })
}

async function prepare(row: Row): Promise<void> {
  for (const step of [['DELETE /1/job'], ['POST /1/job/scale?n=1'], ...(row.given ?? [])] as Step[]) {
    const answer = await send(step)
    expect(answer.status, `${step[0]}: ${answer.text}`).toBeLessThan(300)
  }
}

test.each(rows.map((row) => [`${row.operation}: ${row.title} -> ${row.yields}`, row] as const))(
  '%s',
  async (_title, row) => {
    await prepare(row)
    const answer = await send(row.when)
    const status = typeof row.yields === 'number' ? row.yields : errorCatalogue[row.yields].status
    expect(answer.status, answer.text).toBe(status)
    if (row.body instanceof RegExp) expect(answer.text).toMatch(row.body)
    else if (typeof row.body === 'string') expect(answer.text).toBe(row.body)
    else if (row.body !== undefined) expect(JSON.parse(answer.text)).toEqual(row.body)
    for (const [name, value] of Object.entries(row.headers ?? {})) expect(answer.headers[name]).toMatch(value)
    if (typeof row.yields === 'string') await expectError(row, answer)
  },
)

async function expectError(row: Row, answer: Answer): Promise<void> {
  if (row.when[0].startsWith('HEAD')) return
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(answer.text).toMatch(/^[^\n]{10,}$/)
  // The same request for a caller that wants JSON: the code is in it.
  const problem = await send(row.when, { accept: 'application/json' })
  expect(problem.headers['content-type']).toBe('application/problem+json')
  expect(JSON.parse(problem.text)).toMatchObject({ code: row.yields, status: answer.status })
}

/** Tested where connections break, where there is a Model Manage that lacks something, and where two ask at once; an engine has no database. */
const elsewhere = new Set([
  'body-incomplete',
  'attachment-not-fetched',
  'model-schema-not-found',
  'store-unavailable',
  'trial-busy',
])

test('every reply and error that an operation lists has a row', () => {
  const missing = Object.entries(engineOperations as Record<string, Operation>)
    .filter(([, row]) => !row.path.includes('/control/'))
    .flatMap(([id, row]) =>
      [...Object.keys(row.replies).map(Number), ...(row.errors ?? [])].map((reply) => [id, reply] as const),
    )
    .filter(([, reply]) => !elsewhere.has(String(reply)))
    .filter(([id, reply]) => !rows.some((row) => row.operation === id && row.yields === reply))
  expect(missing).toEqual([])
})
