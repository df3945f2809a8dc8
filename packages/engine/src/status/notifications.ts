// What happens in a job, as notifications: events come in as fast as they happen, notices go out as fast as they can be read.
import { logLevelNumbers, type Notice } from '@pitot/api'
import { type Clock, RateLimit } from '@pitot/service'
import type { RejectedRecord } from '../job/control.ts'
import type { JobEvent } from '../job/environment.ts'
import { recordText } from './record-text.ts'

interface Output {
  readonly model: string
  readonly record: Uint8Array
}

/** Of each kind, in each interval: enough to follow, not enough to drown in. */
const limits = { most: 100, mostSize: 64 * 1024, interval: 250 }

export class JobNotices {
  readonly #send: (notice: Notice) => void
  readonly #console: RateLimit<string>
  readonly #outputs: RateLimit<Output>
  readonly #rejects: RateLimit<RejectedRecord>

  constructor(send: (notice: Notice) => void, clock?: Clock) {
    this.#send = send
    const limited = { ...limits, ...(clock && { clock }) }
    this.#console = new RateLimit({
      ...limited,
      size: (text) => text.length,
      send: (texts, skipped) => send({ type: 'model-console', text: texts.join(''), ...(skipped > 0 && { skipped }) }),
    })
    this.#outputs = new RateLimit({
      ...limited,
      size: ({ record }) => record.length,
      send: (outputs, skipped) => this.#reportOutputs(outputs, skipped),
    })
    this.#rejects = new RateLimit({
      ...limited,
      size: ({ bytes }) => bytes.length,
      send: (records, skipped) => this.#reportRejects(records, skipped),
    })
  }

  tell(event: JobEvent): void {
    switch (event.kind) {
      case 'console':
        this.#console.add(event.text)
        break
      case 'output':
        for (const record of event.records) this.#outputs.add({ model: event.model, record })
        break
      case 'rejected':
        this.#rejects.add(event.record)
        break
      case 'output-eof':
        this.#flush()
        this.#send({ type: 'output-eof' })
        break
      case 'state':
        this.#flush()
        this.#send({ type: 'engine-state', state: event.state.toLowerCase() })
        if (event.state === 'ERROR') this.#sendError(event.reason ?? 'no reason is known')
    }
  }

  #sendError(reason: string): void {
    this.#send({ type: 'log', level: logLevelNumbers.error, text: `the job stops: ${reason}` })
  }

  close(): void {
    for (const limit of [this.#console, this.#outputs, this.#rejects]) limit.stop()
  }

  /** Whoever waits for an event has seen everything that came before it. */
  #flush(): void {
    for (const limit of [this.#console, this.#outputs, this.#rejects]) limit.flush()
  }

  #reportOutputs(outputs: readonly Output[], skipped: number): void {
    const byModel = Map.groupBy(outputs, ({ model }) => model)
    // Skipped ones are counted once, with whatever is told first.
    let untold = skipped
    for (const [model, given] of byModel) {
      const texts = given.map(({ record }) => recordText(record).text)
      this.#send({ type: 'output-report', model, outputs: texts, skipped: untold })
      untold = 0
    }
  }

  #reportRejects(records: readonly RejectedRecord[], skipped: number): void {
    const alike = Map.groupBy(records, ({ slot, step }) => `${slot % 2 === 0 ? 'input' : 'output'} ${reasonOf(step)}`)
    let untold = skipped
    for (const given of alike.values()) {
      const { slot, step } = given[0]!
      this.#send({
        type: 'rejected-data-report',
        stream: slot % 2 === 0 ? 'input' : 'output',
        reason: reasonOf(step),
        records: given.map(({ bytes }) => recordText(bytes).text),
        skipped: untold,
      })
      untold = 0
    }
  }
}

/** A frame that cannot be cut cannot be decoded either: listeners know three reasons. */
function reasonOf(step: RejectedRecord['step']): 'schema' | 'encoding' | 'model' {
  return step === 'envelope' ? 'encoding' : step
}
