// Counts the answers of one operation: status and time come in, its metrics are kept.
import type { Counter, Histogram, Metrics } from './metrics.ts'

export class Meter {
  readonly #metrics: Metrics
  readonly #operation: string
  /** By status; looked up once per answer, so without making a key for it. */
  readonly #counts: Counter[] = []
  readonly #time: Histogram

  constructor(metrics: Metrics, operation: string) {
    this.#metrics = metrics
    this.#operation = operation
    this.#time = metrics.histogram('pitot_request_seconds', 'Time to answer a request.', { operation })
  }

  count(status: number, milliseconds: number): void {
    this.#counts[status] ??= this.#counter(status)
    this.#counts[status].add()
    this.#time.observe(milliseconds / 1000)
  }

  #counter(status: number): Counter {
    const labels = { operation: this.#operation, status }
    return this.#metrics.counter('pitot_requests_total', 'Requests answered.', labels)
  }
}
