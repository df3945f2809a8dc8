export { decoderOf, encoderOf, encodingOptions, resolveSchema, type SchemaLookup } from './codecs.ts'
export { collectThoroughly, countMoved } from './collect.ts'
export type { Batching, Delivery, Descriptor, Direction, OnError } from './descriptor/descriptor.ts'
export { printDescriptor } from './descriptor/print.ts'
export { DescriptorError, type Remark } from './descriptor/problems.ts'
export { type ReadDescriptor, readDescriptor } from './descriptor/read.ts'
export type { Field, Fields } from './field.ts'
export {
  type ControlPiece,
  type FramesPiece,
  type InputOptions,
  type InputPiece,
  InputStream,
  type RejectsPiece,
} from './input-stream.ts'
export { type OutputOptions, OutputStream } from './output-stream.ts'
export { rateStream, readFrames, type StreamRate, sampleStream } from './probes.ts'
export { type StepTime, StreamStatistics } from './statistics.ts'
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
export { DebugBuffer } from './transports/debug.ts'
export { BodyRefused, RestInput } from './transports/rest/input.ts'
export { type Backlog, RestOutput, type Taken, type TakeOptions } from './transports/rest/output.ts'
export type { Unread } from './transports/rest/unread.ts'
export type { RestMode } from './transports/rest.ts'
export { transports } from './transports.ts'
export { cutWhole, wrapWhole } from './whole.ts'
