import { describe, expect, test } from 'vitest'
import { leftOf } from '../trial/trying.ts'
import { debugInput, debugOutput, harness, modelOf, square } from './harness.ts'

const steps = {
  model: (job: ReturnType<typeof harness>['job']) => job.loadModel(modelOf('pfa-json', square), {}),
  in: (job: ReturnType<typeof harness>['job']) => job.attachStream(0, debugInput([1, 2, 3]), {}),
  out: (job: ReturnType<typeof harness>['job']) => job.attachStream(1, debugOutput, {}),
}

describe('a job', () => {
  test.each([
    ['out', 'in', 'model'],
    ['model', 'in', 'out'],
    ['in', 'model', 'out'],
    ['out', 'model', 'in'],
  ] as const)('starts by itself when it has everything: %s, %s, %s', async (...order) => {
    await using job = harness()
    for (const [at, step] of order.entries()) {
      expect(job.job.report().state).toBe('INIT')
      expect(job.job.report().jets).toEqual([])
      await steps[step](job.job)
      if (at < 2) expect(job.job.report().reason).toMatch(/missing/)
    }
    await job.state('FINISHED')
    expect(job.output()).toEqual(['1', '4', '9'])
    const { input, output, jets } = job.job.report()
    expect(input).toMatchObject({ total_records: 3, eof: true })
    expect(output).toMatchObject({ total_records: 3, eof: true })
    expect(jets).toMatchObject([{ total_consumed: 3, total_produced: 3, busy: false }])
    expect(job.events.at(-1)).toEqual({ kind: 'output-eof' })
  })

  test('wants everything anew when it is over', async () => {
    await using job = harness()
    for (const step of [steps.model, steps.in, steps.out]) await step(job.job)
    await job.state('FINISHED')
    await job.job.attachStream(0, debugInput([5]), {})
    await job.job.attachStream(1, debugOutput, {})
    expect(job.job.report().state).toBe('INIT')
    await steps.model(job.job)
    await job.state('FINISHED')
    expect(job.output()).toEqual(['25'])
  })

  test('refuses a stream that does not fit its model, and a model that does not fit its streams', async () => {
    await using job = harness()
    await steps.model(job.job)
    await expect(job.job.attachStream(0, debugInput(['x'], { Schema: 'string' }), {})).rejects.toThrow(
      /input schemas of stream and model do not fit/,
    )
    expect(job.job.report().input).toBeNull()
    await job.job.reset()
    await job.job.attachStream(1, { ...debugOutput, Schema: 'boolean' }, {})
    await expect(steps.model(job.job)).rejects.toThrow(/output schemas of stream and model do not fit/)
    expect(job.job.report().model).toBeNull()
  })

  test('rejects what is no record, and scores the rest', async () => {
    await using job = harness()
    await job.job.attachStream(1, debugOutput, {})
    const records = ['1', 'foo', '1.5', '4']
    await job.job.attachStream(0, { Transport: { Type: 'debug', Data: records }, Encoding: 'json' }, {})
    await steps.model(job.job)
    await job.state('FINISHED')
    expect(job.output()).toEqual(['1', '16'])
    expect(job.rejected()).toEqual([
      ['encoding', 'foo'],
      ['schema', '1.5'],
    ])
    expect(job.job.report().input?.rejected).toEqual({ by_encoding: 1, by_schema: 1, by_model: 0 })
  })

  test('leaves nothing when it is deleted, not even a jet that is only being started', async () => {
    const left = Promise.withResolvers<ReturnType<typeof leftOf>>()
    await using job = harness(
      {},
      {
        log(_level, message) {
          if (!message.includes('is replaced')) return
          setTimeout(() => job.job.reset().then(() => left.resolve(leftOf(job.folder)), left.reject), 50)
        },
      },
    )
    await job.job.attachStream(1, debugOutput, {})
    await job.job.attachStream(0, debugInput([1]), {})
    const model = 'import os, time\ntime.sleep(0.5)\n\ndef action(x):\n    os._exit(3)\n'
    await job.job.loadModel(modelOf('python3', model), {})
    expect(await left.promise).toEqual({ files: [], processes: [] })
  })

  test('stops at the first rejected record when its stream says so', async () => {
    await using job = harness()
    await job.job.attachStream(1, debugOutput, {})
    const records = ['1', '2', 'foo', '4']
    const stream = { Transport: { Type: 'debug', Data: records }, Encoding: 'json', OnError: 'fail' }
    await job.job.attachStream(0, stream, {})
    await steps.model(job.job)
    await job.state('ERROR')
    expect(job.job.report().reason).toMatch(/a record of slot 0 was rejected/)
    expect(job.output()).toEqual(['1', '4'])
    await job.job.reset()
    expect(job.job.report()).toMatchObject({ state: 'INIT', model: null, input: null, output: null, jets: [] })
  })

  test('checks without changing anything', async () => {
    await using job = harness()
    const { slots } = await job.job.loadModel(modelOf('pfa-json', square), { dryRun: true })
    expect(slots).toMatchObject([
      { slot: 0, schema: 'int' },
      { slot: 1, schema: 'int' },
    ])
    const { resolved } = await job.job.attachStream(0, debugInput([1]), { dryRun: true })
    expect(resolved).toMatchObject({ Transport: { Type: 'debug' }, Encoding: 'json' })
    expect(job.job.report()).toMatchObject({ state: 'INIT', model: null, input: null })
  })

  test('waits with its streams where they are when its model is unloaded, and goes on with the next', async () => {
    await using job = harness()
    await job.job.attachStream(1, debugOutput, {})
    await job.job.attachStream(0, { Transport: 'REST', Encoding: 'json' }, {})
    await steps.model(job.job)
    await job.job.restInput(0)!.accept([Buffer.from('2')])
    await expect.poll(() => job.output()).toEqual(['4'])
    await job.job.unloadModel()
    expect(job.job.report()).toMatchObject({ state: 'INIT', model: null, reason: 'a model is missing' })
    await job.job.restInput(0)!.accept([Buffer.from('3')])
    await expect.poll(() => job.job.report().jets).toEqual([])
    expect(job.output()).toEqual(['4'])
    const negate = { input: 'int', output: 'int', action: [{ 'u-': ['input'] }] }
    await job.job.loadModel(modelOf('pfa-json', negate), {})
    await expect.poll(() => job.output()).toEqual(['4', '-3'])
    job.job.restInput(0)!.end()
    await job.state('FINISHED')
  })

  test('has its new output at once, also while the old one is still written to', async () => {
    await using job = harness()
    const slow = 'export function action(x) { const end = Date.now() + 500; while (Date.now() < end); return x }'
    const debug = { Transport: 'debug', Encoding: 'json' }
    const rest = { Transport: 'REST', Encoding: 'json' }
    await job.job.attachStream(1, debug, {})
    await job.job.attachStream(0, rest, {})
    await job.job.loadModel(modelOf('javascript', slow), {})
    await job.job.restInput(0)!.accept([Buffer.from('1')])
    await job.job.attachStream(1, rest, {})
    expect(job.output()).toEqual([])
    expect(job.job.restOutput(1)).toBeDefined()
    await expect.poll(() => job.output(), { timeout: 10_000 }).toEqual(['1'])
  })

  test('is deleted as often as one likes', async () => {
    await using job = harness()
    await job.job.reset()
    await steps.model(job.job)
    await job.job.reset()
    await job.job.reset()
    expect(job.job.report()).toMatchObject({ state: 'INIT', model: null, jets: [] })
  })
})
