// The fields of a kafka transport: a value of a descriptor comes in, the value to use goes out, or nothing when it is not allowed.
import { type Field, flag, nullable, oneOf, text, textOrList, whole, withDefault } from '../../field.ts'

export interface KafkaOptions {
  readonly BootstrapServers: readonly string[]
  readonly Topic: string
  readonly Partition: number | readonly number[] | 'all'
  readonly Group: string | null
  readonly CommitOffset: boolean
  readonly MaxWaitTime: number
  readonly RetryTime: number
  readonly ClientId: string
  readonly Compression: Compression
  readonly BatchBytes: number
  readonly TransactionalId: string | null
  readonly TLS: boolean | TlsOptions | null
  readonly SASL: SaslOptions | null
  readonly Principal: string | null
  readonly Keytab: string | null
  readonly KerberosService: string
}

export interface TlsOptions {
  /** PEM text, or the path of a file with it. */
  readonly CA?: string
  readonly Certificate?: string
  readonly Key?: string
  readonly Passphrase?: string
  readonly ServerName?: string
  /** False accepts any certificate. */
  readonly Verify?: boolean
}

export interface SaslOptions {
  readonly Mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512'
  readonly Username: string
  readonly Password: string
}

const mechanism = oneOf('PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512')

export type Compression = 'none' | 'gzip' | 'snappy' | 'lz4' | 'zstd'

const longestTime = 2 ** 31 - 1
const milliseconds: Field = { ...whole(0, longestTime), allowed: `milliseconds, 0 to ${longestTime}` }

const name: Field = {
  allowed: 'a text without spaces',
  read: (value) => (typeof value === 'string' && /^\S+$/.test(value) ? value : undefined),
}

export const kafkaFields: Readonly<Record<keyof KafkaOptions, Field>> = {
  BootstrapServers: {
    required: true,
    allowed: 'a list of "host:port", or one text with commas between them',
    read: readServers,
  },
  Topic: {
    required: true,
    allowed: 'the name of a topic: 1 to 249 letters, digits, dots, underscores and hyphens',
    read: (value) => (typeof value === 'string' && /^[\w.-]{1,249}$/.test(value) ? value : undefined),
  },
  Partition: {
    default: 0,
    allowed: 'the number of a partition, a list of numbers, or "all"',
    read: readPartitions,
  },
  Group: nullable(name),
  CommitOffset: withDefault(flag, true),
  // The 25 days after which a stream without records has always been taken for ended.
  MaxWaitTime: withDefault(milliseconds, longestTime),
  RetryTime: withDefault(milliseconds, 120_000),
  ClientId: withDefault(name, 'pitot'),
  Compression: withDefault(oneOf('none', 'gzip', 'snappy', 'lz4', 'zstd'), 'none'),
  BatchBytes: withDefault(whole(1, 100 * 1024 * 1024), 900_000),
  TransactionalId: nullable(text),
  TLS: {
    allowed: 'true, false, or an object with CA, Certificate, Key, Passphrase, ServerName (text) and Verify (boolean)',
    read: readTls,
  },
  SASL: nullable({
    allowed: `an object with Mechanism (${mechanism.allowed}), Username and Password`,
    read: readSasl,
  }),
  Principal: nullable(text),
  Keytab: nullable(text),
  KerberosService: withDefault(text, 'kafka'),
}

/** Rules about several fields at once; a sentence per broken rule. */
export function checkKafka(options: KafkaOptions, direction: 'input' | 'output'): string[] {
  const broken: string[] = []
  const rule = (ok: boolean, sentence: string) => ok || broken.push(sentence)
  if (direction === 'input') {
    const shared = options.Group === null || options.Partition === 0
    rule(shared, 'Group shares out the partitions among its members: leave out Partition, or Group.')
  }
  const kerberos = options.Principal !== null
  rule(
    kerberos === (options.Keytab !== null),
    kerberos ? 'Principal needs a Keytab with its key.' : 'Keytab needs the Principal to use from it.',
  )
  rule(!(kerberos && options.SASL !== null), 'Principal and SASL are two ways to log in: give one of them.')
  return broken
}

function readServers(value: unknown): string[] | undefined {
  const servers = textOrList(true).read(value) as string[] | undefined
  return servers?.every((server) => /^(\[[\da-fA-F:.]+\]|[^\s:/,]+)(:\d{1,5})?$/.test(server)) ? servers : undefined
}

function readPartitions(value: unknown): KafkaOptions['Partition'] | undefined {
  const partition = whole(0, longestTime)
  if (!Array.isArray(value)) return (oneOf('all').read(value) ?? partition.read(value)) as 'all' | number | undefined
  const numbers = value.map((entry) => partition.read(entry) as number | undefined)
  return numbers.length > 0 && numbers.every((number) => number !== undefined) ? [...new Set(numbers)] : undefined
}

function readTls(value: unknown): KafkaOptions['TLS'] | undefined {
  if (value === null || typeof value === 'boolean') return value
  const fields = { CA: text, Certificate: text, Key: text, Passphrase: text, ServerName: text, Verify: flag }
  return readObject<TlsOptions>(value, fields, [])
}

function readSasl(value: unknown): SaslOptions | undefined {
  const fields = { Mechanism: mechanism, Username: text, Password: text }
  return readObject<SaslOptions>(value, fields, ['Mechanism', 'Username', 'Password'])
}

/** The fields of an object in an object, or undefined when one of them is unknown, missing or not allowed. */
function readObject<Result>(
  value: unknown,
  fields: Readonly<Record<string, Field>>,
  required: readonly string[],
): Result | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const result: Record<string, unknown> = {}
  for (const [name, entry] of Object.entries(value)) {
    const read = Object.hasOwn(fields, name) ? fields[name]?.read(entry) : undefined
    if (read === undefined) return undefined
    result[name] = read
  }
  return required.every((name) => name in result) ? (result as Result) : undefined
}
