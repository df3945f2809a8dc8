import { createHash, randomBytes } from 'node:crypto'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bodyOf, call, gatewayBefore, until } from '../surroundings.ts'
import { base } from './instance.ts'

describe('bodies flow', () => {
  const lengths: [name: string, headers: Record<string, string>][] = [
    ['in chunks', {}],
    ['of a known length', { 'content-length': '15' }],
  ]
  test.for(lengths)('a request body %s arrives piece by piece', async ([_, headers]) => {
    let arrived = ''
    const { port } = await gatewayBefore((message, response) => {
      message.on('data', (chunk: Buffer) => {
        arrived += chunk.toString()
      })
      message.on('end', () => response.end(arrived))
    })
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, method: 'PUT', headers, agent: false })
    const answer = new Promise<IncomingMessage>((resolve) => outgoing.once('response', resolve))
    let sent = ''
    for (const piece of ['first', '-next', '-last']) {
      outgoing.write(piece)
      sent += piece
      await until(() => arrived === sent, `the piece ${piece}`)
    }
    outgoing.end()
    expect((await bodyOf(await answer)).toString()).toBe('first-next-last')
  })

  test('an answer arrives piece by piece', async () => {
    let response: ServerResponse | undefined
    const { port } = await gatewayBefore((_, given) => {
      response = given
      given.write('first')
    })
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, agent: false }).end()
    let arrived = ''
    let ended = false
    outgoing.once('response', (answer: IncomingMessage) => {
      answer.on('data', (chunk: Buffer) => {
        arrived += chunk.toString()
      })
      answer.on('end', () => {
        ended = true
      })
    })
    await until(() => arrived === 'first', 'the first piece')
    response!.write('-next')
    await until(() => arrived === 'first-next', 'the next piece')
    expect(ended).toBe(false)
    response!.end('-last')
    await until(() => ended, 'the end')
    expect(arrived).toBe('first-next-last')
  })

  test('both ways at the same time', async () => {
    const { port } = await gatewayBefore((message, response) => {
      response.writeHead(200)
      message.pipe(response)
    })
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, method: 'POST', agent: false })
    let arrived = ''
    outgoing.once('response', (answer: IncomingMessage) => {
      answer.on('data', (chunk: Buffer) => {
        arrived += chunk.toString()
      })
    })
    outgoing.write('ping')
    await until(() => arrived === 'ping', 'the echo')
    outgoing.write('-pong')
    await until(() => arrived === 'ping-pong', 'the second echo')
    outgoing.end()
  })

  test('large ones whole, up and down', async () => {
    const large = randomBytes(48 * 2 ** 20)
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    const { port } = await gatewayBefore(async (message, response) => {
      if (message.method === 'PUT') return void response.end(hash(await bodyOf(message)))
      return void response.end(large)
    })
    const up = await call(port, `${base}/1/x`, { method: 'PUT', body: large })
    expect(up.body).toBe(hash(large))
    const down = await new Promise<Buffer>((resolve, reject) => {
      request({ port, host: '127.0.0.1', path: `${base}/1/x`, agent: false }, (answer) => {
        bodyOf(answer).then(resolve, reject)
      }).end()
    })
    expect(hash(down)).toBe(hash(large))
  })

  test('a slow instance slows the caller down; the gateway does not fill up', async () => {
    let message: IncomingMessage | undefined
    const { port } = await gatewayBefore((given) => {
      message = given
    })
    const total = 256
    const piece = Buffer.alloc(2 ** 20, 'x')
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, method: 'PUT', agent: false })
    outgoing.on('error', () => undefined)
    let sent = 0
    const next = () => {
      while (sent < total) {
        sent++
        if (!outgoing.write(piece)) return void outgoing.once('drain', next)
      }
      return void outgoing.end()
    }
    next()
    await until(() => message !== undefined, 'the request')
    let quietRounds = 0
    let before = sent
    await until(() => {
      quietRounds = sent === before ? quietRounds + 1 : 0
      before = sent
      return quietRounds > 50
    }, 'the caller to be held up')
    expect(sent).toBeLessThan(total / 2)
    let arrived = 0
    message!.on('data', (chunk: Buffer) => {
      arrived += chunk.length
    })
    await until(() => arrived === total * piece.length, 'the rest')
  })

  test('an instance may answer before it has read the body', async () => {
    const { port } = await gatewayBefore((_, response) => response.writeHead(403).end('not this'))
    const outgoing = request({ port, host: '127.0.0.1', path: `${base}/1/x`, method: 'PUT', agent: false })
    outgoing.on('error', () => undefined)
    onTestFinished(() => void outgoing.destroy())
    const answer = new Promise<IncomingMessage>((resolve) => outgoing.once('response', resolve))
    outgoing.write('the beginning')
    const early = await answer
    expect(early.statusCode).toBe(403)
    expect((await bodyOf(early)).toString()).toBe('not this')
  })
})
