import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { harness, modelOf } from './harness.ts'

/** Soak runs take the full size: it is far too long for every day. */
const isSoak = process.env.PITOT_TEST_SOAK === '1'
const size = isSoak
  ? { records: 1_000_000, models: 200, outputs: 50, scales: 100 }
  : { records: 60_000, models: 6, outputs: 4, scales: 6 }

interface Score {
  readonly number: number
  readonly version: number
}

/** Says which version scored which record. */
function version(number: number): object {
  return {
    input: 'int',
    output: { type: 'record', name: 'Score', fields: ['number', 'version'].map((name) => ({ name, type: 'int' })) },
    action: [{ new: { number: 'input', version: number }, type: 'Score' }],
  }
}

describe('while data flows', () => {
  test(`${size.models} models, ${size.outputs} outputs and ${size.scales} scales: every record once, in order, by one version`, {
    timeout: isSoak ? 3_600_000 : 120_000,
  }, async () => {
    await using job = harness()
    mkdirSync(job.folder, { recursive: true })
    // Fed as fast as changes are made, so that there is data under way at every change.
    const rest = { Transport: { Type: 'REST' }, Envelope: 'delimited', Encoding: 'json' }
    const output = (number: number) => ({
      Transport: { Type: 'file', Path: join(job.folder, `out-${number}`) },
      Envelope: 'delimited',
      Encoding: 'json',
    })
    await job.job.attachStream(1, output(0), {})
    await job.job.attachStream(0, rest, {})
    await job.job.loadModel(modelOf('pfa-json', version(0)), {})

    let isOver = false
    let sent = 0
    const feed = (async () => {
      const queue = job.job.restInput(0)!
      while (sent < size.records) {
        // Some are kept back, so that no change comes too late.
        const left = (isOver ? size.records : 0.95 * size.records) - sent
        const count = Math.max(0, Math.min(isOver ? 10_000 : 20, Math.floor(left)))
        const lines = Array.from({ length: count }, (_, index) => `${sent + index}\n`).join('')
        await queue.accept([Buffer.from(lines)])
        sent += count
        if (!isOver) await sleep(1)
      }
      queue.end()
    })()

    const changes = [
      ...Array.from({ length: size.models }, (_, n) => ({
        at: n / size.models,
        change: () => job.job.loadModel(modelOf('pfa-json', version(n + 1)), {}),
      })),
      ...Array.from({ length: size.outputs }, (_, n) => ({
        at: n / size.outputs,
        change: () => job.job.attachStream(1, output(n + 1), {}),
      })),
      ...Array.from({ length: size.scales }, (_, n) => ({
        at: n / size.scales,
        change: () => job.job.scale(n % 4),
      })),
    ].sort((a, b) => a.at - b.at)
    for (const { change } of changes) await change()
    await job.job.scale(2)
    isOver = true
    await feed
    await job.state('FINISHED')

    const scores: Score[] = []
    for (let number = 0; number <= size.outputs; number++) {
      const text = readFileSync(join(job.folder, `out-${number}`), 'utf8')
      for (const line of text.split('\n')) if (line !== '') scores.push(JSON.parse(line) as Score)
    }
    expect(scores.length).toBe(size.records)
    const wrong = scores.findIndex(({ number }, index) => number !== index)
    expect(wrong).toBe(-1)
    const back = scores.findIndex(({ version }, index) => index > 0 && version < scores[index - 1]!.version)
    expect(back).toBe(-1)
    expect(scores.at(-1)!.version).toBe(size.models)
  })

  test('another input is read from its own beginning when what was read of the first is scored', async () => {
    await using job = harness()
    const file = (name: string, from: number) => {
      const path = join(job.folder, name)
      writeFileSync(path, Array.from({ length: 20_000 }, (_, index) => `${from + index}\n`).join(''))
      return { Transport: { Type: 'file', Path: path }, Envelope: 'delimited', Encoding: 'json', Loop: false }
    }
    const path = join(job.folder, 'out')
    await job.job.scale(2)
    const output = { Transport: { Type: 'file', Path: path }, Envelope: 'delimited', Encoding: 'json' }
    await job.job.attachStream(1, output, {})
    await job.job.attachStream(0, file('first', 0), {})
    await job.job.loadModel(modelOf('pfa-json', version(1)), {})
    await job.job.attachStream(0, file('second', 1_000_000), {})
    await job.state('FINISHED')
    const numbers = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Score).number)
    const first = numbers.filter((number) => number < 1_000_000)
    expect(first).toEqual(Array.from({ length: first.length }, (_, index) => index))
    expect(numbers.slice(first.length)).toEqual(Array.from({ length: 20_000 }, (_, index) => 1_000_000 + index))
  })

  test('a model that cannot take over leaves the old one at work', async () => {
    await using job = harness()
    const rest = { Transport: 'REST', Encoding: 'json' }
    await job.job.attachStream(0, rest, {})
    await job.job.attachStream(1, { Transport: 'debug', Encoding: 'json' }, {})
    await job.job.loadModel(modelOf('pfa-json', version(1)), {})
    const broken = [
      modelOf('pfa-json', '{"input": "int"'),
      modelOf('pfa-json', { input: 'int', output: 'int', begin: [{ error: 'not today' }], action: ['input'] }),
      modelOf('python3', 'def action(x):\n  yield y +'),
    ]
    for (const model of broken) await expect(job.job.loadModel(model, {})).rejects.toThrow()
    await job.job.restInput(0)!.accept([Buffer.from('7')])
    job.job.restInput(0)!.end()
    await job.state('FINISHED')
    expect(job.output()).toEqual(['{"number":7,"version":1}'])
  })
})
