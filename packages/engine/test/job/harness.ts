// A job in a folder of its own, with a registry in memory, for tests that look at the job itself.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { JobState } from '../../src/job/control.ts'
import type { JobEnvironment, JobEvent } from '../../src/job/environment.ts'
import { Job } from '../../src/job/job.ts'
import type { ModelPackage } from '../../src/model/package.ts'
import type { JetSettings } from '../../src/options.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export interface Harness extends AsyncDisposable {
  readonly job: Job
  readonly folder: string
  readonly events: JobEvent[]
  readonly logged: string[]
  /** What the registry has: schemas and streams by name, snapshots as they are stored. */
  readonly stored: { schemas: Record<string, unknown>; streams: Record<string, unknown>; snapshots: unknown[] }
  state(state: JobState): Promise<void>
  /** What was written to the debug output, as text. */
  output(): string[]
  rejected(): (readonly [step: string, record: string])[]
}

export function harness(
  { stateMemory = 256 * 2 ** 20, ...settings }: Partial<JetSettings> & { stateMemory?: number } = {},
  more: Partial<JobEnvironment> = {},
): Harness {
  const folder = mkdtempSync(join(tmpdir(), 'pitot-job-'))
  const events: JobEvent[] = []
  const logged: string[] = []
  const stored: Harness['stored'] = { schemas: {}, streams: {}, snapshots: [] }
  const job = new Job({
    options: {
      data: folder,
      allowExec: [],
      stateMemory,
      jets: { memory: 2 ** 30, timeout: 20, network: false, isolation: 'auto', ...settings },
    },
    registry: {
      schema: async (name) => stored.schemas[name],
      stream: async (name) => stored.streams[name],
      attachment: async () => Promise.reject(new Error('there is no Model Manage')),
      sensor: async () => undefined,
      storeSensor: async () => undefined,
      storeSnapshot: async (_, contents) => String(stored.snapshots.push(JSON.parse(decoder.decode(contents)))),
    },
    log: (level, message) => logged.push(`${level}: ${message}`),
    tell: (event) => events.push(event),
    ...more,
  })
  return {
    job,
    folder,
    events,
    logged,
    stored,
    async state(state) {
      await vi.waitFor(
        () => {
          const report = job.report()
          if (report.state !== state) throw new Error(`${report.state}: ${report.reason ?? ''}\n${logged.join('\n')}`)
        },
        { timeout: 25_000, interval: 10 },
      )
    },
    output: () => job.debugOutput().map((record) => decoder.decode(record)),
    rejected: () => job.rejected({}).map(({ step, bytes }) => [step, decoder.decode(bytes)] as const),
    async [Symbol.asyncDispose]() {
      await job.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function modelOf(language: string, source: string | object, name = 'model'): ModelPackage {
  const text = typeof source === 'string' ? source : JSON.stringify(source)
  return {
    name,
    language,
    contentType: `application/vnd.pitot.model-${language}`,
    source: encoder.encode(text),
    attachments: [],
    schemas: new Map(),
    dispose: async () => undefined,
  }
}

/** A stream that holds these records. */
export function debugInput(records: readonly unknown[], more: object = {}): object {
  return {
    Transport: { Type: 'debug', Data: records.map((record) => JSON.stringify(record)) },
    Encoding: 'json',
    ...more,
  }
}

export const debugOutput = { Transport: 'debug', Encoding: 'json' }

export const square = { input: 'int', output: 'int', action: [{ '*': ['input', 'input'] }] }
