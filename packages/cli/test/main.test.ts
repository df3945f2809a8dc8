import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { anyPorts, pitot, ready, takenPort, temporaryFolder, until } from './surroundings.ts'

describe('what is asked for is printed', () => {
  test('version', async () => {
    const { code, stdout, stderr } = await pitot(['version']).ended
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'pitot 1.3\n', stderr: '' })
  })

  test.for([[], ['help'], ['--help'], ['-h']])('help for %j, with all commands', async (args) => {
    const { code, stdout, stderr } = await pitot(args).ended
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Usage: pitot [options] [command]')
    for (const command of ['version', 'up', 'connect', 'model-manage', 'engine', 'gateway']) {
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'))
    }
  })

  test.for([
    ['up', '--help'],
    ['help', 'up'],
  ])('help of one command for %j, with options and variables', async (args) => {
    const { code, stdout, stderr } = await pitot(args).ended
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('Usage: pitot up [options]')
    expect(stdout).toContain('--engine-port <port>')
    expect(stdout).toContain('PITOT_ENGINE_PORT')
  })
})

/** Ended early: nothing on standard output, one line on standard error, no stack. */
async function refusal(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await pitot(args, env).ended
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^pitot: [^\n]+\n$/)
  expect(stderr).not.toMatch(/\bat .*(\.js|\.ts|node:)/)
  return { code, sentence: stderr.slice('pitot: '.length, -1) }
}

describe('a wrong command line is one sentence and 78', () => {
  const rows: [args: string[], sentence: string][] = [
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['verison'], "unknown command 'verison' (Did you mean version?)"],
    [['up', '--connect-prot', '1'], "unknown option '--connect-prot' (Did you mean --connect-port?)"],
    [['up', 'now'], "too many arguments for 'up'. Expected 0 arguments but got 1: now."],
    [['up', '--data'], "option '--data <folder>' argument missing"],
    [
      ['up', '--connect-port', 'http'],
      "option '--connect-port <port>' argument 'http' is invalid. A port is a whole number from 0 to 65535; 0 means any free one.",
    ],
    [
      ['up', '--tls', 'maybe'],
      "option '--tls <mode>' argument 'maybe' is invalid. Allowed choices are optional, required.",
    ],
    [['connect', '--tls-cert', 'x'], '--tls-cert and --tls-key belong together: give both or neither'],
    [['connect', '--tls-key', 'x'], '--tls-cert and --tls-key belong together: give both or neither'],
    [
      ['connect', '--tls-cert', '/no/such/cert', '--tls-key', 'x'],
      'the file /no/such/cert cannot be used: it is not there; see --tls-cert',
    ],
    [
      ['connect', '--host', '192.0.2.1', '--insecure', '--connect-port', '0'],
      '192.0.2.1 is no address of this machine; choose another with --host',
    ],
    [
      ['connect', '--config', '/no/such/file'],
      'the configuration /no/such/file cannot be used: it is not there; see --config',
    ],
    [['connect', '--config', '/'], 'the configuration / cannot be used: it is a folder; see --config'],
  ]
  test.for(rows)('%j', async ([args, sentence]) => {
    const data = await temporaryFolder()
    expect(await refusal(args, { PITOT_DATA: data })).toEqual({ code: 78, sentence })
  })

  test('a wrong variable is named', async () => {
    expect(await refusal(['up'], { PITOT_LOG_LEVEL: 'loud' })).toEqual({
      code: 78,
      sentence:
        "option '--log-level <level>' value 'loud' from env 'PITOT_LOG_LEVEL' is invalid. Allowed choices are trace, debug, info, warn, error, silent.",
    })
  })

  test('a configuration with a fault is named with its line', async () => {
    const data = await temporaryFolder()
    const file = join(data, 'fleet.yaml')
    await writeFile(file, 'pitot:\n  fleet:\n    - { api: engine, host: a, prot: 1 }\n')
    const expected = {
      code: 78,
      sentence: `the configuration ${file} is not right: line 3: fleet entry 1 has no key 'prot'; did you mean 'port'?; known: api, host, port, name, scheme`,
    }
    expect(await refusal(['connect', '--config', file, '--data', data])).toEqual(expected)
    expect(await refusal(['up', '--config', file, '--data', data, ...anyPorts])).toEqual(expected)
  })

  test('a kept configuration that is damaged is named with its path', async () => {
    const data = await temporaryFolder()
    await mkdir(join(data, 'connect'))
    await writeFile(join(data, 'connect', 'configuration.yaml'), 'pitot: 5\n')
    const { sentence } = await refusal(['connect', '--connect-port', '0', '--data', data])
    expect(sentence).toBe(
      `the configuration ${join(data, 'connect', 'configuration.yaml')} is not right: line 1: pitot must have entries (fleet, db, pneumo), but is '5'`,
    )
  })

  test('files that are no certificate are named', async () => {
    const data = await temporaryFolder()
    const file = join(data, 'x.pem')
    await writeFile(file, 'x')
    const { code, sentence } = await refusal(['connect', '--tls-cert', file, '--tls-key', file, '--data', data])
    expect(code).toBe(78)
    expect(sentence).toContain(`${file} and ${file} are no certificate and its key, in PEM form: `)
  })
})

describe('a data folder that cannot be one is one sentence and 78', () => {
  test('because it is a file', async () => {
    const file = join(await temporaryFolder(), 'a-file')
    await writeFile(file, '')
    expect(await refusal(['up', '--data', file])).toEqual({
      code: 78,
      sentence: `the data folder ${file} cannot be used: there is a file of that name; see --data`,
    })
  })

  test('because it is in a file', async () => {
    const file = join(await temporaryFolder(), 'a-file')
    await writeFile(file, '')
    expect(await refusal(['up', '--data', join(file, 'data')])).toEqual({
      code: 78,
      sentence: `the data folder ${join(file, 'data')} cannot be used: a part of the path is a file; see --data`,
    })
  })
})

describe('a port in use is one sentence with the option, and 1', () => {
  const options = ['--gateway-port', '--connect-port', '--model-manage-port', '--engine-port']
  test.for(options)('%s of up', async (option) => {
    const [data, port] = [await temporaryFolder(), await takenPort()]
    const args = anyPorts.with(anyPorts.indexOf(option) + 1, String(port))
    expect(await refusal(['up', ...args, '--data', data])).toEqual({
      code: 1,
      sentence: `port ${port} on 127.0.0.1 is in use; choose another with ${option}, or 0 for any free one`,
    })
  })

  test.for(['up', 'engine'])('the second engine port of %s', async (command) => {
    const [data, port] = [await temporaryFolder(), await takenPort()]
    const ports = command === 'up' ? anyPorts : ['--engine-port', '0']
    const { code, sentence } = await refusal([command, ...ports, '--engine-port', String(port), '--data', data])
    expect(code).toBe(1)
    expect(sentence).toContain(`port ${port} on 127.0.0.1 is in use; choose another with --engine-port`)
  })
})

describe('off loopback', () => {
  const sentence =
    'listening on 0.0.0.0 makes the services reachable from other machines: set --token, or --insecure if that is what you want'

  test('it does not start without a token', async () => {
    const data = await temporaryFolder()
    expect(await refusal(['connect', '--host', '0.0.0.0', '--data', data])).toEqual({ code: 78, sentence })
    expect(await refusal(['up', '--data', data], { PITOT_HOST: '0.0.0.0', PITOT_INSECURE: 'no' })).toEqual({
      code: 78,
      sentence,
    })
  })

  test('it starts with a token, which every call then needs', async () => {
    const args = ['connect', '--host', '0.0.0.0', '--connect-port', '0', '--data', await temporaryFolder()]
    const { url } = await ready(args, { PITOT_TOKEN: 'secret' })
    expect((await fetch(`${url('connect')}/1/config`)).status).toBe(401)
    expect((await fetch(`${url('connect')}/1/health`)).status).toBe(200)
    const headers = { authorization: 'Bearer secret' }
    expect((await fetch(`${url('connect')}/1/config`, { headers })).status).toBe(404)
  })

  test('it starts when its owner insists', async () => {
    const args = [
      'connect',
      '--host',
      '0.0.0.0',
      '--connect-port',
      '0',
      '--insecure',
      '--data',
      await temporaryFolder(),
    ]
    const { url } = await ready(args)
    expect((await fetch(`${url('connect')}/1/config`)).status).toBe(404)
  })
})

describe('signals', () => {
  test.for(['SIGTERM', 'SIGINT'] as const)('%s ends up with 0', async (signal) => {
    const running = await ready(['up', ...anyPorts, '--data', await temporaryFolder()])
    // A kept connection must not hold it up.
    expect((await fetch(`${running.url('connect')}/1/connect`)).status).toBe(200)
    running.process.kill(signal)
    const { code, signal: killed, stderr } = await running.ended
    expect([code, killed]).toEqual([0, null])
    expect(stderr).toContain(`${signal}: stopping`)
  })

  test.for(['SIGTERM', 'SIGINT'] as const)(
    'an upload under way is finished before %s ends it, and kept',
    async (signal) => {
      const args = ['up', ...anyPorts, '--data', await temporaryFolder(), '--log-level', 'debug']
      const running = await ready(args)
      const through = `${running.url('gateway')}/api/1/service/model-manage-1`
      const headers = { 'content-type': 'application/vnd.pitot.model-python' }
      expect((await fetch(`${through}/1/model/m`, { method: 'PUT', body: 'x', headers })).status).toBe(201)

      const uploads = [through, running.url('model-manage')].map((base, index) => {
        const outgoing = request(`${base}/1/model/m/attachment/a${index}`, {
          method: 'PUT',
          headers: { 'content-type': 'application/zip' },
        })
        const status = new Promise<number>((resolve, reject) => {
          outgoing.on('error', reject)
          outgoing.on('response', (answer) => {
            answer.resume()
            resolve(answer.statusCode!)
          })
        })
        status.catch(() => undefined)
        return { outgoing, status }
      })
      for (const { outgoing } of uploads) {
        await new Promise<void>((resolve) => void outgoing.write('the beginning', () => resolve()))
      }
      // A later answer on another connection: what was written before has arrived.
      expect((await fetch(`${through}/1/model`)).status).toBe(200)
      running.process.kill(signal)
      await until(() => running.stderr().includes(`${signal}: stopping`), 'the signal to arrive')
      await until(() => refused(running.url('gateway')), 'the gateway to take no more connections')
      expect(running.process.exitCode).toBeNull()
      for (const { outgoing } of uploads) outgoing.end(' and the end')
      for (const { status } of uploads) expect(await status).toBe(201)
      expect((await running.ended).code).toBe(0)

      const again = await ready(args)
      for (const index of [0, 1]) {
        const kept = await fetch(`${again.url('model-manage')}/1/model/m/attachment/a${index}`)
        expect(await kept.text()).toBe('the beginning and the end')
      }
    },
  )
})

async function refused(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const call = request(`${url}/1/health`, { agent: false }, (answer) => {
      answer.resume()
      resolve(false)
    })
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'))
    call.end()
  })
}
