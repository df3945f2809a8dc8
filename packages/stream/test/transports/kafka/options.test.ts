// The fields of the kafka transport: what a descriptor may say, and what is not allowed.
import { describe, expect, it } from 'vitest'
import { kafkaFields } from '../../../src/transports/kafka/options.ts'

const sasl = { Mechanism: 'PLAIN', Username: 'u', Password: 'p' }

const allowed: [keyof typeof kafkaFields, unknown, unknown][] = [
  ['BootstrapServers', ['a:9092', 'b'], ['a:9092', 'b']],
  ['BootstrapServers', 'a:9092, b:9093', ['a:9092', 'b:9093']],
  ['BootstrapServers', '[::1]:9092', ['[::1]:9092']],
  ['Topic', 'input.v1_a-b', 'input.v1_a-b'],
  ['Partition', 3, 3],
  ['Partition', '3', 3],
  ['Partition', [2, 0, 2], [2, 0]],
  ['Partition', 'ALL', 'all'],
  ['Group', 'scorers', 'scorers'],
  ['Group', null, null],
  ['MaxWaitTime', 0, 0],
  ['MaxWaitTime', 8_388_607, 8_388_607],
  ['Compression', 'GZIP', 'gzip'],
  ['TLS', true, true],
  ['TLS', { CA: '/ca.pem', Verify: false }, { CA: '/ca.pem', Verify: false }],
  ['SASL', { ...sasl, Mechanism: 'scram-sha-512' }, { ...sasl, Mechanism: 'SCRAM-SHA-512' }],
  ['Principal', 'pitot@EXAMPLE.ORG', 'pitot@EXAMPLE.ORG'],
]

const refused: [keyof typeof kafkaFields, unknown][] = [
  ['BootstrapServers', ''],
  ['BootstrapServers', []],
  ['BootstrapServers', ['http://a:9092']],
  ['BootstrapServers', ['a:9092', 'b c']],
  ['BootstrapServers', ['a:']],
  ['Topic', ''],
  ['Topic', 'a topic'],
  ['Topic', 'x'.repeat(250)],
  ['Partition', -1],
  ['Partition', 1.5],
  ['Partition', []],
  ['Partition', [0, 'one']],
  ['Partition', 'some'],
  ['Group', 'two words'],
  ['MaxWaitTime', -1],
  ['MaxWaitTime', 2 ** 31],
  ['Compression', 'brotli'],
  ['BatchBytes', 0],
  ['TLS', 'yes'],
  ['TLS', { Ca: '/ca.pem' }],
  ['SASL', { Mechanism: 'PLAIN', Username: 'u' }],
  ['SASL', { ...sasl, Mechanism: 'DIGEST-MD5' }],
  ['SASL', { ...sasl, constructor: 1 }],
]

describe('fields of the kafka transport', () => {
  it.each(allowed)('%s may be %j', (name, given, expected) => {
    expect(kafkaFields[name].read(given)).toEqual(expected)
  })

  it.each(refused)('%s may not be %j', (name, given) => {
    expect(kafkaFields[name].read(given)).toBeUndefined()
  })

  it('waits 25 days for records when nothing is said', () => {
    expect(Number(kafkaFields.MaxWaitTime.default) / 86_400_000).toBeCloseTo(24.86, 2)
  })
})
