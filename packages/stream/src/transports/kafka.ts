// The kafka transport: messages of a topic, in and out; one message is one record.
import type { Transport } from '../transport.ts'
import { checkKafka, type KafkaOptions, kafkaFields } from './kafka/options.ts'
import { KafkaSink } from './kafka/sink.ts'
import { KafkaSource } from './kafka/source.ts'

export const kafka: Transport<KafkaOptions> = {
  type: 'kafka',
  fields: kafkaFields,
  preservesBoundaries: () => true,
  seekable: 'records',
  check: checkKafka,
  open: (options, context) => KafkaSource.open(options, context),
  create: (options, context) => KafkaSink.create(options, context),
}
