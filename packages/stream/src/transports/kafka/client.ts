// From the fields of a descriptor to what the client library takes: addresses, TLS and the way to log in.
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { ConnectionOptions as TlsConnection } from 'node:tls'
import type { BaseOptions, ConnectionOptions } from '@platformatic/kafka'
import { StreamFailure } from '../../transport.ts'
import { kerberosLogin } from './kerberos.ts'
import type { KafkaOptions, TlsOptions } from './options.ts'

/** Options of every client: the transport itself tries again, so the library's own attempts are few and short. */
export async function clientOptions(options: KafkaOptions): Promise<BaseOptions> {
  return {
    clientId: options.ClientId,
    bootstrapBrokers: [...options.BootstrapServers],
    timeout: 30_000,
    retries: 0,
    retryDelay: 100,
    ...(await connectionOptions(options)),
    // A group may take its time to share out its partitions.
    requestTimeout: 45_000,
  }
}

/** Options of connections for records, where a broker that does not answer is taken for frozen: another one may lead by then. */
export async function connectionOptions(options: KafkaOptions): Promise<ConnectionOptions> {
  const { TLS: tls, SASL: sasl } = options
  return {
    connectTimeout: 5000,
    requestTimeout: 15_000,
    ...(tls !== null && tls !== false && tlsOptions(tls === true ? {} : tls, options.BootstrapServers)),
    ...(sasl !== null && {
      sasl: { mechanism: sasl.Mechanism, username: sasl.Username, password: sasl.Password },
    }),
    ...(options.Principal !== null && { sasl: await kerberosLogin(options) }),
  }
}

function tlsOptions(given: TlsOptions, servers: readonly string[]): Pick<ConnectionOptions, 'tls' | 'tlsServerName'> {
  const tls: TlsConnection = { rejectUnauthorized: given.Verify ?? true }
  if (given.CA !== undefined) tls.ca = pem('TLS.CA', given.CA)
  if (given.Certificate !== undefined) tls.cert = pem('TLS.Certificate', given.Certificate)
  if (given.Key !== undefined) tls.key = pem('TLS.Key', given.Key)
  if (given.Passphrase !== undefined) tls.passphrase = given.Passphrase
  // Brokers behind one address are told apart by the name that is asked for; an IP address must not be asked for.
  const named = servers.every((server) => isIP(server.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')) === 0)
  return { tls, tlsServerName: given.ServerName ?? named }
}

/** PEM text as it is, or the text of the file that is named. */
function pem(field: string, given: string): string {
  if (given.includes('-----BEGIN')) return given
  if (!existsSync(given))
    throw new StreamFailure(`${field} names the file ${given}, which is not there: correct the path.`)
  return readFileSync(given, 'utf8')
}
