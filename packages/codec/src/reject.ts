// What could not be made a record: which step refused it, where it stands, and why.

/** The step that refused: cutting the stream, decoding a frame, or the schema. */
export type RejectStep = 'envelope' | 'encoding' | 'schema'

export interface Reject {
  readonly step: RejectStep
  /** One sentence: what was found where something else was expected. */
  readonly reason: string
  /** Byte offset in the stream where the refused data begins. */
  readonly position: number
  /** The refused bytes, as far as they were kept. */
  readonly bytes: Uint8Array
  /** True when nothing after this can be read: the stream has to end. */
  readonly fatal: boolean
}
