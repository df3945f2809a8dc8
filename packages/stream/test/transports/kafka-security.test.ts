// The kafka transport with TLS, with names and passwords, and with Kerberos tickets, each against a real broker.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { findKerberos, realm, type TestRealm } from '../../../../test/servers/kerberos.ts'
import { type Brokers, describeKafka, frames, readAll } from './kafka/cluster.ts'

describeKafka('kafka with TLS and passwords', { listeners: ['PLAINTEXT', 'TLS', 'SASL'] }, (brokers) => {
  afterEach(() => brokers.closeAll())
  const folder = mkdtempSync(join(tmpdir(), 'pitot-test-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('writes and reads over TLS', async () => {
    await roundTrip(brokers, {
      BootstrapServers: brokers.server.addresses('TLS'),
      TLS: { CA: brokers.server.certificate },
    })
  })

  it('takes the certificate from a file', async () => {
    const CA = join(folder, 'ca.pem')
    writeFileSync(CA, brokers.server.certificate)
    await roundTrip(brokers, { BootstrapServers: brokers.server.addresses('TLS'), TLS: { CA } })
  })

  it('does not look at the certificate when told so', async () => {
    await roundTrip(brokers, { BootstrapServers: brokers.server.addresses('TLS'), TLS: { Verify: false } })
  })

  it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const)('logs in with %s', async (Mechanism) => {
    const { username: Username, password: Password } = brokers.server.users[Mechanism]
    const given = { BootstrapServers: brokers.server.addresses('SASL'), SASL: { Mechanism, Username, Password } }
    await roundTrip(brokers, given)
  })

  it.each(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'] as const)(
    'says that a password is wrong: %s',
    async (Mechanism) => {
      const { username: Username } = brokers.server.users[Mechanism]
      const SASL = { Mechanism, Username, Password: 'wrong' }
      const sentence = new RegExp(`refused the credentials of ${Username}: correct them`)
      await fails(brokers, { BootstrapServers: brokers.server.addresses('SASL'), SASL }, sentence)
    },
  )

  it.each([
    {
      what: 'an unknown certificate',
      listener: 'TLS',
      given: { TLS: true },
      sentence: /failed the TLS check: self-signed certificate/,
    },
    {
      what: 'TLS where there is none',
      listener: 'PLAINTEXT',
      given: { TLS: true },
      sentence: /does not speak TLS on this port|TLS check/,
    },
    { what: 'no TLS where there is some', listener: 'TLS', given: {}, sentence: /speaks TLS: set TLS to true/ },
    {
      what: 'a missing file',
      listener: 'TLS',
      given: { TLS: { CA: '/nowhere.pem' } },
      sentence: /TLS\.CA names the file \/nowhere\.pem, which is not there/,
    },
    {
      what: 'a password where none is asked for',
      listener: 'PLAINTEXT',
      given: { SASL: { Mechanism: 'PLAIN', Username: 'u', Password: 'p' } },
      sentence: /asks nobody to log in on this port/,
    },
    {
      what: 'a missing keytab',
      listener: 'SASL',
      given: { Principal: 'p', Keytab: '/nowhere' },
      sentence: /Keytab names the file \/nowhere/,
    },
  ] as const)('says what is wrong: $what', async ({ listener, given, sentence }) => {
    await fails(brokers, { BootstrapServers: brokers.server.addresses(listener), ...given }, sentence)
  })
})

describeKerberos((realmOf, moduleFolder) => {
  const settings = async () => {
    const { configuration, addPrincipal } = await realmOf()
    const principal = 'kafka/localhost'
    const kerberos = { principal: `${principal}@${realm}`, keytab: addPrincipal(principal), configuration }
    return { listeners: ['PLAINTEXT', 'KERBEROS'] as const, kerberos }
  }
  describeKafka('kafka with Kerberos', settings, (brokers) => {
    const Principal = `alice@${realm}`
    afterEach(async () => {
      await brokers.closeAll()
      delete process.env.PITOT_KERBEROS
      delete process.env.KRB5_CONFIG
    })

    const prepare = async () => {
      const made = await realmOf()
      process.env.PITOT_KERBEROS = moduleFolder
      process.env.KRB5_CONFIG = made.configuration
      return made
    }

    it('logs in with the key of a keytab', async () => {
      const Keytab = (await prepare()).addPrincipal('alice')
      await roundTrip(brokers, { BootstrapServers: brokers.server.addresses('KERBEROS'), Principal, Keytab })
    })

    it('says that a keytab does not fit', async () => {
      const made = await prepare()
      const old = made.addPrincipal('bob')
      made.addPrincipal('bob')
      for (const { name, Keytab, sentence } of [
        { name: 'bob', Keytab: old, sentence: /Kerberos refused bob@PITOT\.TEST with the keytab/ },
        {
          name: 'carol',
          Keytab: made.addPrincipal('dave'),
          sentence: /Kerberos refused carol@PITOT\.TEST with the keytab/,
        },
      ]) {
        const given = { BootstrapServers: brokers.server.addresses('KERBEROS'), Principal: `${name}@${realm}`, Keytab }
        await fails(brokers, given, sentence)
      }
    })

    it('says how to get the package that it needs', async () => {
      const Keytab = (await prepare()).addPrincipal('erin')
      process.env.PITOT_KERBEROS = '/nowhere'
      const given = { BootstrapServers: brokers.server.addresses('KERBEROS'), Principal: `erin@${realm}`, Keytab }
      await fails(brokers, given, /need the package "kerberos".*npm install kerberos@7.*libkrb5-dev/)
    })
  })
})

async function roundTrip(brokers: Brokers, given: Readonly<Record<string, unknown>>): Promise<void> {
  const Topic = await brokers.topic()
  const sink = await brokers.sink({ ...given, Topic })
  await sink.write(frames(['one', 'two']))
  expect((await readAll(await brokers.source({ ...given, Topic, Group: Topic }))).records).toEqual(['one', 'two'])
}

async function fails(brokers: Brokers, given: Readonly<Record<string, unknown>>, sentence: RegExp): Promise<void> {
  const Topic = await brokers.topic()
  for (const kind of ['source', 'sink'] as const) {
    const failure = await brokers[kind]({ ...given, Topic, RetryTime: 5000 }).then(
      () => undefined,
      (error: unknown) => error as Error,
    )
    expect(failure).toMatchObject({ name: 'StreamFailure', passing: false })
    expect(failure?.message).toMatch(sentence)
  }
}

/** Starts a realm on the first use, for suites inside. Missing means are told, and in CI they are a failure. */
function describeKerberos(suite: (realmOf: () => Promise<TestRealm>, moduleFolder: string) => void): void {
  const found = findKerberos()
  if ('missing' in found) {
    if (process.env.CI === 'true') throw new Error(found.missing)
    describe.skip(`kafka with Kerberos (skipped: ${found.missing})`, () => undefined)
    return
  }
  let started: Promise<TestRealm> | undefined
  afterAll(async () => (await started)?.stop())
  suite(() => {
    started ??= found.start()
    return started
  }, found.module)
}
