import { expect, test } from 'vitest'
import { connectOperations } from '../../src/operations/connect.ts'

/** What published clients expect: the statuses of success, and how a missing configuration is told. */
const statuses: [id: keyof typeof connectOperations, statuses: number[], errors: string[]][] = [
  ['getConfig', [200], ['config-not-set', 'section-not-found']],
  ['putConfig', [201, 204], ['bad-config']],
  ['getConnect', [200], ['connect-not-configured']],
  ['listAttachedSensors', [200], []],
  ['attachSensor', [200], ['bad-sensor']],
  ['listTaps', [200], []],
  ['getAttachedSensor', [200], ['attached-sensor-not-found']],
  ['detachSensor', [204], ['attached-sensor-not-found']],
]
test.each(statuses)('%s answers with %j or one of %j', (id, expected, errors) => {
  const row = connectOperations[id]
  expect(Object.keys(row.replies).map(Number)).toEqual(expected)
  expect('errors' in row ? row.errors : []).toEqual(expect.arrayContaining(errors))
})

test('a configuration may come as any of the types that clients send', () => {
  expect(connectOperations.putConfig.body.types).toEqual([
    'application/x-yaml',
    'application/yaml',
    'application/json',
    'text/yaml',
  ])
})

test('the fleet can be filtered by every field of the interface', () => {
  const { query } = connectOperations.getConnect
  expect(Object.keys(query)).toEqual(['name', 'api', 'host', 'port', 'release', 'health', 'return'])
  expect(query.port.read('65536')).toBeUndefined()
  expect(query.port.read('8001')).toBe(8001)
  expect(query.health.read('ok')).toBe('ok')
  expect(query.health.read('well')).toBeUndefined()
  expect(query.return.read('host,port,whatever')).toEqual(['host', 'port', 'whatever'])
})
