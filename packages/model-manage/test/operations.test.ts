// Every operation with every reply and every error it lists: one row each, on every database.
import { errorCatalogue, modelManageOperations, type Operation } from '@pitot/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, call } from '../../../test/http.ts'
import { describeDatabases } from '../../../test/servers/databases.ts'
import { testOptions } from '../../../test/service-options.ts'
import { type RunningModelManage, startModelManage } from '../src/index.ts'
import { attachmentRows } from './operations/attachments.ts'
import { documentRows } from './operations/documents.ts'
import { modelRows } from './operations/models.ts'
import type { Row, Step } from './operations/row.ts'
import { snapshotRows } from './operations/snapshots.ts'

const commonRows: Row[] = [
  {
    title: 'Swagger 2.0',
    operation: 'getSwagger',
    when: ['GET /1/swagger'],
    yields: 200,
    body: /"title":"Model Manage API"/,
    headers: { 'content-type': /^application\/json$/ },
  },
  {
    title: 'health record',
    operation: 'getHealth',
    when: ['GET /1/health'],
    yields: 200,
    body: /^\{"id":"[0-9a-f-]{36}","release":"1\.3","built_on":"\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}"\}$/,
  },
  {
    title: 'Prometheus text',
    operation: 'getMetrics',
    when: ['GET /metrics'],
    yields: 200,
    body: /pitot_requests_total/,
  },
  {
    title: 'nothing attached',
    operation: 'listAttachedSensors',
    when: ['GET /1/control/sensor'],
    yields: 200,
    body: [],
  },
]

const rows = [
  ...modelRows,
  ...attachmentRows,
  ...snapshotRows,
  ...documentRows('stream'),
  ...documentRows('schema'),
  ...documentRows('sensor'),
  ...commonRows,
]

/** Tested where the connection, the database or the sensors are: they need more than one request. */
const elsewhere = new Set(['store-unavailable', 'body-incomplete', 'cannot-convert'])

describeDatabases('Model Manage operations', 'all', (database) => {
  let service: RunningModelManage
  beforeAll(async () => {
    await database.start()
    service = await startModelManage({ ...(await testOptions()), database: await database.create('operations') })
  })
  afterAll(async () => {
    await service?.stop()
    await database.stop()
  })

  async function send([request, options]: Step, headers: Record<string, string> = {}): Promise<Answer> {
    const [method, path] = request.split(' ') as [string, string]
    return call(service.url, path, { ...options, method, headers: { ...headers, ...options?.headers } })
  }

  test.each(rows.map((row) => [`${row.operation}: ${row.title} -> ${row.yields}`, row] as const))(
    '%s',
    async (_title, row) => {
      const ids: string[] = []
      for (const step of row.given ?? []) {
        const { status, text } = await send(step)
        expect(status, text).toBeLessThan(300)
        if (text.startsWith('{"id":')) ids.push(JSON.parse(text).id)
      }
      const when: Step = [fillIn(row.when[0], ids), row.when[1] ?? {}]
      const answer = await send(when)
      const status = typeof row.yields === 'number' ? row.yields : errorCatalogue[row.yields].status
      expect(answer.status, answer.text).toBe(status)
      if (typeof row.yields === 'string') await expectError({ ...row, when }, answer)
      if (Array.isArray(row.body)) expect(JSON.parse(answer.text)).toEqual(row.body)
      else if (row.body instanceof RegExp) expect(answer.text).toMatch(row.body)
      else if (row.body !== undefined) expect(answer.text).toBe(row.body)
      for (const [name, value] of Object.entries(row.headers ?? {})) expect(answer.headers[name]).toMatch(value)
    },
  )

  async function expectError(row: Row, answer: Answer): Promise<void> {
    if (row.when[0].startsWith('HEAD')) return
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.text).toMatch(/^[^\n]{10,}$/)
    // The same request for a caller that wants JSON: the code is in it. (A model's own Accept is part of its question.)
    if (row.when[1]?.headers?.accept !== undefined) return
    const problem = await send(row.when, { accept: 'application/json' })
    expect(problem.headers['content-type']).toBe('application/problem+json')
    expect(JSON.parse(problem.text)).toMatchObject({ code: row.yields, status: answer.status, detail: answer.text })
  }
})

function fillIn(request: string, ids: readonly string[]): string {
  const first = ids.map((id) => id[0])
  const shared = first.find((letter, index) => first.indexOf(letter) !== index)
  return request.replace('{id}', String(ids.at(-1))).replace('{shared}', String(shared))
}

test('every reply and error that an operation lists has a row', () => {
  const sensorControl = /[sS]ensor$|Taps$|AttachedSensors$/
  const missing = Object.entries(modelManageOperations as Record<string, Operation>)
    .filter(([id, row]) => !(row.path.includes('/control/') && sensorControl.test(id)))
    .flatMap(([id, row]) =>
      [...Object.keys(row.replies).map(Number), ...(row.errors ?? [])].map((reply) => [id, reply] as const),
    )
    .filter(([, reply]) => !elsewhere.has(String(reply)))
    .filter(([id, reply]) => !rows.some((row) => row.operation === id && row.yields === reply))
  expect(missing).toEqual([])
})
