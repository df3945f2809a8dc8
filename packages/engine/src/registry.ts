// What the engine asks of Model Manage. Found through Connect; nothing is asked for that the job does not need.

export interface Registry {
  /** Avro JSON of a stored schema; undefined when there is none. */
  schema(name: string): Promise<unknown>
  /** A stored stream descriptor, as JSON; undefined when there is none. */
  stream(name: string): Promise<unknown>
  /** The bytes of an attachment as they come, with its content type; rejects with the reason when it cannot be had. */
  attachment(
    model: string,
    name: string,
  ): Promise<{ readonly type: string; readonly chunks: AsyncIterable<Uint8Array> }>
  /** Stores what a model's cells and pools hold, as text; gives the id of the snapshot. */
  storeSnapshot(model: string, contents: Uint8Array): Promise<string>
  /** What is stored for sensors, as JSON: a descriptor, or a profile to be a reference; undefined when there is none. */
  sensor(name: string): Promise<unknown>
  /** Stores it, or a new version of it. Rejects with the reason when it cannot be. */
  storeSensor(name: string, document: unknown): Promise<void>
}
