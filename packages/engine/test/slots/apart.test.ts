import { readDescriptor, transports } from '@pitot/stream'
import { expect, test } from 'vitest'
import { apart } from '../../src/slots/apart.ts'

function read(slot: number, given: object) {
  const { descriptor } = readDescriptor(given, slot === 0 ? 'input' : 'output', transports)
  return { slot, name: undefined, given: given as Record<string, unknown>, descriptor, type: null }
}

const kafka = { Type: 'kafka', BootstrapServers: 'localhost:9092', Topic: 't' }

const rows: [title: string, slot: number, transport: object, expected: object][] = [
  ['a member of a group reads all partitions alone', 0, { ...kafka, Group: 'g' }, { Group: null, Partition: 'all' }],
  ['a reader of some partitions reads those', 0, { ...kafka, Partition: [1, 2] }, { Group: null, Partition: [1, 2] }],
  ['a writer has no transaction', 1, { ...kafka, TransactionalId: 'x' }, { TransactionalId: null }],
]
test.each(rows)('%s', (_title, slot, Transport, expected) => {
  const given = read(slot, { Transport })
  const { descriptor } = apart(given)
  expect(descriptor.transportOptions).toMatchObject({ Topic: 't', ...expected })
  expect(apart(given).given).toBe(given.given)
})

test('what cannot have a transaction promises less', () => {
  const given = read(0, { Transport: { ...kafka, Group: 'g' }, Delivery: 'exactly-once' })
  expect(apart(given).descriptor.delivery).toBe('at-least-once')
})

test('other streams share nothing', () => {
  const given = read(0, { Transport: { Type: 'debug', Data: ['1'] } })
  expect(apart(given)).toBe(given)
})
