// Trials in a folder of their own, with a registry in memory, and a look at what they leave behind.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JobEvent } from '../../src/job/environment.ts'
import type { JetSettings } from '../../src/options.ts'
import type { Registry } from '../../src/registry.ts'
import { type TrialLimits, trialLimits } from '../../src/trial/bounds.ts'
import { Trials } from '../../src/trial/trials.ts'

export interface Trying extends AsyncDisposable {
  readonly trials: Trials
  readonly folder: string
  readonly events: JobEvent[]
  readonly snapshots: string[]
  /** Answers with the report; rejects with what is refused. */
  run(body: unknown, signal?: AbortSignal): Promise<string>
}

export function trying(settings: Partial<JetSettings> = {}, limits: Partial<TrialLimits> = {}): Trying {
  const folder = mkdtempSync(join(tmpdir(), 'pitot-trial-'))
  const models = join(folder, 'models')
  mkdirSync(models)
  const [events, snapshots]: [JobEvent[], string[]] = [[], []]
  const stored = { three: debugInput(['1', '2', '3']) }
  const registry: Registry = {
    schema: async (name) => (name === 'whole' ? 'int' : undefined),
    stream: async (name) => (Object.hasOwn(stored, name) ? stored[name as keyof typeof stored] : undefined),
    attachment: () => Promise.reject(new Error('there is no Model Manage')),
    sensor: async () => undefined,
    storeSensor: async () => undefined,
    storeSnapshot: async (model) => String(snapshots.push(model)),
  }
  const jets = { memory: 2 ** 30, timeout: 20, network: false, isolation: 'auto', ...settings } as const
  const environment = {
    options: { data: folder, fileRoot: undefined, allowExec: [], stateMemory: 2 ** 20, jets },
    registry,
    log: () => undefined,
    tell: (event: JobEvent) => void events.push(event),
  }
  const trials = new Trials(environment, { ...trialLimits, ...limits })
  return {
    trials,
    folder,
    events,
    snapshots,
    run: (body, signal = new AbortController().signal) =>
      trials.run(inPieces(body), { folder: models, registry }, signal),
    async [Symbol.asyncDispose]() {
      await trials.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function* inPieces(body: unknown): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  yield bytes.subarray(0, 10)
  yield bytes.subarray(10)
}

export function debugInput(records: readonly string[], more: object = {}): object {
  return { Transport: { Type: 'debug', Data: records }, Encoding: 'json', ...more }
}

/** What is on the disk of jets and models, and which processes were started for a folder. */
export function leftOf(folder: string): { readonly files: string[]; readonly processes: string[] } {
  const files = ['jets', 'models'].flatMap((name) => entriesOf(join(folder, name)))
  const processes = entriesOf('/proc').filter((entry) => /^\d+$/.test(entry) && commandOf(entry).includes(folder))
  return { files, processes }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function commandOf(process: string): string {
  try {
    return readFileSync(`/proc/${process}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
