export { splitBlocks } from './blocks.ts'
export type { Compress, CompressionName, Compressors, Decompress, Decompressors } from './compression.ts'
export {
  type Control,
  type ControlKind,
  controlReader,
  controlSign,
  type ReadControl,
  writeControl,
} from './control.ts'
export type { Decoder, DecoderHalves, Encoded, EncodeReject, Encoder, Encoding } from './encoding.ts'
export { type CsvOptions, csvHeader } from './encodings/csv.ts'
export type { JsonOptions } from './encodings/json.ts'
export { type EncodingName, encodings } from './encodings.ts'
export { endMarkerTest } from './end-marker.ts'
export {
  type Envelope,
  type EnvelopeContext,
  MAXIMUM_FRAME,
  type Unwrapped,
  type Unwrapper,
  type Wrapper,
} from './envelope.ts'
export type { DelimitedOptions } from './envelopes/delimited.ts'
export type { DelimitedCsvOptions } from './envelopes/delimited-csv.ts'
export type { FixedOptions } from './envelopes/fixed.ts'
export type { OcfBlockOptions } from './envelopes/ocf-block.ts'
export { type EnvelopeName, envelopes } from './envelopes.ts'
export { bytesOf, copyOf, countFrames, countRecords, type Frames, frameAt, wholeFrame } from './frames.ts'
export { snappyDecompress } from './ocf/snappy.ts'
export { snappyCompress } from './ocf/snappy-compress.ts'
export type { Reject, RejectStep } from './reject.ts'
export { indexOfByte } from './search.ts'
export { type Cut, SelfDelimitedUnwrapper } from './self-delimited.ts'
export { encodeTexts, FrameText } from './text.ts'
