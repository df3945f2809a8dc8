// What the tests of the gateway stand on: servers in the place of Connect and of instances, and a gateway before them.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { type AddressInfo, connect as connectTo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog, ownCertificate, type RunningService } from '@pitot/service'
import { onTestFinished } from 'vitest'
import { type GatewayOptions, startGateway } from '../src/index.ts'

let certificate: ReturnType<typeof ownCertificate> | undefined

export function testCertificate(): ReturnType<typeof ownCertificate> {
  certificate ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pitot-gateway-'))
    try {
      return await ownCertificate(folder)
    } finally {
      await rm(folder, { recursive: true })
    }
  })()
  return certificate
}

export interface LittleServer {
  readonly server: Server
  readonly port: number
  readonly url: URL
  stop(): Promise<void>
}

/** Stopped, whatever it is doing, when the test has finished. */
export async function startedServer(listener: RequestListener, made?: Server): Promise<LittleServer> {
  const server = made ?? createServer(listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  onTestFinished(stop)
  const { port } = server.address() as AddressInfo
  return { server, port, url: new URL(`http://127.0.0.1:${port}`), stop }
}

export type Entry = Record<string, unknown> & { readonly name: string; readonly port: number }

/** Answers as Connect does with this fleet. */
export function connectWith(fleet: readonly Entry[], seen: string[] = []): RequestListener {
  return ({ url = '', method }, response) => {
    seen.push(`${method} ${url}`)
    if (!url.startsWith('/1/connect')) return void response.writeHead(200).end(`Connect was asked for ${url}`)
    const usual = { api: 'engine', host: '127.0.0.1', health: 'ok', release: '1.3', reason: null }
    return void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(fleet.map((entry) => ({ ...usual, ...entry }))))
  }
}

export async function startedGateway(connect: URL, more: Partial<GatewayOptions> = {}): Promise<RunningService> {
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    certificate: await testCertificate(),
    tlsRequired: false,
    allowHosts: [],
    allowOrigins: [],
    maxDocument: 1024,
    log: createLog({ level: 'silent', format: 'json' }),
    connect,
    ...more,
  })
  onTestFinished(() => gateway.stop())
  return gateway
}

/** A gateway before one instance, `engine-1`. */
export async function gatewayBefore(listener: RequestListener, made?: Server) {
  const instance = await startedServer(listener, made)
  const connect = await startedServer(connectWith([{ name: 'engine-1', port: instance.port }]))
  const gateway = await startedGateway(connect.url)
  return { instance, connect, gateway, port: gateway.port }
}

export interface Answer {
  readonly status: number
  readonly reason: string
  readonly headers: IncomingMessage['headers']
  readonly raw: readonly string[]
  readonly body: string
}

export interface Call {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Buffer
}

/** One call with exactly this path; resolves with the whole answer, rejects when it breaks off. */
export function call(port: number, path: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode!,
          reason: answer.statusMessage!,
          headers: answer.headers,
          raw: answer.rawHeaders,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

export async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(message as AsyncIterable<Buffer>))
}

/** A bare connection, and the text that has come in on it so far. */
export async function bareConnection(
  port: number,
): Promise<{ socket: Socket; received: () => string; closed: () => boolean }> {
  const socket = connectTo(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  let closed = false
  socket.on('data', (chunk) => {
    text += chunk.toString()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    closed = true
  })
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  return { socket, received: () => text, closed: () => closed }
}

/** Asks until it is so, however long it takes within reason. */
export async function until(good: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 15_000
  while (!good()) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await sleep(5)
  }
}
