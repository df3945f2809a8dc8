// Where Model Manage is: Connect is asked, the address of the first healthy one goes out.
import { askPeer } from '@pitot/service'

export interface RegistryOptions {
  /** Where Connect is; without it nothing can be found. */
  readonly connect?: URL | undefined
  /** The fleet's token, when it has one. */
  readonly token?: string | undefined
  /** How a service is called whose entry does not say. */
  readonly scheme: 'http' | 'https'
}

interface FleetEntry {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly health: string
  readonly reason?: string | null
  readonly scheme?: 'http' | 'https'
}

/** For this long an answer of Connect is good enough. */
const keepFor = 1000
const timeout = 5000

export class ModelManageFinder {
  readonly #options: RegistryOptions
  #found: { readonly until: number; readonly url: Promise<URL> } | undefined

  constructor(options: RegistryOptions) {
    this.#options = options
  }

  /** Rejects with the reason why there is none. */
  find(): Promise<URL> {
    if (this.#found === undefined || this.#found.until < Date.now()) {
      const found = { until: Date.now() + keepFor, url: this.#ask() }
      this.#found = found
      // A failure is told to those who wait for it, and not kept.
      found.url.catch(() => {
        if (this.#found === found) this.#found = undefined
      })
    }
    return this.#found.url
  }

  /** What was found does not answer: the next question goes to Connect again. */
  forget(): void {
    this.#found = undefined
  }

  async #ask(): Promise<URL> {
    const { connect, token, scheme: usual } = this.#options
    if (connect === undefined) throw new Error('the Engine was started without --connect')
    const entries = await readFleet(connect, token)
    if (entries.length === 0) throw new Error(`the configuration of Connect at ${connect.host} has no model-manage`)
    const healthy = entries.find(({ health }) => health === 'ok')
    if (healthy === undefined) {
      const states = entries.map(
        ({ name, host, port, reason }) => `${name} at ${host}:${port} is not healthy: ${reason}`,
      )
      throw new Error(states.join('; '))
    }
    const { host, port, scheme = usual } = healthy
    return new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`)
  }
}

async function readFleet(connect: URL, token: string | undefined): Promise<readonly FleetEntry[]> {
  const url = new URL('/1/connect?api=model-manage&return=name,host,port,scheme,health,reason', connect)
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await askPeer(url, { timeout, headers }).catch((error: Error) => {
    throw new Error(`Connect at ${connect.host} does not answer: ${error.message}`)
  })
  if (answer.status !== 200) throw new Error(`Connect at ${connect.host} says: ${answer.body.toString().slice(0, 500)}`)
  const entries = entriesIn(answer.body.toString())
  if (entries === undefined) throw new Error(`what answers at ${connect.host} is not Connect`)
  return entries
}

function entriesIn(text: string): readonly FleetEntry[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? (value as readonly FleetEntry[]) : undefined
  } catch {
    return undefined
  }
}
