import { stripVTControlCharacters } from 'node:util'
import { Metrics } from '@pitot/service'
import { describe, expect, test } from 'vitest'
import type { Settings } from '../src/options.ts'
import { readyText } from '../src/ready.ts'
import type { Started } from '../src/start.ts'

function service(name: string, url: string, uses = ''): Started {
  const { hostname, port } = new URL(url)
  return {
    service: { name, url, host: hostname, port: Number(port), metrics: new Metrics(), stop: async () => undefined },
    uses,
  }
}

const settings: Settings = {
  data: 'x',
  host: '127.0.0.1',
  gatewayPort: 0,
  connectPort: 0,
  modelManagePort: 0,
  enginePort: [0],
  insecure: false,
  tls: 'optional',
  allowHost: [],
  allowOrigin: [],
  maxDocument: 1,
  logLevel: 'info',
  logFormat: 'pretty',
  resume: false,
  allowExec: [],
  jetMemory: 1,
  stateMemory: 1,
  jetTimeout: 1,
  jetNetwork: false,
  jetIsolation: 'auto',
}

const connect = service('connect', 'http://127.0.0.1:8001', '/data/connect')
const engine = service('engine', 'http://127.0.0.1:8003')

function textOf(started: readonly Started[], more: Partial<Settings> = {}): string {
  return stripVTControlCharacters(readyText(started, { ...settings, ...more }))
}

describe('the READY text', () => {
  test('has a row for each service, in order, in columns', () => {
    const lines = textOf([connect, service('model-manage', 'http://127.0.0.1:8002', 'SQLite'), engine])
      .split('\n')
      .map((line) => line.trimEnd())
    expect(lines).toEqual([
      '',
      'READY',
      '',
      'SERVICE        URL                     USES',
      'connect        http://127.0.0.1:8001   /data/connect',
      'model-manage   http://127.0.0.1:8002   SQLite',
      'engine         http://127.0.0.1:8003',
      '',
      'Try:  curl http://127.0.0.1:8001/1/connect',
      '',
    ])
  })

  const rows: [name: string, started: Started[], more: Partial<Settings>, line: string][] = [
    ['with Connect asks for the fleet', [engine, connect], {}, 'curl http://127.0.0.1:8001/1/connect'],
    ['without Connect asks for health', [engine], {}, 'curl http://127.0.0.1:8003/1/health'],
    ['with a token asks what needs none', [connect], { token: 't' }, 'curl http://127.0.0.1:8001/1/health'],
    [
      'with TLS required does not ask for an authority',
      [service('connect', 'https://localhost:1')],
      { tls: 'required' },
      'curl -k https://localhost:1/1/connect',
    ],
  ]
  test.for(rows)('the first command %s', ([_, started, more, line]) => {
    expect(textOf(started, more)).toContain(`\nTry:  ${line}\n`)
  })

  test('the token is not in it', () => {
    expect(textOf([connect, engine], { token: 'secret' })).not.toContain('secret')
  })
})
