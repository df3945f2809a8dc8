// Notifications of a fleet of separate processes: each has its name in the fleet, and a lost member is told.
import { afterAll, expect, test } from 'vitest'
import { call } from './http.ts'
import { listen } from './notifications.ts'
import { type PitotProcess, startPitot } from './pitot-process.ts'
import { temporaryFolder } from './service-options.ts'

const running: PitotProcess[] = []
afterAll(async () => {
  for (const each of running.toReversed()) await each.end()
})

async function start(command: string, ...args: string[]): Promise<string> {
  const common = [`--${command}-port`, '0', '--data', temporaryFolder(), '--log-level', 'error']
  const started = await startPitot([command, ...common, ...args])
  running.push(started)
  return started.urls[command]!
}

test('reports come under the name of their service; the end of a member is a notification', async () => {
  const connect = await start('connect')
  const modelManage = await start('model-manage', '--connect', connect)
  const { received } = await listen(connect, '/1/notify')
  const { hostname, port } = new URL(modelManage)
  const body = `pitot: { fleet: [{ api: model-manage, host: ${hostname}, port: ${port}, name: registry }] }`
  expect((await call(connect, '/1/config', { method: 'PUT', body })).status).toBe(201)
  const seen = (message: object) =>
    expect.poll(() => received, { timeout: 20_000 }).toContainEqual(expect.objectContaining(message))
  await seen({ type: 'health', src: 'connect', instance: 'registry', health: 'ok' })

  const descriptor = JSON.stringify({ Tap: 'sys.memory', Activate: { Type: 'regular', Interval: 0.1 } })
  const attached = await call(modelManage, '/1/control/sensor', { method: 'POST', body: descriptor })
  expect(attached.text).toBe('{"id":1}')
  await seen({ type: 'sensor-report', src: 'registry', id: 1, tap: 'sys.memory' })

  await running[1]!.end('SIGKILL')
  await seen({ type: 'health', src: 'connect', instance: 'registry', health: 'fail' })
}, 120_000)
