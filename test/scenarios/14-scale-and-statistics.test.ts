// More and fewer jets, and what the engine tells of its work.
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../service-options.ts'
import { debugIn, type Fleet, restLines, squarePfa, startFleet } from './fleet.ts'

let fleet: Fleet
const folder = temporaryFolder()
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet?.stop())

describe('a job that runs', () => {
  beforeAll(async () => {
    const { engine } = fleet
    await engine.model('pfa-json', squarePfa)
    await engine.output(restLines)
    await engine.input(restLines)
  })

  async function round(count: number): Promise<number> {
    await fleet.engine.ok('POST /1/job/input', `${'3\n'.repeat(count)}{"$pitot":"pig"}\n`)
    return (await fleet.engine.linesUntilPig()).length - 1
  }

  test('has as many jets as it is told', async () => {
    const { engine } = fleet
    expect((await engine.send('POST /1/job/scale?n=4')).status).toBe(204)
    const { jets } = await engine.until((status) => status.jets.length === 4, 'four jets')
    expect(new Set(jets.map(({ pid }) => pid)).size).toBe(4)
    expect(new Set(jets.map(({ sandbox }) => sandbox)).size).toBe(4)
    for (const { sandbox } of jets) expect(sandbox).toMatch(/^\d+$/)
    expect(await round(100)).toBe(100)
  })

  test('reads nothing without jets, and goes on with one', async () => {
    const { engine } = fleet
    expect((await engine.send('POST /1/job/scale?n=0')).status).toBe(204)
    await engine.until(({ jets }) => jets.length === 0, 'no jets')
    await engine.ok('DELETE /1/job/statistics')
    await engine.ok('POST /1/job/input', '5\n')
    expect((await engine.send('GET /1/job/output/1')).status).toBe(202)
    expect((await engine.status()).output?.total_records).toBe(0)
    // The number may also be the body.
    expect((await engine.send('POST /1/job/scale', '1')).status).toBe(204)
    await engine.ok('POST /1/job/input', '{"$pitot":"pig"}\n')
    expect(await engine.linesUntilPig()).toEqual(['25', '{"$pitot":"pig"}'])
    expect((await engine.status()).jets).toHaveLength(1)
  })

  test.each(['?n=x', '?n=-1', '?n=1.5', '?n=', '?n=1025', ''])('scale%s is refused', async (query) => {
    expect((await fleet.engine.send(`POST /1/job/scale${query}`)).status).toBe(403)
  })

  test('counts, and counts anew when told', async () => {
    const { engine } = fleet
    await round(10)
    const before = await engine.status()
    expect(before.input?.total_records).toBeGreaterThanOrEqual(10)
    expect((await engine.send('DELETE /1/job/statistics')).status).toBe(204)
    expect(await engine.status()).toMatchObject({
      input: { total_records: 0, total_bytes: 0 },
      output: { total_records: 0, total_bytes: 0 },
      jets: [{ total_consumed: 0, total_produced: 0, run_time: 1 }],
    })
    await round(7)
    expect(await engine.status()).toMatchObject({
      input: { total_records: 7, total_bytes: expect.any(Number) },
      output: { total_records: 7 },
      jets: [{ total_consumed: 7, total_produced: 7, memory: expect.any(Number), busy: false }],
    })
    const { text } = await engine.ok('GET /metrics')
    const bytes = /^pitot_(?:slot_record|jet_consumed|jet_produced)_bytes_total\{.*\} (\d+)$/gm
    expect(Array.from(text.matchAll(bytes), ([, count]) => count)).toEqual(['7', '7', '7', '7'])
  })

  test('samples where its time goes, and the sums are right', async () => {
    const { engine } = fleet
    const sampling = engine.json('POST /1/job/sample/cpu?duration=1')
    await new Promise((resolve) => setTimeout(resolve, 200))
    await round(500)
    const sample = await sampling
    expect(sample.duration).toBeGreaterThanOrEqual(1)
    expect(sample).toMatchObject({
      input_records: 500,
      output_records: 500,
      jets: [{ input_records: 500, output_records: 500 }],
    })
    const [times] = sample.op_times
    expect(times).toMatchObject({
      unwrap_envelope_n: expect.any(Number),
      decode_input_record_n: 500,
      decode_output_record_n: 500,
    })
    expect(times.decode_input_record).toBeGreaterThan(0)
    expect(sample.user_time).toBeGreaterThan(0)
    expect(sample['cpu-utilization']).toEqual({ ...sample, op_times: times, 'cpu-utilization': undefined })
  })

  test('shows the same in Prometheus terms', async () => {
    const { engine } = fleet
    const { text } = await engine.ok('GET /metrics')
    expect(text).toMatch(/^pitot_slot_records_total\{slot="0",direction="input"\} \d+$/m)
    expect(text).toMatch(/^pitot_jet_memory_bytes\{jet="\d+"\} \d+$/m)
    expect(text).toMatch(/^pitot_step_seconds_total\{step="decode_input_record"\} \S+$/m)
    expect(text).toMatch(/^pitot_job_state\{state="running"\} 1$/m)
  })

  test('is not disturbed by a look at a stream', async () => {
    const { engine } = fleet
    const before = await engine.status()
    expect(await engine.json('POST /1/stream/sample?n=3', debugIn(['1', '2', '3', '4']))).toEqual(['1', '2', '3'])
    expect((await engine.status()).input).toEqual(before.input)
  })
})

describe('a stream, without a job', () => {
  const numbers = `${folder}/numbers.txt`
  const descriptor = { Transport: { Type: 'file', Path: numbers }, Encoding: 'json' }
  beforeAll(() => writeFileSync(numbers, '12345\n'.repeat(50_000)))

  test('ten records are a sample, unless told otherwise', async () => {
    const { engine } = fleet
    const answer = await engine.ok('POST /1/stream/sample', descriptor)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(JSON.parse(answer.text)).toEqual(Array(10).fill('12345'))
    // A looping stream is read once.
    expect(await engine.json('POST /1/stream/sample?n=3', debugIn(['"x"'], { Loop: true }))).toEqual(['"x"'])
  })

  test('samples are base64 where records are no text, where it is asked for, and for generated clients', async () => {
    const { engine } = fleet
    const binary = { Transport: { Type: 'debug', DataBinary: ['/wA=', 'YQ=='] } }
    const all = ['/wA=', 'YQ==']
    expect(await engine.json('POST /1/stream/sample', binary)).toEqual(['/wA=', 'a'])
    expect(await engine.json('POST /1/stream/sample?encoding=base64', binary)).toEqual(all)
    const generated = { 'user-agent': 'Swagger-Codegen/1.0.0/python' }
    expect(await engine.json('POST /1/stream/sample', binary, generated)).toEqual(all)
  })

  test('its speed is measured a few times', async () => {
    const rates = await fleet.engine.json('POST /1/stream/rate', descriptor)
    expect(rates.length).toBeGreaterThan(0)
    for (const { rps, mbps } of rates) {
      expect(rps).toBeGreaterThan(0)
      expect(mbps).toBeGreaterThan(0)
    }
  })

  test('a short one cannot be measured', async () => {
    expect(await fleet.engine.says('POST /1/stream/rate', debugIn(['1', '2']))).toEqual([
      400,
      'the stream cannot be used: the stream is too short to measure: it gave 2 records, 10 are needed',
    ])
  })
})
