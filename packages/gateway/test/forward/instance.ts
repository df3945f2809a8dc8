// The instance behind the gateway: where it is called, and one that remembers how it was.
import type { IncomingMessage } from 'node:http'
import { bodyOf, gatewayBefore } from '../surroundings.ts'

export const base = '/api/1/service/engine-1'

export interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly raw: readonly string[]
  readonly body: string
}

/** An instance that answers `ok` and remembers what it was asked. */
export async function remembering() {
  const seen: Seen[] = []
  const all = await gatewayBefore(async (message, response) => {
    const body = (await bodyOf(message)).toString()
    seen.push({ method: message.method, url: message.url, headers: message.headers, raw: message.rawHeaders, body })
    response.end('ok')
  })
  return { ...all, seen }
}
