// Who may call: host, origin and token of a request come in, nothing or the error to answer with goes out.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { failure, type PitotError } from '@pitot/api'

export interface GuardOptions {
  /** The address the service listens on. */
  readonly host: string
  readonly token?: string | undefined
  readonly tlsRequired: boolean
  /** Host names to answer to besides the service's own; `*` means any. */
  readonly allowHosts: readonly string[]
  /** Origins whose pages may call, such as `https://dash.example.org`. */
  readonly allowOrigins: readonly string[]
}

export type Guard = (request: IncomingMessage) => PitotError | undefined

/** Open to everybody: whether a service lives is no secret, and orchestrators ask without credentials. */
const openPath = '/1/health'

/** Pages that a person may reach by a link on another site. */
const pagePath = /^\/(\?.*)?$/

export function createGuard(options: GuardOptions): Guard {
  const hosts = new Set(['localhost', hostname().toLowerCase(), bare(options.host), ...options.allowHosts.map(bare)])
  const anyHost = hosts.has('*')
  const loopback = isLoopback(options.host)
  const origins = new Set(options.allowOrigins.map((origin) => origin.toLowerCase()))
  const token = options.token === undefined ? undefined : digest(options.token)
  /** Callers keep using one name: the last one that was allowed needs no second look. */
  let lastAllowed = ''

  function hostAllowed(host: string): boolean {
    if (anyHost || hosts.has(host)) return true
    // A rebound name is never an address literal. Off loopback, any address of this machine may be the one called.
    return isIP(host) !== 0 && (!loopback || isLoopback(host))
  }

  return (request) => {
    const { headers } = request
    const url = request.url ?? ''
    if (options.tlsRequired && !('encrypted' in request.socket)) return failure('tls-required', {})
    const authority = headers.host
    if (authority === undefined || authority === '') return failure('bad-request', { reason: 'it has no Host header' })
    if (authority !== lastAllowed) {
      const host = bare(authority)
      if (!hostAllowed(host)) return failure('host-refused', { host })
      lastAllowed = authority
    }
    const origin = headers.origin?.toLowerCase()
    if (origin !== undefined) {
      const own = origin === `http://${authority.toLowerCase()}` || origin === `https://${authority.toLowerCase()}`
      if (!own && !origins.has(origin)) return failure('origin-refused', { origin: headers.origin! })
    } else if (fromAnotherSite(headers['sec-fetch-site']) && !isPageVisit(request, url)) {
      // Browsers leave Origin out of plain GETs, of images for example; they still say that another site asks.
      return failure('origin-refused', { origin: 'another site' })
    }
    if (token === undefined || url === openPath) return undefined
    const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
    const challenge = { 'www-authenticate': 'Bearer' }
    if (given === undefined) return failure('token-needed', {}, challenge)
    return timingSafeEqual(digest(given), token) ? undefined : failure('token-wrong', {}, challenge)
  }
}

function fromAnotherSite(site: string | string[] | undefined): boolean {
  return site === 'cross-site' || site === 'same-site'
}

function isPageVisit(request: IncomingMessage, url: string): boolean {
  return request.method === 'GET' && request.headers['sec-fetch-mode'] === 'navigate' && pagePath.test(url)
}

/** Hashed first, so that the comparison takes the same time for tokens of any length. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** `[::1]:8000` -> `::1`, `LocalHost:8000` -> `localhost`. */
function bare(authority: string): string {
  const lower = authority.toLowerCase()
  if (isIP(lower) !== 0) return lower
  const bracketed = /^\[([^\]]*)\](:\d+)?$/.exec(lower)
  return bracketed?.[1] ?? lower.replace(/:\d+$/, '').replace(/\.$/, '')
}

export function isLoopback(host: string): boolean {
  const name = bare(host)
  return name === 'localhost' || name === '::1' || name === '::ffff:127.0.0.1' || /^127\.\d+\.\d+\.\d+$/.test(name)
}
