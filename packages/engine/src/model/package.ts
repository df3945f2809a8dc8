// A model as it was sent: its source, its attachments and the schemas that came with it.

export interface Attachment {
  /** Name as it was given, such as `library.tar.gz`. */
  readonly name: string
  readonly type: 'zip' | 'gzip'
  /** Where its bytes are kept until the model goes. */
  readonly file: string
  readonly size: number
}

export interface ModelPackage {
  /** `(unnamed)` when the sender gave none. */
  readonly name: string
  /** Short name, as in `modelLanguage`. */
  readonly language: string
  /** Content type as it came, to be kept with a job that is resumed. */
  readonly contentType: string
  readonly source: Uint8Array
  readonly attachments: readonly Attachment[]
  /** Avro JSON by name: these come before what Model Manage has. */
  readonly schemas: ReadonlyMap<string, unknown>
  /** Removes the kept files. */
  dispose(): Promise<void>
}
