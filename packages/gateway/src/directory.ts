// Which address an instance has: its name comes in, what Connect knows of it goes out.
import { didYouMean, failure } from '@pitot/api'
import { askPeer } from '@pitot/service'

export interface Instance {
  readonly name: string
  readonly url: URL
}

export interface FleetEntry {
  readonly name: string
  readonly api: string
  readonly host: string
  readonly port: number
  readonly health: string
  readonly release: string | null
  readonly reason: string | null
  readonly scheme?: 'http' | 'https'
}

export interface DirectoryOptions {
  readonly connect: URL
  readonly token?: string | undefined
  /** How instances are called whose entry does not say. */
  readonly scheme: 'http' | 'https'
}

/** For this long an answer of Connect is good enough. */
const keepFor = 1000
const timeout = 5000

export class Directory {
  readonly #options: DirectoryOptions
  #entries: { readonly until: number; readonly list: Promise<readonly FleetEntry[]> } | undefined

  constructor(options: DirectoryOptions) {
    this.#options = options
  }

  /** Throws `instance-not-found`, or `instance-down` when it is Connect that does not answer. */
  async find(name: string): Promise<Instance> {
    if (name === 'connect') return { name, url: this.#options.connect }
    const entries = await this.entries()
    const entry = entries.find((candidate) => candidate.name === name)
    if (entry !== undefined) {
      const host = entry.host.includes(':') ? `[${entry.host}]` : entry.host
      return { name, url: new URL(`${entry.scheme ?? this.#options.scheme}://${host}:${entry.port}`) }
    }
    const known = ['connect', ...entries.map((candidate) => candidate.name)]
    throw failure('instance-not-found', { name, near: didYouMean(name, known), known: known.join(', ') })
  }

  /** The fleet as Connect sees it; nobody but Connect while it is not configured. */
  entries(): Promise<readonly FleetEntry[]> {
    if (this.#entries === undefined || this.#entries.until < Date.now()) {
      const list = this.#ask()
      this.#entries = { until: Date.now() + keepFor, list }
      // A failure is told to those who wait for it, and not kept.
      list.catch(() => {
        this.#entries = undefined
      })
    }
    return this.#entries.list
  }

  async #ask(): Promise<readonly FleetEntry[]> {
    const { connect, token } = this.#options
    const url = new URL('/1/connect?return=name,api,host,port,health,release,reason,scheme', connect)
    const headers = {
      accept: 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const down = (reason: string) => failure('instance-down', { name: 'connect', address: connect.host, reason })
    const answer = await askPeer(url, { timeout, headers }).catch((error: Error) => {
      throw down(error.message)
    })
    const body = jsonOf(answer.body)
    if (answer.status === 200 && Array.isArray(body)) return body as FleetEntry[]
    const { code, detail } = (body ?? {}) as { code?: unknown; detail?: unknown }
    if (code === 'connect-not-configured') return []
    throw down(`status ${answer.status}: ${detail ?? answer.body.toString().slice(0, 200)}`)
  }
}

/** Undefined for what is no JSON. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
