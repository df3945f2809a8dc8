// Errors of brokers and sockets as sentences: which one it is, and whether it may pass.
import { AuthenticationError, MultipleErrors, NetworkError, UserError } from '@platformatic/kafka'
import { describe, expect, it } from 'vitest'
import { StreamFailure } from '../../../src/transport.ts'
import { answeredError, isTooLarge, kafkaFailure } from '../../../src/transports/kafka/failures.ts'
import { readOptions } from './cluster.ts'

const options = readOptions({
  BootstrapServers: 'one:1,two:2',
  Topic: 'numbers',
  Group: 'scorers',
  SASL: { Mechanism: 'PLAIN', Username: 'paula', Password: 'very-secret' },
})

const socket = (code: string) => Object.assign(new Error(`connect ${code} 1.2.3.4:9092`), { code })
const connection = (cause: Error) =>
  new MultipleErrors('Cannot connect to any broker.', [new NetworkError('failed', { cause })])

const cases: [what: string, error: Error, passing: boolean, sentence: RegExp][] = [
  ['a missing topic', answeredError(3), false, /one:1, two:2 has no topic "numbers"/],
  ['a missing topic in metadata', new UserError('Unknown topic numbers.'), false, /has no topic "numbers"/],
  ['no right to the topic', answeredError(29), false, /does not let paula use topic "numbers"/],
  ['no right to the group', answeredError(30), false, /does not let paula use group "scorers"/],
  [
    'a refused password',
    connection(new AuthenticationError('SASL authentication failed.')),
    false,
    /refused the credentials of paula/,
  ],
  [
    'a refused mechanism',
    connection(new AuthenticationError('no', { cause: answeredError(33) })),
    false,
    /does not offer the way/,
  ],
  ['a refused connection', connection(socket('ECONNREFUSED')), true, /cannot be reached: connect ECONNREFUSED/],
  ['an unknown host', connection(socket('ENOTFOUND')), true, /cannot be reached: connect ENOTFOUND/],
  ['an unknown certificate', connection(socket('SELF_SIGNED_CERT_IN_CHAIN')), false, /failed the TLS check/],
  ['TLS without TLS', new UserError('Broker requires TLS.'), false, /speaks TLS: set TLS to true/],
  ['another writer', answeredError(90), false, /same TransactionalId/],
  ['too few replicas', answeredError(19), true, /fewer replicas in step/],
  ['a rebalance', answeredError(27), true, /sharing out its partitions/],
  ['a moved leader', answeredError(6), true, /answered for topic "numbers"/],
  ['an unknown number', answeredError(12_345), false, /error 12345/],
]

describe('failures of kafka', () => {
  it.each(cases)('%s', (_what, error, passing, sentence) => {
    const failure = kafkaFailure(error, options)
    expect(failure).toBeInstanceOf(StreamFailure)
    expect(failure.message).toMatch(sentence)
    expect(failure.passing).toBe(passing)
    expect(failure.message).not.toContain('very-secret')
  })

  it('keeps a sentence that was found before', () => {
    const own = new StreamFailure('Kerberos refused.')
    expect(kafkaFailure(connection(own), options)).toBe(own)
  })

  it('knows a batch that is too large wherever the error is wrapped', () => {
    expect(isTooLarge(new Error('outer', { cause: answeredError(10) }))).toBe(true)
    expect(isTooLarge(answeredError(18))).toBe(true)
    expect(isTooLarge(answeredError(6))).toBe(false)
  })
})
