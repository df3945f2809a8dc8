// What happens in a job becomes notifications: events come in at any rate, notices go out at one that listeners can bear.
import { logLevelNumbers, type Notice } from '@pitot/api'
import { type Clock, RateLimit, systemClock } from '@pitot/service'
import type { JetReport, RejectedRecord } from '../job/control.ts'
import type { JobEvent } from '../job/environment.ts'

export interface JobNoticesOptions {
  readonly send: (notice: Notice) => void
  readonly jets: () => readonly JetReport[]
  readonly clock?: Clock
}

/** Milliseconds in which so much is let through; what is more is counted. */
const INTERVAL = 250
const MOST_LINES = 100
const MOST_CHARACTERS = 64 * 1024
const MOST_RECORDS = 50
/** Milliseconds between two reports of the jets. */
const JETS_INTERVAL = 5000

export class JobNotices {
  readonly #options: JobNoticesOptions
  readonly #console: RateLimit<string>
  /** By the name of the model. */
  readonly #outputs: RateLimit<{ readonly model: string; readonly text: string }>
  readonly #rejected: RateLimit<RejectedRecord>
  readonly #clock: Clock
  #cancelJets: (() => void) | undefined

  constructor(options: JobNoticesOptions) {
    this.#options = options
    const { clock = systemClock, send } = options
    this.#clock = clock
    const limit = { interval: INTERVAL, mostSize: MOST_CHARACTERS, clock }
    this.#console = new RateLimit({
      ...limit,
      most: MOST_LINES,
      size: (text) => text.length,
      send: (texts, skipped) => send({ type: 'model-console', text: texts.join(''), ...(skipped > 0 && { skipped }) }),
    })
    this.#outputs = new RateLimit({
      ...limit,
      most: MOST_RECORDS,
      size: ({ text }) => text.length,
      send: (items, skipped) =>
        send({
          type: 'output-report',
          model: items.at(-1)?.model ?? '',
          outputs: items.map(({ text }) => text),
          skipped,
        }),
    })
    this.#rejected = new RateLimit({
      ...limit,
      most: MOST_RECORDS,
      size: ({ bytes }) => bytes.length,
      send: (records, skipped) => this.#sendRejected(records, skipped),
    })
  }

  take(event: JobEvent): void {
    const { send } = this.#options
    switch (event.kind) {
      case 'console':
        this.#console.add(event.text)
        break
      case 'output':
        for (const record of event.records) this.#outputs.add({ model: event.model, text: textOf(record) })
        break
      case 'rejected':
        this.#rejected.add(event.record)
        break
      case 'state':
        send({ type: 'engine-state', state: event.state.toLowerCase() })
        if (event.state === 'ERROR')
          send({ type: 'log', level: logLevelNumbers.error, text: `the job stops: ${event.reason}` })
        if (event.state === 'RUNNING') this.#watchJets()
        break
      case 'output-eof':
        // Everything that was said before the end is heard before it.
        this.flush()
        send({ type: 'output-eof' })
        break
      case 'config': {
        const { kind: _, ...notice } = event
        send({ type: 'engine-config', ...notice })
      }
    }
  }

  flush(): void {
    for (const each of [this.#console, this.#outputs, this.#rejected]) each.flush()
  }

  close(): void {
    for (const each of [this.#console, this.#outputs, this.#rejected]) each.stop()
    this.#cancelJets?.()
  }

  /** As long as there are jets. */
  #watchJets(): void {
    this.#cancelJets?.()
    this.#cancelJets = this.#clock.at(this.#clock.now() + JETS_INTERVAL, () => {
      const jets = this.#options.jets()
      if (jets.length === 0) return
      this.#options.send({ type: 'jet-status-report', jets: jets.map((jet) => ({ ...jet })) })
      this.#watchJets()
    })
  }

  #sendRejected(records: readonly RejectedRecord[], skipped: number): void {
    const groups = Map.groupBy(records, ({ slot, step }) => `${slot % 2} ${step === 'envelope' ? 'encoding' : step}`)
    for (const [group, ofGroup] of groups) {
      const [side, reason] = group.split(' ') as [string, 'encoding' | 'schema' | 'model']
      this.#options.send({
        type: 'rejected-data-report',
        stream: side === '0' ? 'input' : 'output',
        reason,
        records: ofGroup.map(({ bytes }) => textOf(bytes)),
        skipped,
      })
    }
    for (const record of records) if (record.step === 'model') this.#sendModelError(record)
  }

  #sendModelError({ slot, reason, trace, bytes, position }: RejectedRecord): void {
    const input = { slot, seqno: numberOf(position), data: textOf(bytes), batch_len: 1, encoding: 'json' }
    this.#options.send({ type: 'model-error', input, console: trace ?? reason })
  }
}

function numberOf(position: unknown): number {
  const { record } = (position ?? {}) as { record?: unknown }
  return typeof record === 'number' ? record : 0
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
}
