import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { freePort, healthy, startedConnect, startedMember, temporaryFolder, until } from './surroundings.ts'

interface Answer {
  readonly status: number
  readonly type: string | null
  readonly text: string
  readonly etag: string | null
}

async function call(base: string, path: string, options: RequestInit = {}): Promise<Answer> {
  const answer = await fetch(`${base}${path}`, { ...options, headers: { accept: '*/*', ...options.headers } })
  const { status, headers } = answer
  return { status, type: headers.get('content-type'), text: await answer.text(), etag: headers.get('etag') }
}

function put(base: string, body: BodyInit, headers: Record<string, string> = { 'content-type': 'application/x-yaml' }) {
  return call(base, '/1/config', { method: 'PUT', body, headers })
}

async function entries(base: string, query = ''): Promise<Record<string, unknown>[]> {
  const answer = await call(base, `/1/connect${query}`)
  expect([answer.status, answer.type]).toEqual([200, 'application/json'])
  return JSON.parse(answer.text)
}

const plain = 'text/plain; charset=utf-8'
const text = `# The fleet of the tests
fastscore:
  fleet:
    - { api: model-manage, host: 127.0.0.1, port: '8002' }   # quoted
  db: { type: mysql, host: db.example.org, port: "3306", username: root, password: "0123" }
`
const fleetSection = [{ api: 'model-manage', host: '127.0.0.1', port: 8002 }]
const dbSection = { type: 'mysql', host: 'db.example.org', port: 3306, username: 'root', password: '0123' }

describe('before there is a configuration', () => {
  const rows: [path: string, status: number, sentence: string][] = [
    ['/1/config', 404, 'no configuration is set; PUT one to /1/config'],
    ['/1/config?q=db', 404, 'no configuration is set; PUT one to /1/config'],
    ['/1/connect', 403, 'Connect has no configuration yet; PUT one to /1/config'],
    ['/1/connect?api=engine', 403, 'Connect has no configuration yet; PUT one to /1/config'],
    ['/1/connect/history', 403, 'Connect has no configuration yet; PUT one to /1/config'],
  ]
  test.for(rows)('GET %s is %i', async ([path, status, sentence]) => {
    const { url } = await startedConnect()
    expect(await call(url, path)).toEqual({ status, type: plain, text: sentence, etag: null })
  })
})

describe('PUT /1/config', () => {
  test('is 201 the first time and 204 from then on, without a body', async () => {
    const { url } = await startedConnect()
    const empty = { type: null, text: '', etag: null }
    expect(await put(url, text)).toEqual({ status: 201, ...empty })
    expect(await put(url, text)).toEqual({ status: 204, ...empty })
    expect(await put(url, 'other:\n  fleet: []\n')).toEqual({ status: 204, ...empty })
    expect((await call(url, '/1/config')).text).toBe('other:\n  fleet: []\n')
  })

  const types = ['application/x-yaml', 'application/yaml', 'text/yaml', 'text/plain', 'application/octet-stream', '']
  test.for(types)("takes YAML as '%s'", async (type) => {
    const { url } = await startedConnect()
    const body = new Blob([text])
    expect((await put(url, body, type === '' ? {} : { 'content-type': type })).status).toBe(201)
    expect((await call(url, '/1/config')).text).toBe(text)
  })

  test('takes JSON', async () => {
    const { url } = await startedConnect()
    const body = JSON.stringify({ pitot: { fleet: fleetSection, db: dbSection } })
    expect((await put(url, body, { 'content-type': 'application/json' })).status).toBe(201)
    expect(JSON.parse((await call(url, '/1/config?q=db', { headers: { accept: 'application/json' } })).text)).toEqual(
      dbSection,
    )
  })

  const laughing = `pitot:\n  x: &x [a]\n  y: [${Array(101).fill('*x').join(', ')}]\n`
  const refused: [name: string, body: BodyInit, status: number, sentence: string, headers?: Record<string, string>][] =
    [
      ['no body', '', 400, 'the request has no body; it must hold the configuration, YAML or JSON'],
      ['a scalar', 'pitot', 400, 'line 1: the configuration must have one top key, such as `pitot:`'],
      ['a tab', 'pitot:\n\tfleet: []', 400, 'line 2: tabs are not allowed as indentation'],
      [
        'a repeated key',
        'pitot:\n  db: { type: sqlite }\n  db: { type: sqlite }\n',
        400,
        "line 3: the key 'db' is there twice",
      ],
      [
        'an unknown key',
        'pitot:\n  fleets: []\n',
        400,
        "line 2: pitot has no key 'fleets'; did you mean 'fleet'?; known: fleet, db, pneumo",
      ],
      ['a wrong type', 'pitot:\n  fleet: 5\n', 400, "line 2: fleet must be a list, but is '5'"],
      ['an alias bomb', laughing, 400, 'line 3: there are more than 100 aliases in the configuration'],
      [
        'ten megabytes',
        'a: b\n'.repeat(2_000_000),
        400,
        'line 209716: the configuration is longer than 1 MiB from here on',
      ],
      [
        'no UTF-8',
        new Uint8Array([0x70, 0x3a, 0xff]),
        400,
        'the configuration is not valid UTF-8: the byte at offset 2 does not fit',
      ],
      [
        'a compressed body',
        text,
        415,
        "Content-Encoding 'gzip' is not supported; send the body as it is",
        { 'content-encoding': 'gzip' },
      ],
    ]
  test.for(refused)('refuses %s, and the old one stays in force', async ([_, body, status, sentence, headers]) => {
    const { url } = await startedConnect()
    await put(url, text)
    expect(await put(url, body, headers)).toEqual({ status, type: plain, text: sentence, etag: null })
    expect((await call(url, '/1/config')).text).toBe(text)
    expect((await entries(url, '?return=name')).map(({ name }) => name)).toEqual(['model-manage-1'])
  })

  test('a refused first one leaves Connect unconfigured', async () => {
    const { url } = await startedConnect()
    expect((await put(url, 'pitot')).status).toBe(400)
    expect((await call(url, '/1/config')).status).toBe(404)
    expect((await put(url, text)).status).toBe(201)
  })

  test('a document over the size limit is 413 and names the option', async () => {
    const { url } = await startedConnect({ maxDocument: 100 })
    expect(await put(url, `# ${'x'.repeat(100)}`)).toMatchObject({
      status: 413,
      text: 'the body is larger than the limit of 100 bytes; raise it with --max-document',
    })
  })

  test('of many at the same time the one in force is the one on the disk, and only one is the first', async () => {
    const data = await temporaryFolder()
    const { url } = await startedConnect({ data })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) => put(url, `pitot: { fleet: [] } # ${number}\n`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(204)])
    const kept = await readFile(join(data, 'connect', 'configuration.yaml'), 'utf8')
    expect((await call(url, '/1/config')).text).toBe(kept)
  })

  test('the other methods are 405 and say what is possible', async () => {
    const { url } = await startedConnect()
    const answer = await fetch(`${url}/1/config`, { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT'])
    expect(await answer.text()).toBe('DELETE is not possible on /1/config; possible: GET, HEAD, PUT')
  })
})

describe('GET /1/config', () => {
  const json = 'application/json'
  const yaml = 'application/x-yaml'
  const all = { fastscore: { fleet: fleetSection, db: dbSection } }
  const rows: [query: string, accept: string, type: string, expected: unknown][] = [
    ['', '*/*', yaml, text],
    ['', 'application/x-yaml', yaml, text],
    ['', 'application/yaml', 'application/yaml', text],
    ['', 'text/yaml', 'text/yaml', text],
    ['', 'text/html', yaml, text],
    ['', json, json, all],
    ['', 'application/json, application/x-yaml;q=0.5', json, all],
    ['?q=db', json, json, dbSection],
    ['?q=fleet', json, json, fleetSection],
    ['?q=fastscore', json, json, all.fastscore],
    ['?q=db', '*/*', yaml, 'type: mysql\nhost: db.example.org\nport: 3306\nusername: root\npassword: "0123"\n'],
    ['?q=fleet', '*/*', yaml, '- api: model-manage\n  host: 127.0.0.1\n  port: 8002\n'],
  ]
  test.for(rows)("'%s' with Accept '%s' is %s", async ([query, accept, type, expected]) => {
    const { url } = await startedConnect()
    await put(url, text)
    const answer = await call(url, `/1/config${query}`, { headers: { accept } })
    expect([answer.status, answer.type]).toEqual([200, type])
    if (type === json) expect(JSON.parse(answer.text)).toEqual(expected)
    else expect(answer.text).toBe(expected)
  })

  const missing: [query: string, status: number, sentence: string][] = [
    ['?q=pneumo', 404, "the configuration has no section 'pneumo'; there are: fleet, db, fastscore"],
    ['?q=flet', 404, "the configuration has no section 'flet'; did you mean 'fleet'?; there are: fleet, db, fastscore"],
    ['?q=', 404, "the configuration has no section ''; there are: fleet, db, fastscore"],
    ['?q=constructor', 404, "the configuration has no section 'constructor'; there are: fleet, db, fastscore"],
    ['?section=db', 403, "there is no query parameter 'section' here; known: q"],
    ['?q=db&q=fleet', 403, "query parameter 'q' is given more than once"],
  ]
  test.for(missing)("'%s' is %i", async ([query, status, sentence]) => {
    const { url } = await startedConnect()
    await put(url, text)
    expect(await call(url, `/1/config${query}`)).toEqual({ status, type: plain, text: sentence, etag: null })
  })

  test('a fault is given as problem details to those who accept JSON only', async () => {
    const { url } = await startedConnect()
    const answer = await call(url, '/1/config', { headers: { accept: json } })
    expect([answer.status, answer.type]).toEqual([404, 'application/problem+json'])
    expect(JSON.parse(answer.text)).toMatchObject({
      code: 'config-not-set',
      status: 404,
      detail: 'no configuration is set; PUT one to /1/config',
    })
  })

  test('the tag changes with the configuration and with nothing else', async () => {
    const { url } = await startedConnect()
    await put(url, text)
    const { etag } = await call(url, '/1/config')
    expect(etag).toMatch(/^"[\w-]{22}"$/)
    await put(url, text)
    expect((await call(url, '/1/config')).etag).toBe(etag)
    await put(url, `${text}# more\n`)
    expect((await call(url, '/1/config')).etag).not.toBe(etag)
  })

  test('comes back to the letter whatever it looks like', async () => {
    const { url } = await startedConnect()
    for (const given of ['pitot: {}', 'pitot:   {  }\r\n\r\n# Grüße, 世界 🛩\r\n', '{"a":\n{}}', '---\na: {}\n...\n']) {
      await put(url, given)
      expect((await call(url, '/1/config')).text).toBe(given)
    }
  })
})

describe('what is kept', () => {
  test('the configuration is there after a restart, and a PUT is then 204', async () => {
    const data = await temporaryFolder()
    const before = await startedConnect({ data })
    expect((await put(before.url, text)).status).toBe(201)
    await before.stop()
    const { url } = await startedConnect({ data })
    expect((await call(url, '/1/config')).text).toBe(text)
    expect(await entries(url, '?return=name,port')).toEqual([{ name: 'model-manage-1', port: 8002 }])
    expect((await put(url, text)).status).toBe(204)
  })

  test('the standard configuration is in force until one is PUT, which then counts as the first', async () => {
    const data = await temporaryFolder()
    const { url, connect, stop } = await startedConnect({ data })
    const standard = 'pitot:\n  fleet:\n    - { api: engine, host: 127.0.0.1, port: 1 }\n'
    connect.setStandard(standard)
    expect((await call(url, '/1/config')).text).toBe(standard)
    expect(await entries(url, '?return=name')).toEqual([{ name: 'engine-1' }])
    expect((await put(url, text)).status).toBe(201)
    expect((await call(url, '/1/config')).text).toBe(text)
    connect.setStandard(standard)
    expect(await entries(url, '?return=name')).toEqual([{ name: 'model-manage-1' }])
    await stop()
    const after = await startedConnect({ data })
    after.connect.setStandard(standard)
    expect((await call(after.url, '/1/config')).text).toBe(text)
  })
})

describe('GET /1/connect', () => {
  const record = { id: 'an-id', release: '1.3', built_on: 'Mon Jan 16 00:29:55 UTC 2017' }
  let ports: { readonly up: number; readonly newer: number; readonly down: number }
  let url: string

  beforeEach(async () => {
    const up = await startedMember(healthy(record))
    const newer = await startedMember(healthy({ ...record, id: 'newer', release: '1.7' }))
    ports = { up: up.port, newer: newer.port, down: await freePort() }
    url = (await startedConnect()).url
    await put(
      url,
      `pitot:
  fleet:
    - { api: model-manage, host: 127.0.0.1, port: ${ports.up} }
    - { api: engine, host: 127.0.0.1, port: ${ports.newer} }
    - { api: engine-x, host: localhost, port: ${ports.up} }
    - { api: engine, host: 127.0.0.1, port: ${ports.down}, name: blue }
`,
    )
  })

  test('gives all members with the usual fields', async () => {
    const newer = { ...record, id: 'newer', release: '1.7' }
    const unseen = { id: null, release: null, built_on: null }
    const host = '127.0.0.1'
    expect(await entries(url)).toEqual([
      { name: 'engine-1', api: 'engine', host, port: ports.newer, health: 'ok', ...newer },
      { name: 'blue', api: 'engine', host, port: ports.down, health: 'fail', ...unseen },
      { name: 'engine-x-1', api: 'engine-x', host: 'localhost', port: ports.up, health: 'ok', ...record },
      { name: 'model-manage-1', api: 'model-manage', host, port: ports.up, health: 'ok', ...record },
    ])
  })

  const filters: Record<string, readonly string[]> = {
    'name=blue': ['blue'],
    'name=engine-x-1': ['engine-x-1'],
    'name=engine': [],
    'name=': [],
    'api=engine': ['engine-1', 'blue', 'engine-x-1'],
    'api=engine-x': ['engine-1', 'blue', 'engine-x-1'],
    'api=model-manage': ['model-manage-1'],
    'api=connect': [],
    'host=localhost': ['engine-x-1'],
    'host=127.0.0.1': ['engine-1', 'blue', 'model-manage-1'],
    'host=127.0.0.2': [],
    'port=UP': ['engine-x-1', 'model-manage-1'],
    'port=0UP': ['engine-x-1', 'model-manage-1'],
    'port=0': [],
    'release=1.3': ['engine-x-1', 'model-manage-1'],
    'release=1.7': ['engine-1'],
    'release=1': [],
    'health=ok': ['engine-1', 'engine-x-1', 'model-manage-1'],
    'health=fail': ['blue'],
    'api=engine&health=ok': ['engine-1', 'engine-x-1'],
    'api=engine&health=fail': ['blue'],
    'api=engine-x&release=1.3': ['engine-x-1'],
    'api=engine&port=UP': ['engine-x-1'],
    'host=127.0.0.1&health=ok&release=1.3': ['model-manage-1'],
    'name=engine-1&api=engine&host=127.0.0.1&port=NEWER&release=1.7&health=ok': ['engine-1'],
    'name=engine-1&api=engine&host=127.0.0.1&port=NEWER&release=1.7&health=fail': [],
    'name=blue&health=ok': [],
  }
  test.for(Object.entries(filters))('?%s gives %j', async ([query, names]) => {
    const filled = query.replace('UP', String(ports.up)).replace('NEWER', String(ports.newer))
    expect((await entries(url, `?${filled}`)).map(({ name }) => name)).toEqual(names)
  })

  test('return gives the fields asked for, since and reason too, and passes over what it does not know', async () => {
    const rows: [fields: string, expected: object][] = [
      ['host,port', { host: '127.0.0.1', port: ports.down }],
      ['name', { name: 'blue' }],
      ['health,reason', { health: 'fail', reason: 'nothing listens there (connection refused)' }],
      ['api,id,release,built_on', { api: 'engine', id: null, release: null, built_on: null }],
      ['name,color,toString', { name: 'blue' }],
      ['name,name, api ,', { name: 'blue', api: 'engine' }],
      ['color', {}],
      ['', {}],
    ]
    for (const [fields, expected] of rows) {
      expect(await entries(url, `?name=blue&return=${encodeURIComponent(fields)}`), fields).toEqual([expected])
    }
    const [{ since }] = (await entries(url, '?name=blue&return=since')) as [{ since: string }]
    expect(new Date(since).toISOString()).toBe(since)
    expect(await entries(url, '?name=engine-1&return=reason')).toEqual([{ reason: null }])
    await put(url, 'pitot: { fleet: [{ api: engine, host: 127.0.0.1, port: 1, scheme: https }] }')
    expect(await entries(url, '?return=name,scheme')).toEqual([{ name: 'engine-1', scheme: 'https' }])
  })

  const refused: [query: string, sentence: string][] = [
    ['port=http', "query parameter 'port' is 'http', but must be a whole number from 0 to 65535"],
    ['port=70000', "query parameter 'port' is '70000', but must be a whole number from 0 to 65535"],
    ['health=good', "query parameter 'health' is 'good', but must be one of ok, fail"],
    [
      'nmae=blue',
      "there is no query parameter 'nmae' here; did you mean 'name'?; known: name, api, host, port, release, health, return",
    ],
    ['name=a&name=b', "query parameter 'name' is given more than once"],
  ]
  test.for(refused)('?%s is 403', async ([query, sentence]) => {
    expect(await call(url, `/1/connect?${query}`)).toEqual({ status: 403, type: plain, text: sentence, etag: null })
  })

  test('history tells the changes, newest first', async () => {
    const came = await startedMember(healthy(), ports.down)
    await until(
      () => entries(url, '?name=blue'),
      ([blue]) => blue?.health === 'ok',
      'blue',
    )
    await came.stop()
    await until(
      () => entries(url, '?name=blue'),
      ([blue]) => blue?.health === 'fail',
      'blue',
    )
    const answer = await call(url, '/1/connect/history?name=blue')
    const changes = JSON.parse(answer.text) as { time: string; name: string; health: string; reason: string | null }[]
    expect(changes.map(({ health }) => health)).toEqual(['fail', 'ok', 'fail'])
    expect(changes.map(({ name }) => name)).toEqual(['blue', 'blue', 'blue'])
    expect(changes[1]!.reason).toBeNull()
    expect(changes[2]!.reason).toBe('nothing listens there (connection refused)')
    const times = changes.map(({ time }) => time)
    expect(times).toEqual(times.toSorted().reverse())
    expect(JSON.parse((await call(url, '/1/connect/history?name=blue&count=1')).text)).toEqual(changes.slice(0, 1))
    const everybody = JSON.parse((await call(url, '/1/connect/history')).text) as { name: string }[]
    expect(new Set(everybody.map(({ name }) => name))).toEqual(
      new Set(['blue', 'engine-1', 'engine-x-1', 'model-manage-1']),
    )
    expect(await call(url, '/1/connect/history?count=0')).toMatchObject({
      status: 403,
      text: "query parameter 'count' is '0', but must be a whole number from 1 to 1000",
    })
  })
})

test('the way of a user: nothing, a fleet, one goes down, a section (scenario 1)', async () => {
  const members = [await startedMember(healthy()), await startedMember(healthy()), await startedMember(healthy())]
  const [modelManage, one, two] = members.map(({ port }) => port)
  const { url } = await startedConnect()
  expect((await call(url, '/1/connect')).status).toBe(403)
  expect((await call(url, '/1/config')).status).toBe(404)
  const document = `fastscore:
  fleet:
    - { api: model-manage, host: 127.0.0.1, port: ${modelManage} }
    - { api: engine, host: 127.0.0.1, port: ${one} }
    - { api: engine, host: 127.0.0.1, port: ${two} }
  db: { type: mysql, host: database, port: 3306, username: root, password: root }
`
  expect((await put(url, document)).status).toBe(201)
  expect((await put(url, document)).status).toBe(204)
  expect(await entries(url, '?return=name,health')).toEqual([
    { name: 'engine-1', health: 'ok' },
    { name: 'engine-2', health: 'ok' },
    { name: 'model-manage-1', health: 'ok' },
  ])
  await members[2]!.stop()
  await until(
    () => entries(url, '?health=fail&return=name'),
    (failed) => failed.length === 1,
    'the members that fail',
  )
  expect(await entries(url, '?health=fail&return=name')).toEqual([{ name: 'engine-2' }])
  expect(await entries(url, '?api=engine&return=host,port')).toEqual([
    { host: '127.0.0.1', port: one },
    { host: '127.0.0.1', port: two },
  ])
  expect((await call(url, '/1/config?q=db')).text).toBe(
    'type: mysql\nhost: database\nport: 3306\nusername: root\npassword: root\n',
  )
})

describe('a configuration file at the start', () => {
  test('is in force at once and kept', async () => {
    const data = await temporaryFolder()
    const configFile = join(data, 'fleet.yaml')
    await writeFile(configFile, text)
    const { url, stop } = await startedConnect({ data, configFile })
    expect((await call(url, '/1/config')).text).toBe(text)
    expect((await put(url, text)).status).toBe(204)
    await stop()
    const again = await startedConnect({ data })
    expect((await call(again.url, '/1/config')).text).toBe(text)
  })
})
