// Apache Kafka for tests: brokers in KRaft mode, started from the jars that Maven brings.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findExecutable, freePort, install, ServerProcess } from './server.ts'

const version = '3.9.1'
const jars = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'pitot-test', `kafka-${version}`)

/** How a client reaches the brokers: open, over TLS, with a name and a password, with a Kerberos ticket. */
type KafkaListener = 'PLAINTEXT' | 'TLS' | 'SASL' | 'KERBEROS'

export interface KafkaSettings {
  /** The first is the controller too, so it is one of the others that a test of a lost broker ends. */
  readonly brokers?: 1 | 2
  readonly listeners?: readonly KafkaListener[]
  /** Properties of every broker, over those that stand below. */
  readonly properties?: Readonly<Record<string, string>>
  /** For the listener KERBEROS: who the broker is, and where its key and the realm are described. */
  readonly kerberos?: { readonly principal: string; readonly keytab: string; readonly configuration: string }
  readonly javaOptions?: readonly string[]
}

export interface TestKafka {
  /** `host:port` of each broker on a listener. */
  addresses(listener?: KafkaListener): string[]
  /** The certificate of the listener TLS, as PEM; self-signed for `localhost`. */
  readonly certificate: string
  /** Users of the listener SASL, by mechanism. */
  readonly users: Readonly<Record<'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512', { username: string; password: string }>>
  /** Ends a broker as a power failure would; numbered from 1. */
  kill(broker: number): Promise<void>
  /** Ends a broker in order: its partitions move first. */
  halt(broker: number): Promise<void>
  /** Starts an ended broker again on the same port. */
  restart(broker: number): Promise<void>
  stop(): Promise<void>
}

export type FoundKafka =
  | { readonly start: (settings?: KafkaSettings) => Promise<TestKafka>; readonly given: boolean }
  | { readonly missing: string }

/**
 * `PITOT_TEST_KAFKA=host:port[,host:port]` names brokers to use instead; they have the listener PLAINTEXT only and are not
 * ended, so suites that need more than that want their own.
 */
export function findKafka(own = false): FoundKafka {
  const given = own ? undefined : process.env.PITOT_TEST_KAFKA
  if (given !== undefined) return { start: async () => existing(given.split(',')), given: true }
  const java = findOrInstall('java', 'default-jre-headless')
  if (java === undefined) return { missing: 'Kafka: no Java, and installing it failed' }
  const missing = bringJars()
  if (missing !== undefined) return { missing: `Kafka: ${missing}` }
  return { start: (settings = {}) => new Cluster(java, settings).start(), given: false }
}

function findOrInstall(name: string, debianPackage: string): string | undefined {
  const found = findExecutable(name)
  if (found !== undefined) return found
  install([debianPackage])
  return findExecutable(name)
}

/** Fills the folder of jars once per machine; the reason where that fails. */
function bringJars(): string | undefined {
  if (existsSync(jars)) return undefined
  const maven = findOrInstall('mvn', 'maven')
  if (maven === undefined) return 'no Maven, and installing it failed'
  mkdirSync(join(jars, '..'), { recursive: true })
  const folder = mkdtempSync(`${jars}-`)
  writeFileSync(join(folder, 'pom.xml'), project())
  try {
    const copy = ['-q', '-B', 'dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`]
    execFileSync(maven, ['-f', join(folder, 'pom.xml'), ...copy], { stdio: 'pipe', timeout: 600_000 })
    // Several suites may bring them at once: the first one to finish is used.
    if (!existsSync(jars)) renameSync(folder, jars)
    return undefined
  } catch (error) {
    return `Maven could not bring the jars: ${(error as Error).message.split('\n')[0]}`
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function project(): string {
  return `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>pitot.test</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${version}</version>
    </dependency>
  </dependencies>
</project>
`
}

const users = {
  PLAIN: { username: 'paula', password: 'plain-secret' },
  'SCRAM-SHA-256': { username: 'sam', password: 'scram-256-secret' },
  'SCRAM-SHA-512': { username: 'stella', password: 'scram-512-secret' },
} as const

function existing(addresses: string[]): TestKafka {
  const notOurs = () => Promise.reject(new Error('brokers given by their address are not ours to stop'))
  return {
    addresses: () => addresses,
    certificate: '',
    users,
    kill: notOurs,
    halt: notOurs,
    restart: notOurs,
    stop: () => Promise.resolve(),
  }
}

class Cluster implements TestKafka {
  readonly #java: string
  readonly #settings: KafkaSettings
  readonly #listeners: readonly KafkaListener[]
  readonly #folder = mkdtempSync(join(tmpdir(), 'pitot-kafka-'))
  #brokers: readonly { readonly ports: Record<string, number>; readonly process: ServerProcess }[] = []
  readonly users = users
  certificate = ''

  constructor(java: string, settings: KafkaSettings) {
    this.#java = java
    this.#settings = settings
    this.#listeners = settings.listeners ?? ['PLAINTEXT']
  }

  async start(): Promise<TestKafka> {
    if (this.#listeners.includes('TLS')) this.#makeCertificate()
    const controller = await freePort()
    const count = this.#settings.brokers ?? 1
    const nodes = Array.from({ length: count }, (_, index) => index + 1)
    this.#brokers = await Promise.all(nodes.map((node) => this.#prepare(node, count, controller)))
    await Promise.all(this.#brokers.map((broker) => broker.process.start()))
    return this
  }

  addresses(listener: KafkaListener = 'PLAINTEXT'): string[] {
    return this.#brokers.map((broker) => `${host(listener)}:${broker.ports[listener]}`)
  }

  kill(broker: number): Promise<void> {
    return this.#process(broker).stop('SIGKILL')
  }

  halt(broker: number): Promise<void> {
    return this.#process(broker).stop('SIGTERM')
  }

  restart(broker: number): Promise<void> {
    return this.#process(broker).start()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#brokers.map((broker) => broker.process.stop('SIGKILL')))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #process(broker: number): ServerProcess {
    const found = this.#brokers[broker - 1]
    if (found === undefined) throw new Error(`there is no broker ${broker}`)
    return found.process
  }

  async #prepare(node: number, count: number, controller: number) {
    const ports: Record<string, number> = {}
    for (const listener of this.#withPlaintext()) ports[listener] = await freePort()
    const cwd = join(this.#folder, `broker-${node}`)
    mkdirSync(cwd)
    const file = join(cwd, 'server.properties')
    writeFileSync(file, this.#properties(node, count, controller, ports, cwd))
    await this.#format(file)
    const system = this.#settings.kerberos && [`-Djava.security.krb5.conf=${this.#settings.kerberos.configuration}`]
    const args = [...this.#javaArguments(), ...(system ?? []), 'kafka.Kafka', file]
    const ready = () => Promise.all(Object.values(ports).map((port) => accepts(port)))
    return { ports, process: new ServerProcess(this.#java, args, { cwd }, ready) }
  }

  #javaArguments(): string[] {
    const own = this.#settings.javaOptions ?? ['-XX:TieredStopAtLevel=1']
    return ['-Xmx384m', '-XX:+UseSerialGC', ...own, '-cp', join(jars, '*')]
  }

  async #format(file: string): Promise<void> {
    const scram = (['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const).flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=${users[mechanism].username},password=${users[mechanism].password}]`,
    ])
    const args = ['kafka.tools.StorageTool', 'format', '-t', 'cGl0b3QtdGVzdC1rYWZrYQ', '-c', file, ...scram]
    await promisify(execFile)(this.#java, [...this.#javaArguments(), ...args])
  }

  /** Brokers talk to each other over PLAINTEXT, whatever the clients do. */
  #withPlaintext(): KafkaListener[] {
    return [...new Set<KafkaListener>(['PLAINTEXT', ...this.#listeners])]
  }

  #properties(node: number, count: number, controller: number, ports: Record<string, number>, folder: string): string {
    const listeners = this.#withPlaintext()
    const open = listeners.map((listener) => `${listener}://127.0.0.1:${ports[listener]}`)
    const properties: Record<string, string | number> = {
      'process.roles': node === 1 ? 'broker,controller' : 'broker',
      'node.id': node,
      'controller.quorum.voters': `1@127.0.0.1:${controller}`,
      'controller.listener.names': 'CONTROLLER',
      'inter.broker.listener.name': 'PLAINTEXT',
      'listener.security.protocol.map':
        'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,TLS:SSL,SASL:SASL_PLAINTEXT,KERBEROS:SASL_PLAINTEXT',
      listeners: (node === 1 ? [...open, `CONTROLLER://127.0.0.1:${controller}`] : open).join(','),
      'advertised.listeners': listeners.map((name) => `${name}://${host(name)}:${ports[name]}`).join(','),
      'log.dirs': join(folder, 'data'),
      'auto.create.topics.enable': 'false',
      'offsets.topic.num.partitions': 4,
      'offsets.topic.replication.factor': count,
      'transaction.state.log.num.partitions': 4,
      'transaction.state.log.replication.factor': count,
      'transaction.state.log.min.isr': 1,
      'group.initial.rebalance.delay.ms': 0,
      'num.network.threads': 2,
      'num.io.threads': 4,
      // A lost broker is noticed within seconds, since the tests wait for it.
      'broker.session.timeout.ms': 3000,
      'broker.heartbeat.interval.ms': 500,
      ...this.#security(),
      ...this.#settings.properties,
    }
    return Object.entries(properties)
      .map(([name, value]) => `${name}=${value}\n`)
      .join('')
  }

  #security(): Record<string, string> {
    const { kerberos } = this.#settings
    const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required;'
    const { username, password } = users.PLAIN
    const plain = `org.apache.kafka.common.security.plain.PlainLoginModule required user_${username}="${password}";`
    return {
      ...(this.#listeners.includes('TLS') && {
        'listener.name.tls.ssl.keystore.type': 'PKCS12',
        'listener.name.tls.ssl.keystore.location': join(this.#folder, 'broker.p12'),
        'listener.name.tls.ssl.keystore.password': 'secret',
        'listener.name.tls.ssl.key.password': 'secret',
      }),
      ...(this.#listeners.includes('SASL') && {
        'listener.name.sasl.sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
        'listener.name.sasl.plain.sasl.jaas.config': plain,
        'listener.name.sasl.scram-sha-256.sasl.jaas.config': scram,
        'listener.name.sasl.scram-sha-512.sasl.jaas.config': scram,
      }),
      ...(kerberos !== undefined && {
        'listener.name.kerberos.sasl.enabled.mechanisms': 'GSSAPI',
        'listener.name.kerberos.sasl.kerberos.service.name': 'kafka',
        'listener.name.kerberos.gssapi.sasl.jaas.config':
          'com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true ' +
          `keyTab="${kerberos.keytab}" principal="${kerberos.principal}";`,
      }),
    }
  }

  #makeCertificate(): void {
    const keytool = (...args: string[]) => execFileSync(join(dirname(this.#java), 'keytool'), args, { stdio: 'pipe' })
    const store = ['-keystore', join(this.#folder, 'broker.p12'), '-storetype', 'PKCS12', '-storepass', 'secret']
    const subject = ['-dname', 'CN=localhost', '-ext', 'SAN=dns:localhost,ip:127.0.0.1', '-validity', '30']
    keytool('-genkeypair', '-alias', 'broker', '-keyalg', 'EC', ...subject, ...store)
    const file = join(this.#folder, 'broker.pem')
    keytool('-exportcert', '-rfc', '-alias', 'broker', '-file', file, ...store)
    this.certificate = readFileSync(file, 'utf8')
  }
}

/** TLS and Kerberos know a broker by its name. */
function host(listener: KafkaListener): string {
  return listener === 'TLS' || listener === 'KERBEROS' ? 'localhost' : '127.0.0.1'
}

function accepts(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}
