import { Command, CommanderError } from 'commander'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { addOptions, type ServiceCommand, type Settings } from '../src/options.ts'

/** What a command with these arguments and variables comes to. */
function settingsOf(args: readonly string[], env: Record<string, string> = {}, name: ServiceCommand = 'up'): Settings {
  for (const [variable, value] of Object.entries(env)) vi.stubEnv(variable, value)
  const command = new Command(name).exitOverride().configureOutput({ writeErr: () => undefined })
  addOptions(command, name).parse(args, { from: 'user' })
  return command.opts<Settings>()
}

afterEach(() => {
  vi.unstubAllEnvs()
})

test('without anything there are the usual values', () => {
  expect(settingsOf([])).toEqual({
    data: './pitot-data',
    host: '127.0.0.1',
    gatewayPort: 8000,
    connectPort: 8001,
    modelManagePort: 8002,
    enginePort: [8003],
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
    logLevel: 'info',
    logFormat: 'pretty',
  })
})

interface Row {
  readonly option: string
  readonly variable: string
  readonly text: string
  readonly key: keyof Settings
  readonly value: unknown
  readonly command?: ServiceCommand
}

const rows: readonly Row[] = [
  { option: '--data', variable: 'PITOT_DATA', text: '/srv/x', key: 'data', value: '/srv/x' },
  { option: '--host', variable: 'PITOT_HOST', text: '::1', key: 'host', value: '::1' },
  { option: '--gateway-port', variable: 'PITOT_GATEWAY_PORT', text: '1', key: 'gatewayPort', value: 1 },
  { option: '--connect-port', variable: 'PITOT_CONNECT_PORT', text: '65535', key: 'connectPort', value: 65535 },
  { option: '--model-manage-port', variable: 'PITOT_MODEL_MANAGE_PORT', text: '0', key: 'modelManagePort', value: 0 },
  { option: '--engine-port', variable: 'PITOT_ENGINE_PORT', text: '9003', key: 'enginePort', value: [9003] },
  { option: '--config', variable: 'PITOT_CONFIG', text: 'a.yaml', key: 'config', value: 'a.yaml' },
  { option: '--resume', variable: 'PITOT_RESUME', text: 'yes', key: 'resume', value: true },
  { option: '--file-root', variable: 'PITOT_FILE_ROOT', text: '/srv/in', key: 'fileRoot', value: '/srv/in' },
  { option: '--allow-exec', variable: 'PITOT_ALLOW_EXEC', text: '/bin/a', key: 'allowExec', value: ['/bin/a'] },
  { option: '--jet-memory', variable: 'PITOT_JET_MEMORY', text: '512M', key: 'jetMemory', value: 512 * 2 ** 20 },
  { option: '--jet-timeout', variable: 'PITOT_JET_TIMEOUT', text: '2.5', key: 'jetTimeout', value: 2.5 },
  { option: '--jet-network', variable: 'PITOT_JET_NETWORK', text: 'yes', key: 'jetNetwork', value: true },
  { option: '--jet-isolation', variable: 'PITOT_JET_ISOLATION', text: 'none', key: 'jetIsolation', value: 'none' },
  { option: '--state-memory', variable: 'PITOT_STATE_MEMORY', text: '64M', key: 'stateMemory', value: 64 * 2 ** 20 },
  { option: '--python', variable: 'PITOT_PYTHON', text: '/opt/py', key: 'python', value: '/opt/py', command: 'engine' },
  {
    option: '--rscript',
    variable: 'PITOT_RSCRIPT',
    text: '/opt/r',
    key: 'rscript',
    value: '/opt/r',
    command: 'engine',
  },
  { option: '--token', variable: 'PITOT_TOKEN', text: 'a.B-c_1~+/=', key: 'token', value: 'a.B-c_1~+/=' },
  { option: '--insecure', variable: 'PITOT_INSECURE', text: 'yes', key: 'insecure', value: true },
  { option: '--insecure', variable: 'PITOT_INSECURE', text: '1', key: 'insecure', value: true },
  { option: '--insecure', variable: 'PITOT_INSECURE', text: 'TRUE', key: 'insecure', value: true },
  { option: '--insecure', variable: 'PITOT_INSECURE', text: 'no', key: 'insecure', value: false },
  { option: '--insecure', variable: 'PITOT_INSECURE', text: 'false', key: 'insecure', value: false },
  { option: '--insecure', variable: 'PITOT_INSECURE', text: '0', key: 'insecure', value: false },
  { option: '--tls', variable: 'PITOT_TLS', text: 'required', key: 'tls', value: 'required' },
  { option: '--tls-cert', variable: 'PITOT_TLS_CERT', text: 'a.pem', key: 'tlsCert', value: 'a.pem' },
  { option: '--tls-key', variable: 'PITOT_TLS_KEY', text: 'b.pem', key: 'tlsKey', value: 'b.pem' },
  { option: '--allow-host', variable: 'PITOT_ALLOW_HOST', text: 'a.org', key: 'allowHost', value: ['a.org'] },
  {
    option: '--allow-origin',
    variable: 'PITOT_ALLOW_ORIGIN',
    text: 'https://a.org',
    key: 'allowOrigin',
    value: ['https://a.org'],
  },
  { option: '--max-document', variable: 'PITOT_MAX_DOCUMENT', text: '5', key: 'maxDocument', value: 5 },
  { option: '--max-document', variable: 'PITOT_MAX_DOCUMENT', text: '2k', key: 'maxDocument', value: 2048 },
  { option: '--max-document', variable: 'PITOT_MAX_DOCUMENT', text: '3M', key: 'maxDocument', value: 3 * 2 ** 20 },
  { option: '--max-document', variable: 'PITOT_MAX_DOCUMENT', text: '1G', key: 'maxDocument', value: 2 ** 30 },
  { option: '--log-level', variable: 'PITOT_LOG_LEVEL', text: 'debug', key: 'logLevel', value: 'debug' },
  { option: '--log-format', variable: 'PITOT_LOG_FORMAT', text: 'json', key: 'logFormat', value: 'json' },
  {
    option: '--connect',
    variable: 'PITOT_CONNECT',
    text: 'https://c:8001',
    key: 'connect',
    value: new URL('https://c:8001'),
    command: 'model-manage',
  },
]

describe('each option is a flag and a variable', () => {
  test.for(rows)('$option $text', ({ option, text, key, value, command }) => {
    expect(settingsOf([option, text], {}, command)[key]).toEqual(value)
  })

  test.for(rows)('$variable=$text', ({ variable, text, key, value, command }) => {
    expect(settingsOf([], { [variable]: text }, command)[key]).toEqual(value)
  })

  test('the flag counts more than the variable', () => {
    const env = {
      PITOT_DATA: 'a',
      PITOT_CONNECT_PORT: '1',
      PITOT_TOKEN: 'a',
      PITOT_ENGINE_PORT: '1,2',
      PITOT_INSECURE: 'yes',
    }
    const flags = ['--data', 'b', '--connect-port', '2', '--token', 'b', '--engine-port', '3', '--insecure', 'no']
    expect(settingsOf(flags, env)).toMatchObject({
      data: 'b',
      connectPort: 2,
      token: 'b',
      enginePort: [3],
      insecure: false,
    })
  })

  test('CONNECT_PREFIX says where Connect is, unless PITOT_CONNECT does', () => {
    const older = { CONNECT_PREFIX: 'https://old:8001' }
    expect(settingsOf([], older, 'engine').connect).toEqual(new URL('https://old:8001'))
    expect(settingsOf([], { ...older, PITOT_CONNECT: 'http://new:1' }, 'engine').connect).toEqual(
      new URL('http://new:1'),
    )
    expect(settingsOf(['--connect', 'http://flag:1'], older, 'engine').connect).toEqual(new URL('http://flag:1'))
  })

  test('--insecure needs no value', () => {
    expect(settingsOf(['--insecure', '--data', 'x'])).toMatchObject({ insecure: true, data: 'x' })
  })
})

describe('what can be given several times', () => {
  const lists: [name: string, args: string[], env: Record<string, string>, expected: Partial<Settings>][] = [
    ['engine ports', ['--engine-port', '1', '--engine-port', '2', '--engine-port', '3'], {}, { enginePort: [1, 2, 3] }],
    ['engine ports in one text', ['--engine-port', '1, 2', '--engine-port', '3'], {}, { enginePort: [1, 2, 3] }],
    [
      'the usual engine port again',
      ['--engine-port', '8003', '--engine-port', '8004'],
      {},
      { enginePort: [8003, 8004] },
    ],
    ['engine ports in the environment', [], { PITOT_ENGINE_PORT: '4,5' }, { enginePort: [4, 5] }],
    ['hosts', ['--allow-host', 'a', '--allow-host', 'b'], {}, { allowHost: ['a', 'b'] }],
    [
      'origins',
      ['--allow-origin', 'http://a', '--allow-origin', 'http://b'],
      {},
      { allowOrigin: ['http://a', 'http://b'] },
    ],
  ]
  test.for(lists)('%s', ([_, args, env, expected]) => {
    expect(settingsOf(args, env)).toMatchObject(expected)
  })

  test('a second command in the same process starts from the beginning', () => {
    settingsOf(['--engine-port', '1', '--allow-host', 'a'])
    expect(settingsOf([])).toMatchObject({ enginePort: [8003], allowHost: [] })
    expect(settingsOf(['--engine-port', '2', '--allow-host', 'b'])).toMatchObject({ enginePort: [2], allowHost: ['b'] })
  })
})

describe('bad values are refused with the option and what it can be', () => {
  const port = 'A port is a whole number from 0 to 65535; 0 means any free one.'
  const size = 'A size is a whole number, with K, M or G behind it if you like.'
  const url = 'The address must be a URL such as http://127.0.0.1:8001.'
  const token = 'A token is made of letters, digits and signs of ASCII, without spaces.'
  const bad: [args: string[], sentence: string, command?: ServiceCommand][] = [
    ...['x', '-1', '65536', '100000', '1.5', '0x50', '', ' 1', '1e3'].map((text): [string[], string] => [
      [`--connect-port=${text}`],
      port,
    ]),
    [['--engine-port=1,'], port],
    [['--engine-port=1,x'], port],
    ...['x', '', '1T', '-1', '1.5M', 'M', '1234567890123'].map((text): [string[], string] => [
      [`--max-document=${text}`],
      size,
    ]),
    ...['', 'two words', 'tür', 'a\tb'].map((text): [string[], string] => [[`--token=${text}`], token]),
    [['--insecure=maybe'], "It is 'yes' or 'no'."],
    [['--tls=maybe'], 'Allowed choices are optional, required.'],
    ...['0', '-1', 'x', '', '86401', '1e3', '.5'].map((text): [string[], string] => [
      [`--jet-timeout=${text}`],
      'A time is a number of seconds above 0, at most 86400.',
    ]),
    [['--jet-memory=much'], size],
    [['--jet-isolation=some'], 'Allowed choices are auto, none.'],
    [['--jet-network=maybe'], "It is 'yes' or 'no'."],
    [['--resume=maybe'], "It is 'yes' or 'no'."],
    [['--log-level=loud'], 'Allowed choices are trace, debug, info, warn, error, silent.'],
    [['--log-format=xml'], 'Allowed choices are pretty, json.'],
    [['--connect=127.0.0.1:8001'], url, 'engine'],
    [['--connect=ftp://a'], url, 'engine'],
    [['--connect='], url, 'gateway'],
  ]
  test.for(bad)('%j', ([args, sentence, command]) => {
    const error = refusalOf(() => settingsOf(args, {}, command))
    expect(error.message).toContain(`option '${args[0]!.split('=')[0]}`)
    expect(error.message).toContain(sentence)
  })

  test('a bad variable is named', () => {
    const error = refusalOf(() => settingsOf([], { PITOT_CONNECT_PORT: 'x' }))
    expect(error.message).toContain("value 'x' from env 'PITOT_CONNECT_PORT' is invalid")
    expect(error.message).toContain(port)
  })
})

describe('a command has the options that mean something to it, and no others', () => {
  const foreign: [command: ServiceCommand, option: string][] = [
    ['up', '--connect'],
    ['connect', '--engine-port'],
    ['connect', '--connect'],
    ['model-manage', '--connect-port'],
    ['model-manage', '--config'],
    ['engine', '--gateway-port'],
    ['gateway', '--config'],
    ['connect', '--jet-memory'],
    ['model-manage', '--resume'],
  ]
  test.for(foreign)('%s has no %s', ([command, option]) => {
    expect(refusalOf(() => settingsOf([`${option}=1`], {}, command)).message).toContain(`unknown option '${option}=1'`)
  })
})

function refusalOf(work: () => unknown): CommanderError {
  try {
    work()
  } catch (error) {
    if (error instanceof CommanderError) return error
    throw error
  }
  throw new Error('it was accepted')
}
