// A model behind HTTP, spoken to the way published clients do: streams first, then the model, records with a pig behind them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fleet, squarePython, startFleet } from './fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet?.stop())

const pig = '{"$fastscore":"pig"}'
const rest = { Transport: { Type: 'REST' }, Envelope: 'delimited', Encoding: 'JSON', Schema: null }

test('without REST streams nothing can be sent or fetched', async () => {
  const { engine } = fleet
  expect(await engine.says('POST /1/job/input', '2\n')).toEqual([
    403,
    'the job has no input stream with transport REST; PUT one to /1/job/stream/in',
  ])
  expect((await engine.send('GET /1/job/output')).status).toBe(403)
  await engine.ok('PUT /1/job/stream/in', { Transport: { Type: 'debug', Data: ['1'] } })
  await engine.ok('PUT /1/job/stream/out', { Transport: 'discard' })
  expect((await engine.send('POST /1/job/input', '2\n')).status).toBe(403)
  expect((await engine.send('GET /1/job/output')).status).toBe(403)
  expect((await engine.send('DELETE /1/job')).status).toBe(204)
})

test('records come back as scores, in order, up to the pig that was sent behind them', async () => {
  const { engine } = fleet
  expect((await engine.send('DELETE /1/job')).status).toBe(204)
  const out = await engine.send('PUT /1/job/stream/out', rest, { 'content-disposition': 'x-stream; name="rest-out"' })
  expect([out.status, out.headers.warning]).toEqual([204, expect.stringContaining("'JSON' is taken for 'json'")])
  // As the R client writes it: the opening quotation mark is missing.
  await engine.ok('PUT /1/job/stream/in', rest, { 'content-disposition': 'x-stream; name=rest-in"' })
  const model = {
    'content-type': 'application/vnd.fastscore.model-python',
    'content-disposition': 'x-model; name="square"',
  }
  expect((await engine.send('PUT /1/job/model', squarePython, model)).status).toBe(204)

  for (const _round of [1, 2]) {
    const sent = await engine.send('POST /1/job/input', `2\n3\n5\n${pig}\n`)
    expect([sent.status, sent.text]).toEqual([204, ''])
    expect(await engine.linesUntilPig()).toEqual(['4', '9', '25', pig])
  }
  const status = await engine.status()
  expect(status).toMatchObject({
    state: 'running',
    input: { name: 'rest-in', total_records: 6, eof: false },
    output: { name: 'rest-out', total_records: 6 },
    model: { name: 'square', type: 'python', source: squarePython, attachments: [] },
    jets: [{ total_consumed: 6, total_produced: 6 }],
  })
})

test('by number of the slot, one request brings everything up to the pig', async () => {
  const { engine } = fleet
  await engine.ok('POST /1/job/input/1', `7\n${pig}\n`, { 'content-type': 'application/octet-stream' })
  expect((await engine.ok('GET /1/job/output/1')).text).toBe(`49\n${pig}\n`)
  expect((await engine.send('GET /1/job/output/1')).status).toBe(202)
})

test('so it does where more was sent than the job reads ahead', async () => {
  const { engine } = fleet
  const records = Array.from({ length: 4096 }, (_, n) => `${n}`.padEnd(1023))
  await engine.ok('POST /1/job/input/1', `${records.join('\n')}\n${pig}\n`)
  const { text } = await engine.ok('GET /1/job/output/1')
  expect(text).toBe(`${records.map((record) => `${Number(record) ** 2}\n`).join('')}${pig}\n`)
})

test('the round trip gives each of many callers his own scores', async () => {
  const { engine } = fleet
  const scores = await Promise.all(
    Array.from({ length: 50 }, (_, n) => engine.ok('POST /1/job/score', `${n}\n${n + 100}\n`)),
  )
  expect(scores.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, (_, n) => `${n * n}\n${(n + 100) ** 2}\n`))
  const other = await engine.ok('POST /2/active/model/roundtrip/0/1?timeout=5000', '12\n')
  expect(other.text).toBe('144\n')
})

test('an end in the stream ends the job: what is left can be fetched, then comes the end', async () => {
  const { engine } = fleet
  await engine.ok('POST /1/job/input', '11\n{"$fastscore":"end"}\n')
  await engine.finished()
  expect((await engine.ok('GET /1/job/output/1')).text).toBe('121\n')
  expect((await engine.send('GET /1/job/output/1')).status).toBe(204)
})
