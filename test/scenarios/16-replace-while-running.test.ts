// Model and streams change under a running job: every record is scored once, in order, by one model or the other.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { debugIn, type Fleet, modelType, restLines, startFleet } from './fleet.ts'
import { runnable } from './interpreters.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterEach(() => fleet.engine.ok('DELETE /1/job'))
afterAll(() => fleet?.stop())

const pig = '{"$pitot":"pig"}'
const versions = runnable<readonly [language: string, source: string]>([
  ['python3', 'def action(x):\n    yield [0, x]\n'],
  ['javascript', 'export const action = (x) => [1, x]\n'],
  [
    'pfa-json',
    JSON.stringify({
      input: 'int',
      output: { type: 'array', items: 'int' },
      action: { type: { type: 'array', items: 'int' }, new: [2, 'input'] },
    }),
  ],
  ['r', 'action <- function(x) emit(c(3, x))\n'],
])

test('the model, from one language to the next', async () => {
  const { engine } = fleet
  await engine.output(restLines)
  await engine.input(restLines)
  await engine.model(...versions[0]!)
  const each = 2000
  const lines: string[] = []
  const reading = (async () => {
    while (lines.at(-1) !== pig) lines.push(...(await engine.linesUntilPig()))
  })()
  let sent = 0
  const send = async (count: number) => {
    for (let last = sent + count; sent < last; sent += 100) {
      await engine.ok('POST /1/job/input', Array.from({ length: 100 }, (_, n) => `${sent + n}\n`).join(''))
    }
  }
  for (const [language, source] of versions.slice(1)) {
    // Records keep coming while the next model is loaded.
    await Promise.all([send(each), engine.model(language, source)])
  }
  await send(each)
  await engine.ok('POST /1/job/input', `${pig}\n`)
  await reading

  const pairs = lines.slice(0, -1).map((line) => JSON.parse(line) as [version: number, x: number])
  expect(pairs.map(([, x]) => x)).toEqual(Array.from({ length: sent }, (_, n) => n))
  const order = pairs.map(([version]) => version)
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order.at(-1)).toBe(versions.length - 1)
  expect(await engine.status()).toMatchObject({ state: 'running', model: { type: versions.at(-1)![0] } })
})

test('a model that does not load leaves the old one at work', async () => {
  const { engine } = fleet
  await engine.output(restLines)
  await engine.input(restLines)
  await engine.model(...versions[1]!)
  expect((await engine.send('PUT /1/job/model', 'def action(x:\n', modelType('python3'))).status).toBe(400)
  await engine.ok('POST /1/job/input', `5\n${pig}\n`)
  expect(await engine.linesUntilPig()).toEqual(['[1,5]', pig])
  expect(await engine.status()).toMatchObject({ state: 'running', model: { type: 'javascript' } })
})

test('the input: the new one is read from its beginning, behind what came from the old one', async () => {
  const { engine } = fleet
  await engine.output(restLines)
  await engine.input(restLines)
  await engine.model(...versions[1]!)
  await engine.ok('POST /1/job/input', `1\n2\n${pig}\n`)
  expect(await engine.linesUntilPig()).toEqual(['[1,1]', '[1,2]', pig])
  await engine.input(debugIn([7, 8, pig]))
  expect(await engine.linesUntilPig()).toEqual(['[1,7]', '[1,8]', pig])
})

test('the output: what belongs to the old one stays with it', async () => {
  const { engine } = fleet
  await engine.output({ Transport: 'debug', Encoding: 'json' })
  await engine.input(restLines)
  await engine.model(...versions[1]!)
  await engine.ok('POST /1/job/input', '1\n2\n')
  await engine.until(({ output }) => output?.total_records === 2, 'two records')
  await engine.output(restLines)
  await engine.ok('POST /1/job/input', `3\n${pig}\n`)
  expect(await engine.linesUntilPig()).toEqual(['[1,3]', pig])
  expect(await engine.debugOutput()).toEqual(['[1,1]', '[1,2]'])
})

test('taking the model away keeps what is not scored for the next one', async () => {
  const { engine } = fleet
  await engine.output(restLines)
  await engine.input(restLines)
  await engine.model(...versions[0]!)
  expect((await engine.send('DELETE /1/job/model')).status).toBe(204)
  expect(await engine.status()).toMatchObject({ model: null, jets: [] })
  await engine.ok('POST /1/job/input', `4\n${pig}\n`)
  await engine.model(...versions[1]!)
  expect(await engine.linesUntilPig()).toEqual(['[1,4]', pig])
})
