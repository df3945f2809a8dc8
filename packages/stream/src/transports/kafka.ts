// The kafka transport: messages of a topic, in and out; one message is one record.
import type { Transport } from '../transport.ts'
import { checkKafka, type KafkaOptions, kafkaFields } from './kafka/options.ts'

export const kafka: Transport<KafkaOptions> = {
  type: 'kafka',
  fields: kafkaFields,
  preservesBoundaries: () => true,
  seekable: 'records',
  check: checkKafka,
  // The client library takes half a second and fifty megabytes to load: only those who use it pay for it.
  open: async (options, context) => (await import('./kafka/source.ts')).KafkaSource.open(options, context),
  create: async (options, context) => (await import('./kafka/sink.ts')).KafkaSink.create(options, context),
}
