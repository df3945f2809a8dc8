// What a runner written in TypeScript needs of this package: messages, and slots. Nothing of the host, which would be code
// that a jet has to load and is not permitted to run.
export { decodeHostMessage } from './decode.ts'
export { encodeJetMessage } from './encode.ts'
export type {
  Answer,
  Ask,
  Attach,
  HostMessage,
  JetMessage,
  JetReject,
  Load,
  Loaded,
  ModelSlot,
  ScoreBatch,
  Scored,
  SharedState,
  Watch,
} from './messages.ts'
export { END_OF_SET, hostKinds, MAXIMUM_MESSAGE, NO_FRAME } from './messages.ts'
export { ProtocolError } from './shape.ts'
export { FieldWatches, type See } from './slot/field-watches.ts'
export { compileInput, type Input } from './slot/input.ts'
export { compileOutput, type Output } from './slot/output.ts'
