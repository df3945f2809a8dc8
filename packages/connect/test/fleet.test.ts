import type { RequestListener } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { FleetMember } from '../src/configuration.ts'
import { Fleet, type FleetOptions } from '../src/fleet.ts'
import { freePort, healthy, quiet, startedMember, until } from './surroundings.ts'

function startedFleet(members: readonly FleetMember[], more: Partial<FleetOptions> = {}): Fleet {
  const fleet = new Fleet({ interval: 20, timeout: 5000, defaultScheme: 'http', log: quiet, ...more })
  onTestFinished(() => fleet.stop())
  fleet.replace(members)
  return fleet
}

function member(port: number, name = 'engine-1', api = 'engine'): FleetMember {
  return { name, api, host: '127.0.0.1', port }
}

async function only(fleet: Fleet) {
  const [state, ...more] = await fleet.members()
  expect(more).toEqual([])
  return state!
}

const unknown = { id: null, release: null, built_on: null }
const record = { id: 'an-id', release: '1.7', built_on: 'Mon Jan 16 00:29:55 UTC 2017' }

interface Answer {
  readonly answer: RequestListener
  readonly timeout?: number
  readonly expected: object
}

const answers: Record<string, Answer> = {
  'a health record': { answer: healthy(record), expected: { health: 'ok', reason: null, ...record } },
  'a record without a build date': {
    answer: healthy({ id: 'x', release: '1' }),
    expected: { health: 'ok', reason: null, id: 'x', release: '1', built_on: '' },
  },
  'status 503 with a sentence': {
    answer: (_, response) => void response.writeHead(503).end('the database\n is  away'),
    expected: { health: 'fail', reason: 'status 503: the database is away', ...unknown },
  },
  'status 404 without one': {
    answer: (_, response) => void response.writeHead(404).end(),
    expected: { health: 'fail', reason: 'status 404: ', ...unknown },
  },
  'a redirect, which is not followed': {
    answer: (_, response) => void response.writeHead(302, { location: '/1/other' }).end(),
    expected: { health: 'fail', reason: 'status 302: ', ...unknown },
  },
  'a page': {
    answer: (_, response) => void response.end('<html>'),
    expected: { health: 'fail', reason: 'it answers, but not with a health record', ...unknown },
  },
  nothing: {
    answer: (_, response) => void response.end(),
    expected: { health: 'fail', reason: 'it answers, but not with a health record', ...unknown },
  },
  null: {
    answer: (_, response) => void response.end('null'),
    expected: { health: 'fail', reason: 'it answers, but not with a health record', ...unknown },
  },
  'JSON of another kind': {
    answer: healthy({ id: 5, release: '1.3' }),
    expected: { health: 'fail', reason: 'it answers, but not with a health record', ...unknown },
  },
  'five megabytes': {
    answer: (_, response) => void response.end(Buffer.alloc(5 * 2 ** 20, 'x')),
    expected: { health: 'fail', reason: 'the answer is longer than 4194304 bytes', ...unknown },
  },
  silence: {
    answer: () => undefined,
    timeout: 100,
    expected: { health: 'fail', reason: 'no answer within 100 ms', ...unknown },
  },
  'a beginning, then silence': {
    answer: (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('{"id":'),
    timeout: 100,
    expected: { health: 'fail', reason: 'no answer within 100 ms', ...unknown },
  },
  'a connection closed in the middle': {
    answer: (_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('{"id":', () => response.destroy())
    },
    expected: { health: 'fail', reason: 'it closed the connection', ...unknown },
  },
  'a closed connection': {
    answer: (request) => void request.socket.destroy(),
    expected: { health: 'fail', reason: 'it closed the connection', ...unknown },
  },
}

describe('a member that answers with', () => {
  for (const [name, { answer, timeout, expected }] of Object.entries(answers)) {
    test(name, async () => {
      const { port } = await startedMember(answer)
      const fleet = startedFleet([member(port)], timeout === undefined ? {} : { timeout })
      expect(await only(fleet)).toMatchObject({ ...member(port), ...expected })
    })
  }
})

describe('a member that cannot be called', () => {
  test('because nothing listens there', async () => {
    const fleet = startedFleet([member(await freePort())])
    expect(await only(fleet)).toMatchObject({
      health: 'fail',
      reason: 'nothing listens there (connection refused)',
      ...unknown,
    })
  })

  test('because its host is not known', async () => {
    const fleet = startedFleet([{ ...member(1), host: 'nobody.invalid' }])
    const { health, reason } = await only(fleet)
    expect(health).toBe('fail')
    expect(reason).toMatch(/^the host name (is not known|cannot be looked up)$/)
  })

  test('because it speaks no TLS', async () => {
    const { port } = await startedMember(healthy())
    const fleet = startedFleet([{ ...member(port), scheme: 'https' }])
    expect((await only(fleet)).health).toBe('fail')
    const standard = startedFleet([member(port)], { defaultScheme: 'https' })
    expect((await only(standard)).health).toBe('fail')
  })
})

describe('over time', () => {
  test('a member goes fail when it stops, and ok when it is back; what it said of itself is remembered', async () => {
    const before = Date.now()
    const running = await startedMember(healthy(record))
    const fleet = startedFleet([member(running.port)])
    const first = await only(fleet)
    expect(first).toMatchObject({ health: 'ok', ...record })

    await running.stop()
    const down = await until(
      () => only(fleet),
      (state) => state.health === 'fail',
      'the stopped member',
    )
    expect(down).toMatchObject(record)
    expect(down.since.getTime()).toBeGreaterThanOrEqual(first.since.getTime())
    await until(
      () => only(fleet),
      (state) => state.reason === 'nothing listens there (connection refused)',
      'the reason',
    )

    await startedMember(healthy({ ...record, id: 'another-id' }), running.port)
    const back = await until(
      () => only(fleet),
      (state) => state.health === 'ok',
      'the member that is back',
    )
    expect(back).toMatchObject({ id: 'another-id', reason: null })

    const changes = fleet.changes(undefined, 100)
    expect(changes.map(({ name, health }) => `${name} ${health}`)).toEqual([
      'engine-1 ok',
      'engine-1 fail',
      'engine-1 ok',
    ])
    expect(changes[0]!.reason).toBeNull()
    expect(changes[1]!.reason).not.toBeNull()
    const times = changes.map(({ time }) => time.getTime())
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(times.at(-1)).toBeGreaterThanOrEqual(before)
    expect(fleet.changes(undefined, 2)).toEqual(changes.slice(0, 2))
    expect(fleet.changes('engine-2', 100)).toEqual([])
    expect(fleet.changes('engine-1', 1)).toEqual(changes.slice(0, 1))
  })

  test('the time of a change stays while health stays', async () => {
    const running = await startedMember(healthy())
    const fleet = startedFleet([member(running.port)])
    const { since } = await only(fleet)
    await until(running.calls, (calls) => calls > 3, 'calls')
    expect((await only(fleet)).since).toEqual(since)
    expect(fleet.changes(undefined, 100)).toHaveLength(1)
  })

  test('a silent member holds nobody else up', async () => {
    const silent = await startedMember(() => undefined)
    const running = await startedMember(healthy())
    startedFleet([member(silent.port, 'engine-1'), member(running.port, 'engine-2')], { timeout: 60_000 })
    await until(running.calls, (calls) => calls > 3, 'calls of the other')
    expect(silent.calls()).toBe(1)
  })

  test('nobody is called after stop', async () => {
    const running = await startedMember(healthy())
    const fleet = startedFleet([member(running.port)])
    await until(running.calls, (calls) => calls > 2, 'calls')
    fleet.stop()
    await expectNoMoreCalls(running)
  })
})

describe('when the members are replaced', () => {
  test('what is known of those that stay is kept, under their new name', async () => {
    const running = await startedMember(healthy())
    const fleet = startedFleet([member(running.port, 'engine-1')])
    const before = await only(fleet)
    fleet.replace([member(running.port, 'blue')])
    expect(await only(fleet)).toEqual({ ...before, name: 'blue' })
    expect(fleet.changes(undefined, 100)).toHaveLength(1)
    await running.stop()
    await until(
      () => fleet.changes('blue', 100),
      (changes) => changes[0]?.health === 'fail',
      'changes of blue',
    )
  })

  test('those that have gone are asked no more, and those that are new are asked first', async () => {
    const [old, fresh] = [await startedMember(healthy()), await startedMember(healthy())]
    const fleet = startedFleet([member(old.port)])
    await fleet.members()
    fleet.replace([member(fresh.port, 'engine-1')])
    expect(await only(fleet)).toMatchObject({ port: fresh.port, health: 'ok' })
    await expectNoMoreCalls(old)
    expect(fresh.calls()).toBeGreaterThan(0)
  })

  test('two entries of the same address are two members, and both can go', async () => {
    const running = await startedMember(healthy())
    const twins = [member(running.port, 'a'), member(running.port, 'b')]
    const fleet = startedFleet(twins)
    expect((await fleet.members()).map(({ name, health }) => `${name} ${health}`)).toEqual(['a ok', 'b ok'])
    fleet.replace(twins)
    expect(await fleet.members()).toHaveLength(2)
    expect(fleet.changes(undefined, 100)).toHaveLength(2)
    fleet.replace([])
    expect(await fleet.members()).toEqual([])
    await expectNoMoreCalls(running)
  })

  test('those who wait for a member that is taken away are not left waiting', async () => {
    const silent = await startedMember(() => undefined)
    const fleet = startedFleet([member(silent.port)], { timeout: 60_000 })
    const waiting = fleet.members()
    await until(silent.calls, (calls) => calls === 1, 'the question')
    fleet.replace([])
    expect(await waiting).toEqual([])
  })
})

test('members are grouped by api in alphabetical order, and in the order of the configuration within', async () => {
  const { port } = await startedMember(healthy())
  const given = ['model-manage b', 'engine-x z', 'engine y', 'connect c', 'engine x', 'model-manage a']
  const members = given.map((text) => {
    const [api = '', name = ''] = text.split(' ')
    return member(port, name, api)
  })
  const states = await startedFleet(members).members()
  expect(states.map(({ api, name }) => `${api} ${name}`)).toEqual([
    'connect c',
    'engine y',
    'engine x',
    'engine-x z',
    'model-manage b',
    'model-manage a',
  ])
})

/** Time for many more rounds of questions, shown by another fleet that goes on asking. */
async function expectNoMoreCalls(quiet: { calls(): number }): Promise<void> {
  const clock = await startedMember(healthy())
  startedFleet([member(clock.port)])
  // A question may still be on its way.
  await until(clock.calls, (calls) => calls > 3, 'calls of the clock')
  const calls = quiet.calls()
  await until(clock.calls, (count) => count > 12, 'calls of the clock')
  expect(quiet.calls()).toBe(calls)
}
