import { once } from 'node:events'
import { request } from 'node:http'
import { connect as dial } from 'node:net'
import type { Notification } from '@pitot/api'
import { Notifier } from '@pitot/service'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { RunningConnect } from '../src/index.ts'
import { healthy, startedConnect, startedMember } from './surroundings.ts'

async function listening(url: string, path: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers })
  onTestFinished(() => socket.terminate())
  const received: Notification[] = []
  socket.on('message', (data) => received.push(JSON.parse(String(data)) as Notification))
  await once(socket, 'open')
  return { socket, received }
}

/** Status and sentence that a websocket handshake is refused with. */
async function refusal(url: string, path: string, headers: Record<string, string> = {}): Promise<[number, string]> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, { headers })
  const [, response] = await once(socket, 'unexpected-response')
  const body = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>))
  return [response.statusCode, body.toString()]
}

function notifierOf(connect: RunningConnect, service: string, id: string, token?: string): Notifier {
  const notifier = new Notifier({ connect: new URL(connect.url), service, id, token })
  onTestFinished(() => notifier.close())
  return notifier
}

const say = (notifier: Notifier, text: string) => notifier.send({ type: 'log', level: 64, text })
const texts = (received: readonly Notification[]) => received.map((each) => (each as { text?: string }).text)

describe.each(['/1/notify', '/2/pneumo'])('%s', (path) => {
  test('brings the notifications of a service to a listener, in order', async () => {
    const connect = await startedConnect()
    const { received } = await listening(connect.url, path)
    const notifier = notifierOf(connect, 'engine', 'an-id')
    const sent = Array.from({ length: 500 }, (_, index) => `m${index}`)
    for (const text of sent) say(notifier, text)
    await vi.waitFor(() => expect(received).toHaveLength(500), 10_000)
    expect(texts(received)).toEqual(sent)
    expect(received[0]).toMatchObject({ src: 'engine', type: 'log', timestamp: expect.stringMatching(/T.*Z$/) })
  })

  test('filters', async () => {
    const connect = await startedConnect()
    const all = await listening(connect.url, path)
    const some = await listening(connect.url, `${path}?src=a,b&type=log`)
    for (const service of ['a', 'b', 'c']) {
      const notifier = notifierOf(connect, service, service)
      say(notifier, service)
      notifier.send({ type: 'output-eof' })
    }
    await vi.waitFor(() => expect(all.received).toHaveLength(6), 10_000)
    expect(texts(some.received).toSorted()).toEqual(['a', 'b'])
  })

  test('refuses what it does not know', async () => {
    const { url } = await startedConnect()
    expect(await refusal(url, `${path}?type=lgo`)).toEqual([
      403,
      expect.stringMatching(/^query parameter 'type' is 'lgo'/),
    ])
    expect(await refusal(url, `${path}?typ=a`)).toEqual([403, expect.stringMatching(/did you mean 'type'/)])
  })

  test('needs the token, when there is one', async () => {
    const { url } = await startedConnect({ token: 'secret' })
    expect((await refusal(url, path))[0]).toBe(401)
    expect((await refusal(url, path, { authorization: 'Bearer wrong' }))[0]).toBe(401)
    await listening(url, path, { authorization: 'Bearer secret' })
  })
})

describe('sources', () => {
  test('have the name that the fleet knows them by', async () => {
    const connect = await startedConnect()
    const member = await startedMember(healthy({ id: 'the-id', release: '1.3', built_on: 'today' }))
    connect.connect.setStandard(
      `pitot: { fleet: [{ api: engine, host: 127.0.0.1, port: ${member.port}, name: blue }] }`,
    )
    await connect.connect.fleet.members()
    const { received } = await listening(connect.url, '/1/notify?type=log')
    say(notifierOf(connect, 'engine', 'the-id'), 'hello')
    await vi.waitFor(() => expect(received).toMatchObject([{ src: 'blue', text: 'hello' }]))
  })

  test('need the token, when there is one', async () => {
    const connect = await startedConnect({ token: 'secret' })
    const [wrong, right] = [notifierOf(connect, 'a', 'a', 'wrong'), notifierOf(connect, 'b', 'b', 'secret')]
    const { received } = await listening(connect.url, '/1/notify', { authorization: 'Bearer secret' })
    say(wrong, 'no')
    say(right, 'yes')
    await vi.waitFor(() => expect(texts(received)).toEqual(['yes']))
    expect(wrong.isConnected).toBe(false)
  })

  test('and listeners may come over TLS', async () => {
    const connect = await startedConnect({ tlsRequired: true })
    const notifier = notifierOf(connect, 'engine', 'an-id')
    const socket = new WebSocket(`wss://127.0.0.1:${connect.port}/1/notify`, { rejectUnauthorized: false })
    onTestFinished(() => socket.terminate())
    await once(socket, 'open')
    say(notifier, 'hello')
    const [data] = await once(socket, 'message')
    expect(JSON.parse(String(data))).toMatchObject({ src: 'engine', text: 'hello' })
  })

  test('that come back are not heard twice', async () => {
    const connect = await startedConnect()
    const { received } = await listening(connect.url, '/1/notify')
    const source = async () => {
      const { socket } = await sourceOf(connect.url)
      return socket
    }
    const first = await source()
    const frame = (last: number, ...said: string[]) => {
      const timestamp = new Date().toISOString()
      const notifications = said.map((text) => ({ src: 'x', timestamp, type: 'log', level: 64, text }))
      return JSON.stringify({ last, notifications })
    }
    first.send(frame(2, 'm1', 'm2'))
    await vi.waitFor(() => expect(received).toHaveLength(2))
    const { socket: second, answers } = await sourceOf(connect.url)
    await vi.waitFor(() => expect(answers).toEqual([{ received: 2 }]))
    expect(await closed(first)).toBe(true)
    second.send(frame(2, 'm1', 'm2'))
    second.send(frame(4, 'm3', 'm4'))
    await vi.waitFor(() => expect(answers).toEqual([{ received: 2 }, { received: 2 }, { received: 4 }]))
    await vi.waitFor(() => expect(texts(received)).toEqual(['m1', 'm2', 'm3', 'm4']))
  })

  test.each(['no JSON', '{}', '{"last":"x","notifications":[]}', '[]', 'null'])(
    'that send %s are sent away',
    async (text) => {
      const connect = await startedConnect()
      const { socket } = await sourceOf(connect.url)
      socket.send(text)
      const [code, reason] = await once(socket, 'close')
      expect([code, String(reason)]).toEqual([1008, 'a frame must be {"last": number, "notifications": [...]}'])
    },
  )

  test('types that clients do not know go no further', async () => {
    const connect = await startedConnect()
    const { received } = await listening(connect.url, '/1/notify')
    const { socket } = await sourceOf(connect.url)
    const timestamp = new Date().toISOString()
    const notifications = [{ type: 'surprise', timestamp }, null, { type: 'log' }, { type: 'output-eof', timestamp }]
    socket.send(JSON.stringify({ last: 1, notifications }))
    await vi.waitFor(() => expect(received).toEqual([{ src: 'engine', timestamp, type: 'output-eof' }]))
  })
})

async function sourceOf(url: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/1/notify/source?service=engine&id=an-id`)
  onTestFinished(() => socket.terminate())
  const answers: unknown[] = []
  socket.on('message', (data) => answers.push(JSON.parse(String(data))))
  await once(socket, 'open')
  return { socket, answers }
}

async function closed(socket: WebSocket): Promise<boolean> {
  await vi.waitFor(() => expect(socket.readyState).toBe(WebSocket.CLOSED))
  return true
}

describe('server-sent events', () => {
  test('bring the same, and the hub forgets a reader that leaves', async () => {
    const connect = await startedConnect()
    const left = new AbortController()
    const answer = await fetch(`${connect.url}/1/notify?type=log`, {
      headers: { accept: 'text/event-stream' },
      signal: left.signal,
    })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    const notifier = notifierOf(connect, 'engine', 'an-id')
    say(notifier, 'line\nend')
    notifier.send({ type: 'output-eof' })
    say(notifier, 'second')
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('second')) text += (await reader.read()).value
    const events = text.split('\n\n').filter((event) => event.startsWith('data: '))
    expect(texts(events.map((event) => JSON.parse(event.slice(6))))).toEqual(['line\nend', 'second'])
    const listeners = async () =>
      /pitot_hub_listeners (\d+)/.exec(await (await fetch(`${connect.url}/metrics`)).text())![1]
    expect(await listeners()).toBe('1')
    left.abort()
    await vi.waitFor(async () => expect(await listeners()).toBe('0'))
  })

  test('end when Connect stops', async () => {
    const connect = await startedConnect()
    const answer = await fetch(`${connect.url}/1/notify`, { headers: { accept: 'text/event-stream' } })
    const { socket } = await listening(connect.url, '/1/notify')
    const text = answer.text()
    await connect.stop()
    expect(await text).toBe(':\n\n')
    await closed(socket)
  })
})

test.each([
  [
    '/1/notify',
    426,
    '/1/notify is a websocket, and gives server-sent events for `Accept: text/event-stream`; connect to it with a websocket client',
  ],
  ['/1/notify/source', 426, '/1/notify/source is a websocket; connect to it with a websocket client'],
])('a plain GET of %s is %i', async (path, status, sentence) => {
  const { url } = await startedConnect()
  const answer = await fetch(`${url}${path}`)
  expect([answer.status, await answer.text()]).toEqual([status, sentence])
  expect(answer.headers.get('upgrade')).toBe('websocket')
})

test('a plain GET of /2/pneumo gives the last ones', async () => {
  const connect = await startedConnect()
  const notifier = notifierOf(connect, 'engine', 'an-id')
  for (let count = 1; count <= 70; count++) say(notifier, `m${count}`)
  notifier.send({ type: 'output-eof' })
  const pneumo = async (query: string) =>
    (await (await fetch(`${connect.url}/2/pneumo${query}`)).json()) as Notification[]
  await vi.waitFor(async () => expect(await pneumo('?type=output-eof')).toHaveLength(1))
  expect(texts(await pneumo(''))).toEqual([...Array.from({ length: 59 }, (_, index) => `m${index + 12}`), undefined])
  expect(await pneumo('?src=nobody')).toEqual([])
  expect((await fetch(`${connect.url}/2/pneumo?type=surprise`)).status).toBe(403)
})

test('a change of health is a notification', async () => {
  const connect = await startedConnect()
  const { received } = await listening(connect.url, '/1/notify')
  const member = await startedMember(healthy())
  connect.connect.setStandard(`pitot: { fleet: [{ api: engine, host: 127.0.0.1, port: ${member.port} }] }`)
  await vi.waitFor(() => expect(received).toHaveLength(1), 10_000)
  await member.stop()
  await vi.waitFor(() => expect(received).toHaveLength(2), 10_000)
  expect(received).toMatchObject([
    { src: 'connect', type: 'health', instance: 'engine-1', health: 'ok' },
    { src: 'connect', type: 'health', instance: 'engine-1', health: 'fail' },
  ])
})

test('a websocket elsewhere is 404; another protocol is answered as if it had not been offered', async () => {
  const { url, port } = await startedConnect()
  expect(await refusal(url, '/1/other')).toEqual([404, 'there is no /1/other here'])
  const h2c = request({ port, path: '/1/health', headers: { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c' } })
  h2c.end()
  const [answer] = await once(h2c, 'response')
  expect(answer.statusCode).toBe(200)
  answer.resume()
})

test('a listener that breaks the protocol is sent away, and nobody else', async () => {
  const connect = await startedConnect()
  const { received } = await listening(connect.url, '/1/notify')
  const raw = dial(connect.port, '127.0.0.1')
  onTestFinished(() => void raw.destroy())
  raw.write(
    'GET /1/notify HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  await once(raw, 'data')
  raw.write(Buffer.from([0xff, 0xff, 0xff, 0xff]))
  raw.resume()
  await once(raw, 'close')
  say(notifierOf(connect, 'engine', 'an-id'), 'still here')
  await vi.waitFor(() => expect(texts(received)).toEqual(['still here']))
})
