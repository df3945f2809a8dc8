// A fleet for one scenario: all services of `pitot up` in this process, on free ports, to be spoken to over HTTP.
import type { Notification, NotificationType } from '@pitot/api'
import { expect } from 'vitest'
import type { Settings } from '../../packages/cli/src/options.ts'
import { prepare, type Started } from '../../packages/cli/src/start.ts'
import { up } from '../../packages/cli/src/up.ts'
import { type Answer, call } from '../http.ts'
import { listen } from '../notifications.ts'
import { temporaryFolder } from '../service-options.ts'

export interface Fleet {
  readonly connect: Member
  readonly modelManage: Member
  readonly engine: Engine
  readonly gateway: Member
  readonly data: string
  /** What Connect tells from now on to whoever listens; until the end of the test. */
  listen(): Promise<Heard>
  stop(): Promise<void>
}

export async function startFleet(changes: Partial<Settings> = {}): Promise<Fleet> {
  const data = temporaryFolder()
  const ground = await prepare({ ...usual, data, ...changes })
  const started = await up(ground)
  const url = (name: string) => started.find(({ service }) => service.name === name)!.service.url
  return {
    connect: new Member(url('connect')),
    modelManage: new Member(url('model-manage')),
    engine: new Engine(url('engine')),
    gateway: new Member(url('gateway')),
    data,
    listen: async () => new Heard((await listen(url('connect'), '/1/notify')).received),
    stop: () => stopAll(started),
  }
}

const usual: Omit<Settings, 'data'> = {
  host: '127.0.0.1',
  gatewayPort: 0,
  connectPort: 0,
  modelManagePort: 0,
  enginePort: [0],
  resume: false,
  allowExec: [],
  jetMemory: 2 * 2 ** 30,
  jetTimeout: 30,
  jetNetwork: false,
  jetIsolation: 'auto',
  stateMemory: 256 * 2 ** 20,
  insecure: false,
  tls: 'optional',
  allowHost: [],
  allowOrigin: [],
  maxDocument: 64 * 2 ** 20,
  logLevel: 'silent',
  logFormat: 'json',
}

async function stopAll(started: readonly Started[]): Promise<void> {
  for (const { service } of started.toReversed()) await service.stop()
}

/** Text and bytes are sent as they are, anything else as JSON. */
type Body = string | Uint8Array | object
type Headers = Readonly<Record<string, string>>

/** One service. Requests are written as `PUT /1/job/model`. */
export class Member {
  readonly url: string

  constructor(url: string) {
    this.url = url
  }

  send(request: string, body?: Body, headers: Headers = {}): Promise<Answer> {
    const [method, path] = request.split(' ') as [string, string]
    const isPlain = typeof body === 'string' || body instanceof Uint8Array
    const type = body === undefined || isPlain ? {} : { 'content-type': 'application/json' }
    return call(this.url, path, {
      method,
      headers: { ...type, ...headers },
      ...(body !== undefined && { body: isPlain ? body : JSON.stringify(body) }),
    })
  }

  /** Must succeed. */
  async ok(request: string, body?: Body, headers?: Headers): Promise<Answer> {
    const answer = await this.send(request, body, headers)
    expect(answer.status, `${request}: ${answer.text}`).toBeLessThan(300)
    return answer
  }

  /** Status and text, for answers that are to be compared. */
  async says(request: string, body?: Body, headers?: Headers): Promise<[status: number, text: string]> {
    const { status, text } = await this.send(request, body, headers)
    return [status, text]
  }

  // biome-ignore lint/suspicious/noExplicitAny: a scenario knows what it asked for
  async json(request: string, body?: Body, headers?: Headers): Promise<any> {
    return JSON.parse((await this.ok(request, body, headers)).text)
  }
}

export interface Status {
  readonly state: string
  readonly reason: string | null
  readonly input: StreamStatus | null
  readonly output: StreamStatus | null
  readonly model: { readonly name: string; readonly type: string } | null
  readonly jets: readonly { readonly pid: number; readonly sandbox: string; readonly total_consumed: number }[]
}

interface StreamStatus {
  readonly total_records: number
  readonly total_bytes: number
  readonly rejected: { readonly by_encoding: number; readonly by_schema: number; readonly by_model: number }
  readonly eof: boolean
}

const patience = 20_000

/** Notifications in the order in which they arrived. */
export class Heard {
  readonly all: readonly Notification[]

  constructor(all: readonly Notification[]) {
    this.all = all
  }

  of(type: NotificationType): Notification[] {
    return this.all.filter((notification) => notification.type === type)
  }

  /** Waits for one of this type. */
  async first(type: NotificationType): Promise<Notification> {
    await expect.poll(() => this.of(type).length, { timeout: patience }).toBeGreaterThan(0)
    return this.of(type)[0]!
  }
}

export class Engine extends Member {
  model(language: string, source: string, name?: string): Promise<Answer> {
    const named = name === undefined ? {} : { 'content-disposition': `x-model; name="${name}"` }
    return this.ok('PUT /1/job/model', source, { ...modelType(language), ...named })
  }

  input(descriptor: object): Promise<Answer> {
    return this.ok('PUT /1/job/stream/in', descriptor)
  }

  output(descriptor: object): Promise<Answer> {
    return this.ok('PUT /1/job/stream/out', descriptor)
  }

  status(): Promise<Status> {
    return this.json('GET /1/job/status')
  }

  /** Waits until the job is as it should be. */
  async until(isGood: (status: Status) => boolean, what: string): Promise<Status> {
    const deadline = Date.now() + patience
    for (;;) {
      const status = await this.status()
      if (isGood(status)) return status
      if (Date.now() > deadline) throw new Error(`waited in vain for ${what}: ${JSON.stringify(status)}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** The end of a job that comes to one; an error is none. */
  async finished(): Promise<Status> {
    const status = await this.until(({ state }) => state === 'finished' || state === 'error', 'the end of the job')
    expect(status.state, status.reason ?? '').toBe('finished')
    return status
  }

  debugOutput(): Promise<string[]> {
    return this.json('GET /1/debug/output')
  }

  /** Lines of a REST output up to a pig, which is the last of them. */
  async linesUntilPig(): Promise<string[]> {
    let text = ''
    const deadline = Date.now() + patience
    while (!pig.test(text)) {
      if (Date.now() > deadline) throw new Error(`no pig came, but: ${text}`)
      text += (await this.ok('GET /1/job/output')).text
    }
    return text.trimEnd().split('\n')
  }
}

const pig = /^\{"\$\w+":"pig"\}$/m

export function modelType(language: string): Headers {
  return { 'content-type': `application/vnd.pitot.model-${language}` }
}

/** The REST streams of a scoring service, as clients have always written them. */
export const restLines = { Transport: { Type: 'REST' }, Envelope: 'delimited', Encoding: 'json', Schema: null }
export const debugOut = { Transport: 'debug', Encoding: 'json' }
export function debugIn(records: readonly unknown[], more: object = {}): object {
  const Data = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
  return { Transport: { Type: 'debug', Data }, Encoding: 'json', ...more }
}

export const squarePfa = JSON.stringify({ input: 'int', output: 'int', action: { '*': ['input', 'input'] } })
export const squarePython = 'def action(x):\n    yield x * x\n'
