// Records written into the descriptor, scored by a PFA document, and looked at.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { debugIn, debugOut, type Fleet, squarePfa, startFleet } from './fleet.ts'

let fleet: Fleet
beforeAll(async () => {
  fleet = await startFleet()
})
afterAll(() => fleet?.stop())

test('a list of records', async () => {
  const { engine } = fleet
  const heard = await fleet.listen()
  await engine.model('pfa-json', squarePfa)
  await engine.output({ ...debugOut, Schema: 'int' })
  await engine.input(debugIn(['1', '2', '3', '4', '5', '6', '7'], { Schema: 'int' }))
  const status = await engine.finished()
  expect(status.input).toMatchObject({ eof: true, total_records: 7 })
  expect(await engine.debugOutput()).toEqual(['1', '4', '9', '16', '25', '36', '49'])
  // Reading takes nothing away.
  expect(await engine.debugOutput()).toHaveLength(7)
  expect(await heard.first('output-eof')).toMatchObject({ src: 'engine-1', timestamp: expect.stringMatching(/T.*Z$/) })
})

const identity = JSON.stringify({ input: 'string', output: 'string', action: 'input' })

test('one text, cut into lines, from the third byte on', async () => {
  const { engine } = fleet
  await engine.model('pfa-json', identity)
  await engine.input({
    Transport: { Type: 'debug', Data: 'aaa\nbbb\nccc' },
    Envelope: 'delimited',
    SkipTo: 2,
    Loop: false,
  })
  await engine.output({ Transport: 'debug' })
  await engine.finished()
  expect(await engine.debugOutput()).toEqual(['a', 'bbb', 'ccc'])
})

test('binary records', async () => {
  const { engine } = fleet
  await engine.model('pfa-json', identity)
  await engine.output(debugOut)
  const DataBinary = ['"x"', '"grüße"'].map((text) => Buffer.from(text).toString('base64'))
  await engine.input({ Transport: { Type: 'debug', DataBinary }, Encoding: 'json' })
  await engine.finished()
  expect(await engine.debugOutput()).toEqual(['"x"', '"grüße"'])
})
