// What happens in a job, as notifications: events come in as fast as they happen, notices go out as fast as they can be read.
import { logLevelNumbers, type Notice } from '@pitot/api'
import { type Clock, RateLimit, systemClock } from '@pitot/service'
import type { JetReport, RejectedRecord } from '../job/control.ts'
import type { JobEvent } from '../job/environment.ts'
import { recordText } from './record-text.ts'

interface Output {
  readonly model: string
  readonly record: Uint8Array
}

/** Of each kind, in each interval: enough to follow, not enough to drown in. */
const limits = { most: 100, mostSize: 64 * 1024, interval: 250 }

/** Milliseconds between two reports of the jets. */
const jetsInterval = 5000

export interface JobNoticesOptions {
  readonly send: (notice: Notice) => void
  /** The jets as they are now. */
  readonly jets: () => readonly JetReport[]
  readonly clock?: Clock
}

export class JobNotices {
  readonly #send: (notice: Notice) => void
  readonly #console: RateLimit<string>
  readonly #outputs: RateLimit<Output>
  readonly #rejects: RateLimit<RejectedRecord>

  readonly #jets: () => readonly JetReport[]
  readonly #clock: Clock
  #cancelJets: (() => void) | undefined

  constructor({ send, jets, clock = systemClock }: JobNoticesOptions) {
    this.#send = send
    this.#jets = jets
    this.#clock = clock
    const limited = { ...limits, clock }
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
        if (event.state === 'RUNNING') this.#watchJets()
        break
      case 'config': {
        const { kind: _, ...config } = event
        this.#send({ type: 'engine-config', ...config })
      }
    }
  }

  #sendError(reason: string): void {
    this.#send({ type: 'log', level: logLevelNumbers.error, text: `the job stops: ${reason}` })
  }

  close(): void {
    for (const limit of [this.#console, this.#outputs, this.#rejects]) limit.stop()
    this.#cancelJets?.()
  }

  /** Reports them from time to time, as long as there are any. */
  #watchJets(): void {
    this.#cancelJets?.()
    this.#cancelJets = this.#clock.at(this.#clock.now() + jetsInterval, () => {
      const jets = this.#jets()
      if (jets.length === 0) return
      this.#send({ type: 'jet-status-report', jets: jets.map((jet) => ({ ...jet })) })
      this.#watchJets()
    })
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
    for (const record of records) if (record.step === 'model') this.#reportError(record)
  }

  #reportError({ slot, reason, trace, bytes, position }: RejectedRecord): void {
    const { record } = (position ?? {}) as { record?: unknown }
    const seqno = typeof record === 'number' ? record : 0
    const { text, isBase64 } = recordText(bytes)
    const input = { slot, seqno, data: text, batch_len: 1, encoding: isBase64 ? 'base64' : 'utf-8' }
    this.#send({ type: 'model-error', input, console: trace ?? reason })
  }
}

/** A frame that cannot be cut cannot be decoded either: listeners know three reasons. */
function reasonOf(step: RejectedRecord['step']): 'schema' | 'encoding' | 'model' {
  return step === 'envelope' ? 'encoding' : step
}
