import { failure, PitotError } from '@pitot/api'
import { parseSchema } from '@pitot/avro'
import { JetDeath, ModelFailure } from '@pitot/jet'
import { BodyRefused, readDescriptor, StreamFailure, transports } from '@pitot/stream'
import { expect, test } from 'vitest'
import { asRefusal, refusing } from '../../src/operations/refusals.ts'

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

const incomplete = failure('body-incomplete', { reason: 'the connection was closed' })
const rows: [title: string, thrown: unknown, code: string, status: number, sentence: string][] = [
  [
    'a descriptor',
    thrownBy(() => readDescriptor({ Transport: 'reset' }, 'input', transports)),
    'bad-descriptor',
    400,
    'the stream descriptor is not right: /Transport: "reset" is not allowed, it must be one of …; did you mean \'REST\'?',
  ],
  ['a schema', thrownBy(() => parseSchema({ type: 'record' })), 'bad-schema', 400, 'the schema is not right: …'],
  ['a stream', new StreamFailure('no such file'), 'stream-failed', 400, 'the stream cannot be used: no such file'],
  ['a model', new ModelFailure('line 3: no'), 'model-failed', 400, 'the model cannot be used: line 3: no'],
  ['a model that brings its jet down', new JetDeath('exit', 'status 3'), 'model-failed', 400, '…status 3'],
  ['an input that is over', new BodyRefused('ended', 'it has ended'), 'input-ended', 403, 'it has ended'],
  ['a body too large', new BodyRefused('too-large', 'too much'), 'record-too-large', 413, 'too much'],
  ['a body that broke off', new BodyRefused('broken', 'gone'), 'body-incomplete', 400, '…gone…'],
  [
    'a body that broke off, for a known reason',
    new BodyRefused('broken', 'gone', incomplete),
    'body-incomplete',
    400,
    incomplete.message,
  ],
  ['what is an error of the catalogue already', incomplete, 'body-incomplete', 400, incomplete.message],
]
test.each(rows)('%s is refused by its code', (_title, thrown, code, status, sentence) => {
  const refusal = asRefusal(thrown) as PitotError
  expect(refusal).toBeInstanceOf(PitotError)
  expect(refusal).toMatchObject({ code, status })
  const pattern = sentence
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  expect(refusal.message).toMatch(new RegExp(`^${pattern}$`))
})

test('a defect stays a defect', () => {
  const defect = new TypeError('x is undefined')
  expect(asRefusal(defect)).toBe(defect)
})

test('handlers refuse, whether they throw at once or later', async () => {
  const { now, later, fine } = refusing({
    now: () => {
      throw new StreamFailure('now')
    },
    later: async () => {
      throw new StreamFailure('later')
    },
    fine: (request: number) => request + 1,
  })
  await expect(now()).rejects.toThrow('the stream cannot be used: now')
  await expect(later()).rejects.toThrow('the stream cannot be used: later')
  expect(await fine(1)).toBe(2)
})
