import { readdir, writeFile } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anyPorts, ready, shell, temporaryFolder, until } from './surroundings.ts'

interface Entry {
  readonly name: string
  readonly health: string
  readonly port: number
}

async function fleetOf(connect: string): Promise<Entry[]> {
  return (await fetch(`${connect}/1/connect?return=name,health,port`)).json() as Promise<Entry[]>
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}

describe('pitot up', () => {
  test('prints the table of what runs, and a first command that works as printed', async () => {
    const data = await temporaryFolder()
    const { rows, line, url } = await ready(['up', ...anyPorts, '--engine-port', '0', '--data', data])
    expect(rows.map(({ service }) => service)).toEqual(['connect', 'model-manage', 'engine', 'engine', 'gateway'])
    for (const row of rows) {
      expect(row.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
      const health = (await (await fetch(`${row.url}/1/health`)).json()) as Record<string, unknown>
      expect(health.release).toBe('1.3')
    }
    expect(new Set(rows.map((row) => row.url)).size).toBe(rows.length)
    expect(rows[0]!.uses).toBe(join(data, 'connect'))
    expect(rows[1]!.uses).toContain(data)
    expect(rows[4]!.uses).toBe(url('connect'))

    expect(line).toBe(`curl ${url('connect')}/1/connect`)
    const { code, stdout } = await shell(line)
    expect(code).toBe(0)
    const fleet = JSON.parse(stdout) as Entry[]
    expect(fleet.map(({ name, health, port }) => ({ name, health, port }))).toEqual([
      { name: 'engine-1', health: 'ok', port: portOf(url('engine', 0)) },
      { name: 'engine-2', health: 'ok', port: portOf(url('engine', 1)) },
      { name: 'model-manage-1', health: 'ok', port: portOf(url('model-manage')) },
    ])
  })

  test.each([
    ['without options', []],
    ['with a folder that is relative', ['--data', 'some/where']],
  ])('scores %s, from wherever it was started', async (_, args) => {
    const folder = await temporaryFolder()
    const { url } = await ready(['up', ...anyPorts, ...args], {}, folder)
    const put = (path: string, type: string, body: string) =>
      fetch(`${url('engine')}/1/job/${path}`, { method: 'PUT', headers: { 'content-type': type }, body })
    const model = '{"input": "double", "output": "double", "action": {"*": ["input", 2.0]}}'
    const answers = [
      await put('model', 'application/vnd.pitot.model-pfa+json', model),
      await put('stream/in', 'application/json', '{"Transport": "REST", "Encoding": "json"}'),
      await put('stream/out', 'application/json', '{"Transport": "REST", "Encoding": "json"}'),
    ]
    for (const answer of answers) expect(answer.status, await answer.text()).toBe(204)
    const scored = await fetch(`${url('engine')}/1/job/score`, { method: 'POST', body: '21' })
    expect((await scored.text()).trim()).toBe('42')
    expect(await readdir(folder)).toEqual([args.length === 0 ? 'pitot-data' : 'some'])
  })

  test('every instance is reachable through the gateway, by the name Connect gives it', async () => {
    const { url } = await ready(['up', ...anyPorts, '--data', await temporaryFolder()])
    const titles = { connect: 'Connect API', 'model-manage-1': 'Model Manage API', 'engine-1': 'Engine API' }
    for (const [name, title] of Object.entries(titles)) {
      const answer = await fetch(`${url('gateway')}/api/1/service/${name}/1/swagger`)
      expect(((await answer.json()) as { info: { title: string } }).info.title).toBe(title)
    }
    const page = await (await fetch(`${url('gateway')}/`)).text()
    expect(page).toContain('engine-1')
    const unknown = await fetch(`${url('gateway')}/api/1/service/engine-9/1/health`)
    expect([unknown.status, await unknown.text()]).toEqual([
      404,
      "there is no instance 'engine-9' in the fleet; did you mean 'engine-1'?; there are: connect, engine-1, model-manage-1",
    ])
  })

  test('its own fleet is the standard one until another is PUT, which is kept over a restart', async () => {
    const args = ['up', ...anyPorts, '--data', await temporaryFolder()]
    const first = await ready(args)
    const config = `${first.url('connect')}/1/config`
    expect(await (await fetch(config)).text()).toContain(`port: ${portOf(first.url('engine'))}`)
    const text = 'mine:\n  fleet:\n    - { api: engine, host: 127.0.0.1, port: 1, name: blue }\n'
    expect((await fetch(config, { method: 'PUT', body: text })).status).toBe(201)
    expect((await fetch(config, { method: 'PUT', body: text })).status).toBe(204)
    first.process.kill('SIGTERM')
    expect((await first.ended).code).toBe(0)
    const second = await ready(args)
    expect(await (await fetch(`${second.url('connect')}/1/config`)).text()).toBe(text)
    expect(await fleetOf(second.url('connect'))).toEqual([{ name: 'blue', health: 'fail', port: 1 }])
  })

  test('--config loads a configuration before anybody asks', async () => {
    const data = await temporaryFolder()
    const file = join(data, 'fleet.yaml')
    const text = '# given\npitot:\n  fleet:\n    - { api: engine, host: 127.0.0.1, port: 2, name: green }\n'
    await writeFile(file, text)
    const { url, rows } = await ready(['up', ...anyPorts, '--data', data], { PITOT_CONFIG: file })
    expect(rows[0]).toMatchObject({ service: 'connect', uses: file })
    expect(await (await fetch(`${url('connect')}/1/config`)).text()).toBe(text)
    expect((await fleetOf(url('connect'))).map(({ name }) => name)).toEqual(['green'])
  })

  test('with a token the whole fleet works together, and the first command needs none', async () => {
    const args = ['up', ...anyPorts, '--token', 'secret', '--data', await temporaryFolder()]
    const { url, line, stdout, stderr } = await ready(args)
    expect((await shell(`${line} -sf`)).code).toBe(0)
    const headers = { authorization: 'Bearer secret' }
    const path = '/api/1/service/engine-1/1/job/status'
    expect((await fetch(`${url('gateway')}${path}`)).status).toBe(401)
    expect((await fetch(`${url('gateway')}/api/1/service/model-manage-1/1/model`, { headers })).status).toBe(200)
    const fleet = await fetch(`${url('connect')}/1/connect?health=ok&return=name`, { headers })
    expect(await fleet.json()).toEqual([{ name: 'engine-1' }, { name: 'model-manage-1' }])
    expect(stdout() + stderr()).not.toContain('secret')
  })
})

describe('TLS', () => {
  /** The status over TLS, whoever signed the certificate, and the certificate's print. */
  function secureStatus(url: string): Promise<{ status: number; print: string }> {
    return new Promise((resolve, reject) => {
      const call = httpsRequest(`${url}/1/health`, { rejectUnauthorized: false, agent: false }, (answer) => {
        answer.resume()
        const { fingerprint256 } = (answer.socket as import('node:tls').TLSSocket).getPeerCertificate()
        resolve({ status: answer.statusCode!, print: fingerprint256 })
      })
      call.on('error', reject)
      call.end()
    })
  }

  test('http and https are answered on the same port, by curl too', async () => {
    const { url, rows } = await ready(['up', ...anyPorts, '--data', await temporaryFolder()])
    for (const row of rows) {
      expect((await fetch(`${row.url}/1/health`)).status).toBe(200)
      expect((await secureStatus(row.url.replace('http:', 'https:'))).status).toBe(200)
    }
    const plain = await shell(`curl -sf ${url('connect')}/1/health`)
    const secure = await shell(`curl -sfk ${url('connect').replace('http:', 'https:')}/1/health`)
    expect([plain.code, secure.code]).toEqual([0, 0])
    expect(secure.stdout).toBe(plain.stdout)
  })

  test('the certificate is made once and kept', async () => {
    const args = ['connect', '--connect-port', '0', '--data', await temporaryFolder()]
    const prints: string[] = []
    for (let round = 0; round < 2; round++) {
      const { url, process, ended } = await ready(args)
      prints.push((await secureStatus(url('connect').replace('http:', 'https:'))).print)
      process.kill('SIGTERM')
      await ended
    }
    expect(prints[0]).toMatch(/^[0-9A-F:]{95}$/)
    expect(prints[1]).toBe(prints[0])
  })

  test('--tls required refuses http, and the fleet works together over https', async () => {
    const args = ['up', ...anyPorts, '--tls', 'required', '--data', await temporaryFolder()]
    const { url, rows, line } = await ready(args)
    for (const row of rows) {
      expect(row.url).toMatch(/^https:/)
      const plain = await fetch(`${row.url.replace('https:', 'http:')}/1/health`)
      expect([plain.status, await plain.text()]).toEqual([
        403,
        'this service was started with --tls required: use https:// instead of http://',
      ])
      expect((await secureStatus(row.url)).status).toBe(200)
    }
    expect(line).toBe(`curl -k ${url('connect')}/1/connect`)
    const { code, stdout } = await shell(line)
    expect(code).toBe(0)
    expect((JSON.parse(stdout) as Entry[]).map(({ name, health }) => `${name} ${health}`)).toEqual([
      'engine-1 ok',
      'model-manage-1 ok',
    ])
    const through = await shell(`curl -sfk ${url('gateway')}/api/1/service/model-manage-1/1/model`)
    expect([through.code, through.stdout]).toEqual([0, '[]'])
  })
})

test('a member that is gone is seen by Connect', async () => {
  const engine = await ready(['engine', '--engine-port', '0', '--data', await temporaryFolder()])
  const { url } = await ready(['connect', '--connect-port', '0', '--data', await temporaryFolder()])
  const body = `x: { fleet: [{ api: engine, host: 127.0.0.1, port: ${portOf(engine.url('engine'))} }] }`
  await fetch(`${url('connect')}/1/config`, { method: 'PUT', body })
  expect(await fleetOf(url('connect'))).toMatchObject([{ name: 'engine-1', health: 'ok' }])
  engine.process.kill('SIGKILL')
  await until(async () => (await fleetOf(url('connect')))[0]!.health === 'fail', 'health fail')
})
