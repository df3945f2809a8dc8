export { Assembler } from './assembler.ts'
export { decodeHostMessage, decodeJetMessage } from './decode.ts'
export { encodeHostMessage, encodeJetMessage } from './encode.ts'
export type { FormTranslator, SentBatch } from './forms/form.ts'
export type { JetOptions, Runner } from './host/options.ts'
export { SharedStateTable, type Waiting, type WaitsFor } from './host/shared-state.ts'
export { startJet } from './host/start.ts'
export {
  type Emissions,
  type Jet,
  type JetBatch,
  JetDeath,
  type JetDeathCause,
  type JetUsage,
  ModelFailure,
  type SharedStateStore,
  type SlotEmissions,
} from './jet.ts'
export type {
  Answer,
  Ask,
  Attach,
  Form,
  Hello,
  HostMessage,
  JetMessage,
  JetReject,
  Load,
  Loaded,
  ModelSlot,
  Partials,
  ScoreBatch,
  Scored,
  SharedState,
  SlotStream,
  StepSeconds,
  Watch,
} from './messages.ts'
export { END_OF_SET, hostKinds, jetKinds, MAXIMUM_MESSAGE, NO_FRAME, PROTOCOL } from './messages.ts'
export { ProtocolError } from './shape.ts'
export { FieldWatches } from './slot/field-watches.ts'
export { compileInput, type Input, type InputBatch } from './slot/input.ts'
export { compileOutput, type Output, type OutputBatch, type OutputOptions } from './slot/output.ts'
