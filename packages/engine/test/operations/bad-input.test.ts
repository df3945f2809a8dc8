// Bad input to the Engine: each row has the exact status and sentence that is answered.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/http.ts'
import { testOptions } from '../../../../test/service-options.ts'
import { startEngine } from '../../src/index.ts'
import { descriptors } from './bad-input/descriptors.ts'
import { models } from './bad-input/models.ts'
import { requests } from './bad-input/requests.ts'
import type { Sentence } from './bad-input/sentence.ts'

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
beforeEach(async () => {
  await call(engine.url, '/1/job', { method: 'DELETE' })
})
afterAll(() => engine?.stop())

async function expectRefusal(
  request: string,
  body: string | undefined,
  headers: Record<string, string>,
  status: number,
  sentence: Sentence,
): Promise<void> {
  const [method, path] = request.split(' ') as [string, string]
  const answer = await call(engine.url, path, { method, headers, ...(body !== undefined && { body }) })
  expect([answer.status, answer.text]).toEqual([
    status,
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  ])
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
}

describe('a stream descriptor', () => {
  test.each(descriptors)('%s: %s', async (slot, body, sentence) => {
    await expectRefusal(`PUT /1/job/stream/${slot}`, body, {}, 400, sentence)
  })
})

describe('a model', () => {
  test.each(models)('%s: %j', async (type, body, sentence) => {
    const contentType = type.includes('/') ? type : `application/vnd.pitot.model-${type}`
    await expectRefusal('PUT /1/job/model', body, { 'content-type': contentType }, 400, sentence)
  })
})

describe('a request', () => {
  test.for(requests)('%s %j', async ([request, body, status, sentence, headers = {}]) => {
    await expectRefusal(request, body, headers, status, sentence)
  })
})

test('there are enough rows to mean something', () => {
  expect(descriptors.length + models.length + requests.length).toBeGreaterThan(120)
})
