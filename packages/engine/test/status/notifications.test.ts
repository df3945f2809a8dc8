import type { Notice } from '@pitot/api'
import { describe, expect, test } from 'vitest'
import { FakeClock } from '../../../service/test/fake-clock.ts'
import type { RejectedRecord } from '../../src/job/control.ts'
import { JobNotices } from '../../src/status/notifications.ts'

function start() {
  const clock = new FakeClock()
  const sent: Notice[] = []
  return { clock, sent, notices: new JobNotices({ send: (notice) => sent.push(notice), jets: () => [], clock }) }
}

const bytes = (text: string) => Buffer.from(text)
const rejected = (slot: number, step: RejectedRecord['step'], text: string) =>
  ({
    kind: 'rejected',
    record: { time: '', slot, step, reason: 'no', position: null, bytes: bytes(text) },
  }) as const

test('what a model prints is heard at once, then gathered', async () => {
  const { clock, sent, notices } = start()
  notices.tell({ kind: 'console', text: 'one\n' })
  notices.tell({ kind: 'console', text: 'two\n' })
  notices.tell({ kind: 'console', text: 'three\n' })
  expect(sent).toEqual([{ type: 'model-console', text: 'one\n' }])
  await clock.pass(0.25)
  expect(sent.slice(1)).toEqual([{ type: 'model-console', text: 'two\nthree\n' }])
})

test('a model that does not stop is cut short, and that is said', async () => {
  const { clock, sent, notices } = start()
  for (let line = 0; line < 1000; line++) notices.tell({ kind: 'console', text: 'x\n' })
  await clock.pass(0.25)
  expect(sent).toEqual([
    { type: 'model-console', text: 'x\n' },
    { type: 'model-console', text: 'x\n'.repeat(100), skipped: 899 },
  ])
})

test('outputs of a console stream are told with their model', () => {
  const { sent, notices } = start()
  notices.tell({ kind: 'output', model: 'm', records: [bytes('1')] })
  expect(sent).toEqual([{ type: 'output-report', model: 'm', outputs: ['1'], skipped: 0 }])
})

describe('rejects', () => {
  test('are told by stream and reason', async () => {
    const { clock, sent, notices } = start()
    notices.tell(rejected(0, 'encoding', 'first'))
    notices.tell(rejected(0, 'schema', '1.5'))
    notices.tell(rejected(1, 'schema', '"wrong"'))
    notices.tell(rejected(0, 'schema', '2.5'))
    notices.tell(rejected(0, 'envelope', '\xff'))
    notices.tell(rejected(0, 'model', '0'))
    await clock.pass(0.25)
    expect(sent.filter(({ type }) => type === 'rejected-data-report')).toEqual([
      { type: 'rejected-data-report', stream: 'input', reason: 'encoding', records: ['first'], skipped: 0 },
      { type: 'rejected-data-report', stream: 'input', reason: 'schema', records: ['1.5', '2.5'], skipped: 0 },
      { type: 'rejected-data-report', stream: 'output', reason: 'schema', records: ['"wrong"'], skipped: 0 },
      { type: 'rejected-data-report', stream: 'input', reason: 'encoding', records: ['\xff'], skipped: 0 },
      { type: 'rejected-data-report', stream: 'input', reason: 'model', records: ['0'], skipped: 0 },
    ])
  })

  test('what was skipped is counted once', async () => {
    const { clock, sent, notices } = start()
    for (let record = 0; record < 300; record++) notices.tell(rejected(record % 2, 'schema', 'x'))
    await clock.pass(0.25)
    const counts = sent.map((notice) => (notice.type === 'rejected-data-report' ? notice.skipped : 0))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(199)
  })
})

test('whoever sees the end of the output has seen everything before it', () => {
  const { sent, notices } = start()
  notices.tell({ kind: 'console', text: 'a' })
  notices.tell({ kind: 'console', text: 'b' })
  notices.tell({ kind: 'output-eof' })
  expect(sent.map(({ type }) => type)).toEqual(['model-console', 'model-console', 'output-eof'])
})

test('states are told, and why a job stops', () => {
  const { sent, notices } = start()
  notices.tell({ kind: 'state', state: 'RUNNING', reason: undefined })
  notices.tell({ kind: 'state', state: 'ERROR', reason: 'three!' })
  expect(sent).toEqual([
    { type: 'engine-state', state: 'running' },
    { type: 'engine-state', state: 'error' },
    { type: 'log', level: 8, text: 'the job stops: three!' },
  ])
})
