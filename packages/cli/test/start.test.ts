import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pitot, ready, takenPort, temporaryFolder, until } from './surroundings.ts'

/** A server in the place of Connect. */
async function connectThat(answer: RequestListener, port = 0): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('each service starts alone', () => {
  const rows: [command: string, option: string, title: string][] = [
    ['connect', '--connect-port', 'Connect API'],
    ['model-manage', '--model-manage-port', 'Model Manage API'],
    ['engine', '--engine-port', 'Engine API'],
    ['gateway', '--gateway-port', 'Gateway API'],
  ]
  test.for(rows)('%s', async ([command, option, title]) => {
    const { rows: table, url, process, ended } = await ready([command, option, '0', '--data', await temporaryFolder()])
    expect(table.map(({ service }) => service)).toEqual([command])
    const swagger = (await (await fetch(`${url(command)}/1/swagger`)).json()) as { info: { title: string } }
    expect(swagger.info.title).toBe(title)
    process.kill('SIGTERM')
    expect((await ended).code).toBe(0)
  })

  test('engine, one for each port', async () => {
    const ports = ['--engine-port', '0', '--engine-port', '0']
    const { rows: table } = await ready(['engine', ...ports, '--data', await temporaryFolder()])
    expect(table.map(({ service }) => service)).toEqual(['engine', 'engine'])
    expect(new Set(table.map(({ url }) => url)).size).toBe(2)
  })

  test('gateway, with the Connect it is told of', async () => {
    const connect = await ready(['connect', '--connect-port', '0', '--data', await temporaryFolder()])
    const address = connect.url('connect')
    const gateway = await ready(['gateway', '--gateway-port', '0', '--data', await temporaryFolder()], {
      PITOT_CONNECT: address,
    })
    expect(gateway.rows[0]!.uses).toBe(address)
    const through = await fetch(`${gateway.url('gateway')}/api/1/service/connect/1/config`)
    expect([through.status, await through.text()]).toEqual([404, 'no configuration is set; PUT one to /1/config'])
    const nobody = await fetch(`${gateway.url('gateway')}/api/1/service/engine-1/1/health`)
    expect([nobody.status, await nobody.text()]).toEqual([
      404,
      "there is no instance 'engine-1' in the fleet; there are: connect",
    ])
  })
})

describe('Model Manage asks Connect for its database', () => {
  const modelManage = ['model-manage', '--model-manage-port', '0']

  test('and uses SQLite while Connect is not configured', async () => {
    const connect = await ready(['connect', '--connect-port', '0', '--data', await temporaryFolder()])
    const data = await temporaryFolder()
    const { rows, url } = await ready([...modelManage, '--connect', connect.url('connect'), '--data', data])
    expect(rows[0]!.uses).toContain('SQLite')
    expect(rows[0]!.uses).toContain(data)
    expect((await fetch(`${url('model-manage')}/1/model`)).status).toBe(200)
  })

  test('and uses what the configuration says', async () => {
    const connect = await ready(['connect', '--connect-port', '0', '--data', await temporaryFolder()])
    const config = `${connect.url('connect')}/1/config`
    const put = (body: string) => fetch(config, { method: 'PUT', body })
    expect((await put('x: { db: { type: sqlite } }')).status).toBe(201)
    const embedded = await ready([
      ...modelManage,
      '--connect',
      connect.url('connect'),
      '--data',
      await temporaryFolder(),
    ])
    expect(embedded.rows[0]!.uses).toContain('SQLite')

    // Nothing listens there: that it is unavailable shows that it was asked for.
    expect(
      (await put('x: { db: { type: postgres, host: 127.0.0.1, port: 1, username: u, password: p } }')).status,
    ).toBe(204)
    const { url, rows } = await ready([
      ...modelManage,
      ...['--connect', connect.url('connect'), '--data', await temporaryFolder()],
    ])
    expect(rows[0]!.uses).toMatch(/PostgreSQL/)
    const answer = await fetch(`${url('model-manage')}/1/model`)
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true])
  })

  test('with its token, once', async () => {
    const seen: string[] = []
    const address = await connectThat(({ url, headers }, response) => {
      seen.push(`${url} ${headers.accept} ${headers.authorization}`)
      response.writeHead(404).end()
    })
    const data = await temporaryFolder()
    await ready([...modelManage, '--connect', address, '--token', 'secret', '--data', data])
    expect(seen.filter((call) => call.startsWith('/1/config'))).toEqual([
      '/1/config?q=db application/json Bearer secret',
    ])
  })

  test('and waits for a Connect that is still to come', async () => {
    const port = await freePort()
    const data = await temporaryFolder()
    const running = pitot([...modelManage, '--connect', `http://127.0.0.1:${port}`, '--data', data])
    const waiting = `waiting for Connect at http://127.0.0.1:${port}: nothing listens there (connection refused)`
    await until(() => running.stderr().includes(waiting), 'it to wait')
    expect(running.stdout()).toBe('')
    await connectThat((_, response) => void response.writeHead(404).end(), port)
    await until(() => running.stdout().includes('READY'), 'READY', running.stderr)
  })

  test.for(['SIGTERM', 'SIGINT'] as const)('and does not wait any longer after %s', async (signal) => {
    const address = `http://127.0.0.1:${await freePort()}`
    const running = pitot([...modelManage, '--connect', address, '--data', await temporaryFolder()])
    await until(() => running.stderr().includes('waiting for Connect'), 'it to wait')
    running.process.kill(signal)
    const { code, signal: killed, stdout } = await running.ended
    expect({ code, killed, stdout }).toEqual({ code: 0, killed: null, stdout: '' })
  })

  test('and ends with a sentence when Connect refuses', async () => {
    const address = await connectThat((_, response) => void response.writeHead(401).end('this service needs a token'))
    const { code, stdout, stderr } = await pitot([
      ...modelManage,
      ...['--connect', address, '--data', await temporaryFolder()],
    ]).ended
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(`pitot: Connect at ${address} answers with status 401: this service needs a token\n`)
  })

  test('a port in use is told even so', async () => {
    const [port, data] = [await takenPort(), await temporaryFolder()]
    const { code, stderr } = await pitot(['model-manage', '--model-manage-port', String(port), '--data', data]).ended
    expect([code, stderr]).toEqual([
      1,
      `pitot: port ${port} on 127.0.0.1 is in use; choose another with --model-manage-port, or 0 for any free one\n`,
    ])
  })
})

test('log lines are JSON when that is asked for, and READY stays on standard output', async () => {
  const data = join(await temporaryFolder(), 'new', 'folder')
  const args = ['connect', '--connect-port', '0', '--data', data, '--log-format', 'json', '--log-level', 'debug']
  const running = await ready(args)
  await fetch(`${running.url('connect')}/1/health`, { headers: { 'x-request-id': 'of-the-test' } })
  await until(() => running.stderr().includes('of-the-test'), 'the log line')
  const lines = running.stderr().trim().split('\n')
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(records.find((record) => record.request === 'of-the-test')).toMatchObject({
    method: 'GET',
    url: '/1/health',
    status: 200,
  })
  expect(running.stdout()).not.toContain('of-the-test')
})

/** Free at the moment, and likely to stay so. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
