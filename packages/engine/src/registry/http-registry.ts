// Model Manage over HTTP: names come in; schemas, streams, sensors and attachments go out, snapshots and profiles are stored.
import { failure, type PitotError } from '@pitot/api'
import { askPeer } from '@pitot/service'
import type { Registry } from '../registry.ts'
import { exchange } from './exchange.ts'
import { ModelManageFinder, type RegistryOptions } from './model-manage-finder.ts'

const timeout = 10_000
/** Attachments are large, and the disk that they are written to may be busy. */
const longestPause = 60_000
const longestSentence = 4096

export class HttpRegistry implements Registry {
  readonly #finder: ModelManageFinder
  readonly #headers: Readonly<Record<string, string>>

  constructor(options: RegistryOptions) {
    this.#finder = new ModelManageFinder(options)
    this.#headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }
  }

  schema(name: string): Promise<unknown> {
    return this.#document('schema', name)
  }

  stream(name: string): Promise<unknown> {
    return this.#document('stream', name)
  }

  async attachment(model: string, name: string): ReturnType<Registry['attachment']> {
    const what = `attachment '${name}' of model '${model}'`
    const path = `/1/model/${segment(model)}/attachment/${segment(name)}`
    const request = { method: 'GET', headers: this.#headers, timeout: longestPause } as const
    const answer = await this.#reach(what, path, (url) => exchange(url, request))
    if (answer.status === 200) return answer
    throw new Error(await sentenceOf(answer.chunks, answer.status))
  }

  async storeSnapshot(model: string, contents: Uint8Array): Promise<string> {
    const what = `a snapshot of model '${model}'`
    const headers = { ...this.#headers, 'content-type': 'application/octet-stream' }
    const request = { method: 'POST', headers, body: contents, timeout } as const
    const answer = await this.#reach(what, `/1/model/${segment(model)}/snapshot`, (url) => exchange(url, request))
    const text = await sentenceOf(answer.chunks, answer.status)
    if (answer.status !== 201) throw new Error(`${what} was not stored: ${text}`)
    return (JSON.parse(text) as { id: string }).id
  }

  sensor(name: string): Promise<unknown> {
    return this.#document('sensor', name)
  }

  async storeSensor(name: string, document: unknown): Promise<void> {
    const what = `a place for '${name}' among the sensors`
    const headers = { ...this.#headers, 'content-type': 'application/json' }
    const body = Buffer.from(JSON.stringify(document))
    const request = { method: 'PUT', headers, body, timeout } as const
    const answer = await this.#reach(what, `/1/sensor/${segment(name)}`, (url) => exchange(url, request))
    const text = await sentenceOf(answer.chunks, answer.status)
    if (answer.status !== 201 && answer.status !== 204) throw unavailable(what, `it answers: ${text}`)
  }

  async #document(kind: 'schema' | 'stream' | 'sensor', name: string): Promise<unknown> {
    const what = `${kind} '${name}'`
    const request = { headers: this.#headers, timeout }
    const answer = await this.#reach(what, `/1/${kind}/${segment(name)}`, (url) => askPeer(url, request))
    if (answer.status === 200) return JSON.parse(answer.body.toString())
    // A name that cannot be one is not there either.
    if (answer.status === 404 || answer.status === 400) return undefined
    throw unavailable(
      what,
      `it answers with status ${answer.status}: ${answer.body.toString().slice(0, longestSentence)}`,
    )
  }

  async #reach<Answer>(what: string, path: string, ask: (url: URL) => Promise<Answer>): Promise<Answer> {
    const base = await this.#finder.find().catch((error: Error) => {
      throw unavailable(what, error.message)
    })
    try {
      return await ask(new URL(path, base))
    } catch (error) {
      this.#finder.forget()
      throw unavailable(what, `${base.host} does not answer: ${(error as Error).message}`)
    }
  }
}

function unavailable(what: string, reason: string): PitotError {
  return failure('registry-unavailable', { what, reason })
}

/** URLs take `.` and `..` for steps, even percent-encoded; no asset has such a name. */
function segment(name: string): string {
  return name === '.' || name === '..' ? '%00' : encodeURIComponent(name.toWellFormed())
}

async function sentenceOf(chunks: AsyncIterable<Uint8Array>, status: number): Promise<string> {
  const kept: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    kept.push(chunk)
    size += chunk.length
    if (size > longestSentence) break
  }
  const text = Buffer.concat(kept).toString().slice(0, longestSentence).trim()
  return text === '' ? `status ${status}` : text
}
