import { describe, expect, test } from 'vitest'
import { type Harness, harness, modelOf, square } from './harness.ts'

async function started(stream: object, model: object = square, jets = 2): Promise<Harness> {
  const job = harness()
  await job.job.scale(jets)
  await job.job.attachStream(1, stream, {})
  await job.job.attachStream(0, stream, {})
  await job.job.loadModel(modelOf('pfa-json', model), {})
  return job
}

async function score({ job }: Harness, body: string, timeout = 20_000): Promise<{ text: string; rejected: number }> {
  const { bytes, rejected } = await job.score({ input: 0, output: 1, body: Buffer.from(body), timeout })
  return { text: Buffer.from(bytes).toString(), rejected: rejected.length }
}

const plain = { Transport: 'REST', Encoding: 'json' }
const lines = { Transport: 'REST', Envelope: 'delimited', Encoding: 'json' }

describe('a round trip', () => {
  test.each([
    { title: 'one record', stream: plain, body: '7', text: '49' },
    { title: 'lines', stream: plain, body: '2\n3\n5\n', text: '4\n9\n25\n' },
    { title: 'lines in an envelope', stream: lines, body: '2\n3\n5', text: '4\n9\n25\n' },
    { title: 'nothing', stream: lines, body: '', text: '' },
    { title: 'a pig, which has no meaning here', stream: lines, body: '2\n{"$pitot":"pig"}\n', text: '4\n' },
  ])('answers $title in the framing of the streams', async ({ stream, body, text }) => {
    await using job = await started(stream)
    expect(await score(job, body)).toEqual({ text, rejected: 0 })
  })

  test('tells how many records were rejected', async () => {
    await using job = await started(lines)
    expect(await score(job, '2\nfoo\n1.5\n3\n')).toEqual({ text: '4\n9\n', rejected: 2 })
  })

  test('gives each of many callers exactly its own scores', async () => {
    // Some records give nothing, some one score, some two: what belongs to whom cannot be told by counting.
    const emitting = {
      input: 'int',
      output: 'int',
      method: 'emit',
      action: [
        {
          if: { '>': [{ '%': ['input', 3] }, 0] },
          // biome-ignore lint/suspicious/noThenProperty: that is what PFA calls it
          then: { emit: ['input'] },
        },
        {
          if: { '==': [{ '%': ['input', 3] }, 2] },
          // biome-ignore lint/suspicious/noThenProperty: that is what PFA calls it
          then: { emit: [{ 'u-': ['input'] }] },
        },
      ],
    }
    await using job = await started(lines, emitting)
    const expected = (number: number) => {
      if (number % 3 === 0) return ''
      return number % 3 === 1 ? `${number}\n` : `${number}\n${-number}\n`
    }
    const callers = Array.from({ length: 500 }, (_, caller) =>
      Array.from({ length: (caller % 5) + 1 }, (_, index) => caller * 10 + index),
    )
    const answers = await Promise.all(callers.map((numbers) => score(job, numbers.join('\n'))))
    expect(answers.map(({ text }) => text)).toEqual(callers.map((numbers) => numbers.map(expected).join('')))
  })

  test('gives up when it takes too long, and goes on with the next', async () => {
    await using job = await started(lines)
    await job.job.scale(0)
    await expect(score(job, '2\n', 200)).rejects.toMatchObject({ code: 'score-timeout' })
    await job.job.scale(1)
    expect(await score(job, '3\n')).toEqual({ text: '9\n', rejected: 0 })
  })

  test('needs a job that runs', async () => {
    await using job = harness()
    await job.job.attachStream(0, plain, {})
    await job.job.attachStream(1, plain, {})
    await expect(score(job, '2')).rejects.toMatchObject({ code: 'job-not-running' })
  })
})
