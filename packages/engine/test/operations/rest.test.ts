// REST streams over HTTP, with real queues and no job behind them.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Metrics, type RunningService, Sensors } from '@pitot/service'
import { RestInput, RestOutput } from '@pitot/stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, type Call, call } from '../../../../test/http.ts'
import { testOptions } from '../../../../test/service-options.ts'
import { backlogOf } from '../../src/job/backlog.ts'
import type { JobControl } from '../../src/job/control.ts'
import { serveJob } from '../../src/operations/serve.ts'
import { Trials } from '../../src/trial/trials.ts'

let service: RunningService
let input: RestInput | undefined
let output: RestOutput | undefined

const encoder = new TextEncoder()
/** One range for each record. */
function frames(...records: string[]) {
  const bytes = encoder.encode(records.join(''))
  const bounds: number[] = []
  let at = 0
  for (const record of records) {
    bounds.push(at, at + encoder.encode(record).length)
    at = bounds.at(-1)!
  }
  return { bytes, bounds, position: 0 }
}

beforeAll(async () => {
  const job = {
    restInput: (slot: number) => (slot === 0 ? input : undefined),
    restOutput: (slot: number) => (slot === 1 ? output : undefined),
    backlog: () => backlogOf([{ rest: input }], () => true),
  } as unknown as JobControl
  const options = {
    ...(await testOptions()),
    resume: false,
    allowExec: [],
    stateMemory: 256 * 2 ** 20,
    jets: { memory: 2 ** 30, timeout: 30, network: false, isolation: 'none' as const },
  }
  const served = {
    id: 'x',
    job,
    registry: {} as never,
    sensors: new Sensors(),
    trials: new Trials({} as never),
    metrics: new Metrics(),
    close: async () => undefined,
  }
  service = await serveJob(served, options)
})
afterAll(() => service.stop())
beforeEach(() => {
  input = new RestInput('chunked', { controlSign: '$'.charCodeAt(0) })
  output = new RestOutput('chunked')
})

const send = (path: string, options?: Call): Promise<Answer> => call(service.url, path, options)
const post = (path: string, body: string | Uint8Array) => send(path, { method: 'POST', body })

async function nextOf(queue: RestInput): Promise<string> {
  for await (const { frames: read } of queue) {
    return read.bounds.length === 0
      ? ''
      : Buffer.from(read.bytes.subarray(read.bounds[0], read.bounds.at(-1))).toString()
  }
  return 'the end'
}

describe('POST /1/job/input', () => {
  test.each(['/1/job/input', '/1/job/input/0', '/1/job/input/1'])('%s takes a body', async (path) => {
    const answer = await post(path, '2\n3\n')
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(await nextOf(input!)).toBe('2\n3\n')
  })

  test('an empty body is fine', async () => {
    expect((await send('/1/job/input', { method: 'POST' })).status).toBe(204)
  })

  test('without a REST input it is refused', async () => {
    input = undefined
    const answer = await post('/1/job/input', '2\n')
    expect([answer.status, answer.text]).toEqual([
      403,
      'the job has no input stream with transport REST; PUT one to /1/job/stream/in',
    ])
    expect((await post('/1/job/input/2', '2')).text).toMatch(/PUT one to \/1\/job\/stream\/2$/)
  })

  test('after the end it is refused', async () => {
    input!.end()
    const answer = await post('/1/job/input', '2\n')
    expect([answer.status, answer.text]).toEqual([403, 'the input stream has ended: it takes no more records'])
  })

  test('a record that is too large is refused', async () => {
    input = new RestInput('simple', { bodyBytes: 8 })
    const answer = await post('/1/job/input', '123456789')
    expect([answer.status, answer.text]).toEqual([413, expect.stringContaining('may have 8 bytes')])
  })

  test('a full queue holds the request until there is room', async () => {
    input = new RestInput('chunked', { queueBytes: 4 })
    expect((await post('/1/job/input', '12345')).status).toBe(204)
    let isHeld = true
    const held = post('/1/job/input', '67890').then((answer) => {
      isHeld = false
      return answer.status
    })
    await sleep(100)
    expect(isHeld).toBe(true)
    expect(await nextOf(input)).toBe('12345')
    expect(await held).toBe(204)
  })
})

describe('GET /1/job/output', () => {
  test('gives everything there is', async () => {
    await output!.write(frames('4\n'))
    await output!.write(frames('9\n'))
    const answer = await send('/1/job/output')
    expect([answer.status, answer.text]).toEqual([200, '4\n9\n'])
    expect(answer.headers['content-type']).toBe('application/octet-stream')
  })

  test('is not taken by a look at it', async () => {
    await output!.write(frames('4\n'))
    expect((await send('/1/job/output', { method: 'HEAD' })).status).toBe(200)
    expect((await send('/1/job/output/1', { method: 'HEAD' })).status).toBe(200)
    expect((await send('/1/job/output')).text).toBe('4\n')
  })

  test('waits for what comes', async () => {
    const answer = send('/1/job/output')
    await sleep(50)
    await output!.write(frames('4\n'))
    expect((await answer).text).toBe('4\n')
  })

  test('waits for a pig on its way', async () => {
    output!.pigEntered()
    await output!.write(frames('4\n'))
    const answer = send('/1/job/output')
    await sleep(50)
    await output!.write(frames('{"$pitot":"pig"}\n'))
    output!.pigLeft()
    expect((await answer).text).toBe('4\n{"$pitot":"pig"}\n')
  })

  test.each(['/1/job/output', '/1/job/output/1'])('%s waits for a pig that was accepted and not read', async (path) => {
    await output!.write(frames('4\n'))
    await post('/1/job/input', '3\n{"$pitot":"pig"}\n')
    const answer = send(path)
    await sleep(50)
    for await (const _ of input!) {
      output!.pigEntered()
      break
    }
    await output!.write(frames('9\n', '{"$pitot":"pig"}\n'))
    output!.pigLeft()
    expect((await answer).text).toBe('4\n9\n{"$pitot":"pig"}\n')
  })

  test('goes on with the stream that takes the place of the one it waited for', async () => {
    const answer = send('/1/job/output')
    await sleep(50)
    const old = output!
    output = new RestOutput('chunked')
    await old.close()
    await output.write(frames('4\n'))
    expect((await answer).text).toBe('4\n')
  })

  test('ends with its stream when there is no other', async () => {
    const answer = send('/1/job/output')
    await sleep(50)
    const old = output!
    output = undefined
    await old.close()
    expect((await answer).status).toBe(204)
  })

  test('after the end there is nothing any more', async () => {
    await output!.write(frames('4\n'))
    await output!.close()
    expect((await send('/1/job/output')).text).toBe('4\n')
    expect((await send('/1/job/output')).status).toBe(204)
    expect((await send('/1/job/output/1')).status).toBe(204)
  })

  test('without a REST output it is refused', async () => {
    output = undefined
    for (const path of ['/1/job/output', '/1/job/output/1']) {
      const answer = await send(path)
      expect([answer.status, answer.text]).toEqual([
        403,
        'the job has no output stream with transport REST; PUT one to /1/job/stream/out',
      ])
    }
  })

  test('whoever leaves while waiting takes nothing along', async () => {
    const leaving = request(`${service.url}/1/job/output`)
    leaving.on('error', () => undefined)
    leaving.end()
    await sleep(100)
    leaving.destroy()
    await sleep(100)
    await output!.write(frames('4\n'))
    expect((await send('/1/job/output')).text).toBe('4\n')
  })
})

test('a reply that could not be sent is there for the next who asks', async () => {
  const much = 'x'.repeat(32 * 2 ** 20)
  void output!.write(frames(much))
  await new Promise<void>((resolve) => {
    const leaving = request(`${service.url}/1/job/output`, (incoming) => {
      incoming.once('data', () => {
        incoming.on('error', () => undefined)
        incoming.destroy()
        resolve()
      })
    })
    leaving.on('error', () => undefined)
    leaving.end()
  })
  expect((await send('/1/job/output')).text.length).toBe(much.length)
})

describe('GET /1/job/output/{slot}', () => {
  test('says 202 when there is nothing yet', async () => {
    const answer = await send('/1/job/output/1')
    expect([answer.status, answer.text]).toEqual([202, ''])
  })

  test('gives everything of a stream of bytes', async () => {
    await output!.write(frames('4\n'))
    await output!.write(frames('9\n'))
    expect((await send('/1/job/output/1')).text).toBe('4\n9\n')
  })

  test('gives one record where a request is a record', async () => {
    output = new RestOutput('simple')
    await output.write(frames('4', '9'))
    expect((await send('/1/job/output/1')).text).toBe('4')
    expect((await send('/1/job/output/1')).text).toBe('9')
    expect((await send('/1/job/output/1')).status).toBe(202)
  })
})
