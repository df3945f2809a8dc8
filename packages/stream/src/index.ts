export type { Batching, Delivery, Descriptor, Direction, OnError } from './descriptor/descriptor.ts'
export { printDescriptor } from './descriptor/print.ts'
export { DescriptorError, type Remark } from './descriptor/problems.ts'
export { type ReadDescriptor, readDescriptor } from './descriptor/read.ts'
export type { Field, Fields } from './field.ts'
export {
  type Chunk,
  type MessageDetails,
  type Position,
  type RestQueues,
  type Sink,
  type Source,
  type StreamContext,
  StreamFailure,
  type Transactions,
  type Transport,
} from './transport.ts'
