export {
  type Chunk,
  type MessageDetails,
  type Position,
  type RestQueues,
  type Sink,
  type Source,
  type StreamContext,
  StreamFailure,
  type Transport,
  type TransportField,
} from './transport.ts'
