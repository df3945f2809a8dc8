// What the tests of Connect stand on: folders, little servers in the place of fleet members, a Connect to call.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog, ownCertificate } from '@pitot/service'
import { onTestFinished } from 'vitest'
import { type ConnectOptions, type RunningConnect, startConnect } from '../src/index.ts'

export const quiet = createLog({ level: 'silent', format: 'json' })

/** Gone when the test has finished. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pitot-connect-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

let certificate: ReturnType<typeof ownCertificate> | undefined

export async function startedConnect(more: Partial<ConnectOptions> = {}): Promise<RunningConnect> {
  certificate ??= temporaryFolder().then((folder) => ownCertificate(folder))
  const connect = await startConnect({
    host: '127.0.0.1',
    port: 0,
    certificate: await certificate,
    tlsRequired: false,
    allowHosts: [],
    allowOrigins: [],
    maxDocument: 64 * 2 ** 20,
    log: quiet,
    data: more.data ?? (await temporaryFolder()),
    pollInterval: 20,
    pollTimeout: 1000,
    ...more,
  })
  onTestFinished(() => connect.stop())
  return connect
}

export interface Member {
  readonly port: number
  /** How often it has been called. */
  readonly calls: () => number
  stop(): Promise<void>
}

/** A server in the place of a fleet member; on the same port again when one is given. */
export async function startedMember(answer: RequestListener, port = 0): Promise<Member> {
  let calls = 0
  const server = createServer((request, response) => {
    calls++
    answer(request, response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const stop = () => closed(server)
  onTestFinished(stop)
  return { port: (server.address() as AddressInfo).port, calls: () => calls, stop }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

export function healthy(record: object = { id: 'an-id', release: '1.3', built_on: 'today' }): RequestListener {
  return (request, response) => {
    response.statusCode = request.url === '/1/health' ? 200 : 404
    response.end(JSON.stringify(record))
  }
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const member = await startedMember(() => undefined)
  await member.stop()
  return member.port
}

/** Asks until the answer is good, however long it takes within reason. */
export async function until<Value>(
  ask: () => Value | Promise<Value>,
  good: (value: Value) => boolean,
  what: string,
): Promise<Value> {
  const deadline = Date.now() + 15_000
  for (;;) {
    const value = await ask()
    if (good(value)) return value
    if (Date.now() > deadline) throw new Error(`${what}: still ${JSON.stringify(value)}`)
    await sleep(10)
  }
}
