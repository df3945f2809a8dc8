// Log-in with a Kerberos ticket (SASL GSSAPI, RFC 4752): a principal and its keytab come in, an authenticator for the client goes out.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Connection, SASLCustomAuthenticator, SASLOptions } from '@platformatic/kafka'
import { StreamFailure } from '../../transport.ts'
import type { KafkaOptions } from './options.ts'

/** What is used of the npm package `kerberos`, which is native and therefore loaded only when it is asked for. */
interface Kerberos {
  initializeClient(service: string, options: { principal: string; mechOID: number }): Promise<KerberosClient>
  readonly GSS_MECH_OID_KRB5: number
}

interface KerberosClient {
  readonly contextComplete: boolean
  step(challenge: string): Promise<string | null>
  unwrap(challenge: string): Promise<string>
  wrap(answer: string, options?: object): Promise<string>
}

/** Answer to the offer of security layers: none, and messages of any size (RFC 4752, 3.1). */
const noSecurityLayer = Buffer.from([1, 0, 0, 0]).toString('base64')

export async function kerberosLogin(options: KafkaOptions): Promise<SASLOptions> {
  const { KerberosService: service } = options
  const principal = options.Principal ?? ''
  const keytab = options.Keytab ?? ''
  if (!existsSync(keytab))
    throw new StreamFailure(`Keytab names the file ${keytab}, which is not there: correct the path.`)
  const kerberos = await loadKerberos()
  return {
    mechanism: 'GSSAPI',
    authenticate(_mechanism, connection, authenticate, _username, _password, _token, callback) {
      logIn(kerberos, { principal, keytab, service }, connection, authenticate).then(
        (response) => callback(null, response),
        (error: Error) => callback(refused(error, principal, keytab)),
      )
    },
  }
}

/** `PITOT_KERBEROS` names the folder of the package where it is not installed beside Pitot. */
async function loadKerberos(): Promise<Kerberos> {
  const folder = process.env.PITOT_KERBEROS
  const name = 'kerberos'
  try {
    const path = folder === undefined ? name : pathToFileURL(createRequire(`${folder}/`).resolve(folder)).href
    const loaded = (await import(path)) as Kerberos & { default?: Kerberos }
    return loaded.default ?? loaded
  } catch (cause) {
    throw new StreamFailure(
      'Principal and Keytab need the package "kerberos", which is not installed: run "npm install kerberos@7" ' +
        '(it is built on the spot and needs libkrb5-dev), or leave them out.',
      { cause },
    )
  }
}

interface Identity {
  readonly principal: string
  readonly keytab: string
  readonly service: string
}

async function logIn(
  kerberos: Kerberos,
  identity: Identity,
  connection: Connection,
  authenticate: Parameters<SASLCustomAuthenticator>[2],
) {
  const client = await clientFor(kerberos, identity, connection.host ?? '')
  const send = async (token: string | null) => {
    const response = await authenticate.async(connection, Buffer.from(token ?? '', 'base64'))
    return { response, challenge: Buffer.from(response.authBytes ?? []).toString('base64') }
  }
  let { challenge } = await send(await client.step(''))
  while (!client.contextComplete) {
    const token = await client.step(challenge)
    // A context that is complete and has nothing to say still answers: the broker's offer of security layers follows.
    challenge = (await send(token)).challenge
  }
  await client.unwrap(challenge)
  return (await send(await client.wrap(noSecurityLayer))).response
}

let turn: Promise<unknown> = Promise.resolve()

/**
 * A client whose ticket comes from the keytab. The Kerberos library takes keytab and ticket cache from the environment of
 * the process only, so clients are made one after the other, each with an environment of its own. The cache is in memory,
 * one for each identity; the library renews its ticket from the keytab.
 */
function clientFor(kerberos: Kerberos, identity: Identity, host: string): Promise<KerberosClient> {
  const cache = createHash('sha256').update(`${identity.principal}\n${identity.keytab}`).digest('hex').slice(0, 16)
  const environment = { KRB5_CLIENT_KTNAME: `FILE:${identity.keytab}`, KRB5CCNAME: `MEMORY:pitot-${cache}` }
  const made = turn.then(() =>
    withEnvironment(environment, () =>
      kerberos.initializeClient(`${identity.service}@${host}`, {
        principal: identity.principal,
        mechOID: kerberos.GSS_MECH_OID_KRB5,
      }),
    ),
  )
  turn = made.catch(() => undefined)
  return made
}

async function withEnvironment<Result>(
  environment: Readonly<Record<string, string>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, environment)
  try {
    return await work()
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

function refused(error: Error, principal: string, keytab: string): Error {
  // Errors of brokers and sockets are told elsewhere; these come from the Kerberos library.
  if ('code' in error) return error
  return new StreamFailure(
    `Kerberos refused ${principal} with the keytab ${keytab}: ${error.message}; check the principal, the keytab and krb5.conf.`,
    { cause: error },
  )
}
