// A fleet of separate processes: configured, listed, one member killed and started again, seen through the gateway.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../http.ts'
import { listen } from '../notifications.ts'
import { type PitotProcess, startPitot } from '../pitot-process.ts'
import { temporaryFolder } from '../service-options.ts'

const data = temporaryFolder()
const running = new Map<string, PitotProcess>()
let connect: string

async function start(name: string, ...args: string[]): Promise<string> {
  const [command] = args as [string]
  const started = await startPitot([...args, '--data', `${data}/${name}`, '--log-level', 'error'])
  running.set(name, started)
  return started.urls[command]!
}

beforeAll(async () => {
  connect = await start('connect', 'connect', '--connect-port', '0')
})
afterAll(async () => {
  for (const each of running.values()) await each.end()
})

test('a fleet without a configuration says so', async () => {
  expect((await call(connect, '/1/connect')).status).toBe(403)
  expect((await call(connect, '/1/config')).status).toBe(404)
})

test('a configured fleet is listed with its health, changes are seen, and the gateway follows', async () => {
  const alone = ['--connect', connect]
  const urls = [
    await start('model-manage', 'model-manage', '--model-manage-port', '0', ...alone),
    await start('engine-1', 'engine', '--engine-port', '0', ...alone),
    await start('engine-2', 'engine', '--engine-port', '0', ...alone),
  ]
  const gateway = await start('gateway', 'gateway', '--gateway-port', '0', ...alone)
  const ports = urls.map((url) => new URL(url).port)
  const text = `service:
  fleet:
    - { api: model-manage, host: 127.0.0.1, port: ${ports[0]} }
    - { api: engine, host: 127.0.0.1, port: '${ports[1]}' }
    - { api: engine, host: 127.0.0.1, port: ${ports[2]} }
  db: { type: mysql, host: database, port: 3306, username: root, password: root }
`
  const put = () =>
    call(connect, '/1/config', { method: 'PUT', headers: { 'content-type': 'application/x-yaml' }, body: text })
  expect((await put()).status).toBe(201)
  expect((await put()).status).toBe(204)
  expect((await call(connect, '/1/config')).text).toBe(text)
  const db = await call(connect, '/1/config?q=db', { headers: { accept: 'application/json' } })
  expect(JSON.parse(db.text)).toEqual({
    type: 'mysql',
    host: 'database',
    port: 3306,
    username: 'root',
    password: 'root',
  })

  const healths = async () => {
    const members = JSON.parse((await call(connect, '/1/connect')).text) as { name: string; health: string }[]
    return members.map(({ name, health }) => `${name} ${health}`)
  }
  expect(await healths()).toEqual(['engine-1 ok', 'engine-2 ok', 'model-manage-1 ok'])
  const engines = await call(connect, '/1/connect?api=engine&return=host,port')
  expect(JSON.parse(engines.text)).toEqual(ports.slice(1).map((port) => ({ host: '127.0.0.1', port: Number(port) })))

  const through = (name: string) => call(gateway, `/api/1/service/${name}/1/health`)
  expect((await through('engine-2')).status).toBe(200)
  const { received } = await listen(connect, '/1/notify?type=health')
  await running.get('engine-2')!.end('SIGKILL')
  await expect.poll(healths, { timeout: 20_000 }).toContain('engine-2 fail')
  expect((await through('engine-2')).status).toBe(502)
  expect(received).toEqual([expect.objectContaining({ src: 'connect', instance: 'engine-2', health: 'fail' })])
  const [change] = JSON.parse((await call(connect, '/1/connect/history?name=engine-2')).text)
  expect(change).toMatchObject({ name: 'engine-2', health: 'fail', reason: expect.stringMatching(/refused|closed/) })

  await start('engine-2', 'engine', '--engine-port', ports[2]!, ...alone)
  await expect.poll(healths, { timeout: 20_000 }).toContain('engine-2 ok')
  expect((await through('engine-2')).status).toBe(200)
}, 120_000)

test('the configuration is there again after a restart of Connect', async () => {
  const { port } = new URL(connect)
  expect(await running.get('connect')!.end()).toBe(0)
  await start('connect', 'connect', '--connect-port', port)
  const members = await call(connect, '/1/connect?return=name')
  expect(JSON.parse(members.text)).toEqual([{ name: 'engine-1' }, { name: 'engine-2' }, { name: 'model-manage-1' }])
}, 60_000)
