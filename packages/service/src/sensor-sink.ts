// Sinks of sensors that are no notifications: reports come in, are written one after the other, and never pile up.

export interface SensorSink {
  /** One JSON object. Called again only when the last call has resolved. */
  write(report: object): Promise<void>
  close(): Promise<void>
}

/** A sink from what stands in `Sink` of a descriptor; rejects with a sentence when it is not right. */
export type OpenSink = (descriptor: Readonly<Record<string, unknown>>) => Promise<SensorSink>

const mostWaiting = 1000

export class ReportQueue {
  readonly #sink: SensorSink
  readonly #trouble: (error: unknown) => void
  #waiting: object[] = []
  #writing: Promise<void> | undefined
  /** Reports that found no room. */
  dropped = 0

  constructor(sink: SensorSink, trouble: (error: unknown) => void) {
    this.#sink = sink
    this.#trouble = trouble
  }

  add(report: object): void {
    if (this.#waiting.length >= mostWaiting) {
      this.dropped++
      return
    }
    this.#waiting.push(report)
    this.#writing ??= this.#writeAll()
  }

  /** Writes what waits, then closes the sink. */
  async close(): Promise<void> {
    await this.#writing
    await this.#sink.close().catch(this.#trouble)
  }

  async #writeAll(): Promise<void> {
    for (let report = this.#waiting.shift(); report !== undefined; report = this.#waiting.shift())
      await this.#sink.write(report).catch(this.#trouble)
    this.#writing = undefined
  }
}
