// What went wrong between this process and the brokers: errors of the client come in, one sentence each goes out.
import {
  AuthenticationError,
  GenericError,
  MultipleErrors,
  protocolErrors,
  protocolErrorsCodesById,
} from '@platformatic/kafka'
import { StreamFailure } from '../../transport.ts'
import type { KafkaOptions } from './options.ts'

const fenced =
  'Another writer with the same TransactionalId has taken over, or a transaction stayed open for more than a minute: ' +
  'give each writer its own, and commit more often.'

/** What brokers answer, by the name in the protocol: the sentence, and whether the same may work later. */
const answers: Readonly<Record<string, { readonly passing: boolean; readonly sentence: (where: Where) => string }>> = {
  UNKNOWN_TOPIC_OR_PARTITION: final(
    ({ topic, servers }) => `Kafka at ${servers} has no topic "${topic}": create it, or correct Topic.`,
  ),
  INVALID_TOPIC_EXCEPTION: final(
    ({ topic }) => `Kafka does not take "${topic}" as the name of a topic: correct Topic.`,
  ),
  TOPIC_AUTHORIZATION_FAILED: final(
    ({ topic, user }) => `Kafka does not let ${user} use topic "${topic}": ask for the rights to it.`,
  ),
  GROUP_AUTHORIZATION_FAILED: final(
    ({ group, user }) => `Kafka does not let ${user} use group "${group}": ask for the rights to it.`,
  ),
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: final(
    ({ user }) => `Kafka does not let ${user} use this TransactionalId: ask for the rights to it.`,
  ),
  CLUSTER_AUTHORIZATION_FAILED: final(
    ({ user }) => `Kafka does not let ${user} write without loss (right IdempotentWrite): ask for it.`,
  ),
  UNSUPPORTED_SASL_MECHANISM: final(
    ({ servers, user }) =>
      `Kafka at ${servers} does not offer the way in which ${user} logs in: correct SASL or Principal.`,
  ),
  ILLEGAL_SASL_STATE: final(
    ({ servers }) =>
      `Kafka at ${servers} asks nobody to log in on this port: remove SASL and Principal, or name another port.`,
  ),
  SASL_AUTHENTICATION_FAILED: final(
    ({ servers, user }) => `Kafka at ${servers} refused the credentials of ${user}: correct them.`,
  ),
  INVALID_GROUP_ID: final(({ group }) => `Kafka does not take "${group}" as the name of a group: correct Group.`),
  INCONSISTENT_GROUP_PROTOCOL: final(
    ({ group }) => `Group "${group}" has members of another kind: choose another Group.`,
  ),
  GROUP_MAX_SIZE_REACHED: passing(({ group }) => `Group "${group}" is full: end a member, or raise group.max.size.`),
  PRODUCER_FENCED: final(() => fenced),
  INVALID_PRODUCER_EPOCH: final(() => fenced),
  UNSUPPORTED_COMPRESSION_TYPE: final(
    ({ topic }) => `Topic "${topic}" does not take this compression: choose another Compression.`,
  ),
  INVALID_TRANSACTION_TIMEOUT: final(
    () => 'The brokers do not allow transactions as long as ours: raise transaction.max.timeout.ms.',
  ),
  REBALANCE_IN_PROGRESS: passing(({ group }) => `Group "${group}" is sharing out its partitions anew.`),
  ILLEGAL_GENERATION: passing(({ group }) => `Group "${group}" has shared out its partitions anew.`),
  UNKNOWN_MEMBER_ID: passing(({ group }) => `Group "${group}" no longer counts this reader as a member.`),
  NOT_ENOUGH_REPLICAS: passing(
    ({ topic }) => `Topic "${topic}" has fewer replicas in step than min.insync.replicas: start the missing brokers.`,
  ),
}

interface Where {
  readonly servers: string
  readonly topic: string
  readonly group: string
  readonly user: string
}

/** The sentence for an error of the client, or the failure itself when it is one already. */
export function kafkaFailure(error: unknown, options: KafkaOptions): StreamFailure {
  if (error instanceof StreamFailure) return error
  const where: Where = {
    servers: options.BootstrapServers.join(', '),
    topic: options.Topic,
    group: options.Group ?? '',
    user: options.Principal ?? options.SASL?.Username ?? 'an anonymous user',
  }
  const chain = [...unfold(error)]
  const own = chain.find((each) => each instanceof StreamFailure)
  if (own !== undefined) return own as StreamFailure
  for (const each of chain) {
    const answer = answers[String((each as { apiId?: unknown }).apiId)]
    if (answer !== undefined)
      return new StreamFailure(answer.sentence(where), { passing: answer.passing, cause: error })
  }
  if (chain.some((each) => each.message.startsWith('Unknown topic'))) {
    return new StreamFailure(answers.UNKNOWN_TOPIC_OR_PARTITION?.sentence(where) ?? '', { cause: error })
  }
  return securityFailure(chain, where, error) ?? otherFailure(chain, where, error)
}

function securityFailure(chain: readonly Error[], where: Where, cause: unknown): StreamFailure | undefined {
  const fail = (sentence: string) => new StreamFailure(sentence, { cause })
  const tls = chain.find((each) =>
    /CERT|SELF_SIGNED|ERR_TLS|ERR_SSL|UNABLE_TO/.test(String((each as { code?: unknown }).code)),
  )
  if (tls !== undefined)
    return fail(`Kafka at ${where.servers} failed the TLS check: ${tls.message}; correct TLS.CA or the certificate.`)
  if (chain.some((each) => each.message.startsWith('Broker requires TLS'))) {
    return fail(`Kafka at ${where.servers} speaks TLS: set TLS to true, or name the port without it.`)
  }
  if (chain.some((each) => each.message.startsWith('TLS handshake failed'))) {
    return fail(`Kafka at ${where.servers} does not speak TLS on this port: remove TLS, or name the port with it.`)
  }
  if (chain.some((each) => each instanceof AuthenticationError)) {
    return fail(`Kafka at ${where.servers} refused the credentials of ${where.user}: correct them.`)
  }
  return undefined
}

function otherFailure(chain: readonly Error[], where: Where, cause: unknown): StreamFailure {
  // The innermost error says most: a socket's, or a broker's.
  const last = chain.at(-1) ?? new Error(String(cause))
  const passing = !chain.some((each) => (each as { canRetry?: unknown }).canRetry === false)
  const network = chain.some((each) => each instanceof GenericError && each.code === 'PLT_KFK_NETWORK')
  const sentence = network
    ? `Kafka at ${where.servers} cannot be reached: ${last.message}; see that the brokers run and that the address is right.`
    : `Kafka at ${where.servers} answered for topic "${where.topic}": ${last.message}`
  return new StreamFailure(sentence, { passing: passing || network, cause })
}

/** An error number in an answer that was otherwise understood. */
export function answeredError(code: number): Error {
  const id = protocolErrorsCodesById[code as keyof typeof protocolErrorsCodesById] ?? `error ${code}`
  const known = (protocolErrors as Record<string, { message: string; canRetry: boolean }>)[id]
  return Object.assign(new Error(known?.message ?? id), { apiId: id, canRetry: known?.canRetry ?? false })
}

/** The names in the protocol of what brokers answered. */
export function answerIds(error: unknown): string[] {
  return [...unfold(error)].map((each) => String((each as { apiId?: unknown }).apiId ?? ''))
}

/** Whether the brokers found a batch larger than they take. */
export function isTooLarge(error: unknown): boolean {
  return answerIds(error).some((id) => id === 'MESSAGE_TOO_LARGE' || id === 'RECORD_LIST_TOO_LARGE')
}

/** An error, the errors that it collects and the errors behind them, from the outside to the inside. */
function* unfold(error: unknown): Generator<Error> {
  if (!(error instanceof Error)) return
  yield error
  if (error instanceof MultipleErrors || error instanceof AggregateError)
    for (const each of error.errors) yield* unfold(each)
  yield* unfold(error.cause)
}

function final(sentence: (where: Where) => string) {
  return { passing: false, sentence }
}

function passing(sentence: (where: Where) => string) {
  return { passing: true, sentence }
}
