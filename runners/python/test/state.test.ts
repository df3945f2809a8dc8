// Cells and pools: what models ask of the host, what they get, and what becomes of values on the way.
import type { Answer, Ask } from '@pitot/jet'
import { describe, expect, test } from 'vitest'
import { PythonJet } from './python-jet.ts'

/** A host that keeps what it is given, as JSON. */
function store(): (ask: Ask) => Answer {
  const items = new Map<string, unknown>()
  return (ask) => {
    const item = 'cell' in ask ? ask.cell : `${ask.pool}/${ask.key}`
    if ('value' in ask) items.set(item, JSON.parse(JSON.stringify(ask.value)))
    else if (ask.do === 'set') items.delete(item)
    return ask.do === 'get' || ask.do === 'lock' ? { value: items.get(item) } : {}
  }
}

/** Of every kind, those included that JSON or a host would change. */
const values = [
  '0',
  '-7',
  '2**53 - 1',
  '2**53',
  '10**30',
  '1.5',
  '3.0',
  '-0.0',
  '"é"',
  'None',
  'True',
  '[1, [2.5, None]]',
  '{"a": {"b": 1}}',
  '{"b": 1, "2": 2, "1": 3}',
  '{1: 2}',
  '(1, 2)',
  '{1, 2}',
  'b"\\xff"',
  '"\\ud800"',
  '{"$python": "x"}',
  '{"$r": "x"}',
  '{"a": {"$python": "x"}}',
  'float("inf")',
  'complex(1, 2)',
  'datetime.date(2020, 1, 2)',
  'circle',
]

describe('cells and pools', () => {
  test('a cell is set, updated and read', async () => {
    const jet = await PythonJet.start(
      `
import fastscore
def begin():
    fastscore.cells('counter').set(0)
def action(x):
    counter = fastscore.cells('counter')
    counter.update(lambda y: x + y)
    yield counter.value
`,
      { answer: store() },
    )
    await jet.begin()
    expect((await jet.score(['1', '2', '3'])).texts).toEqual(['1', '3', '6'])
    expect(jet.asked.slice(0, 4)).toEqual([
      { do: 'set', cell: 'counter', value: 0 },
      { do: 'lock', cell: 'counter' },
      { do: 'release', cell: 'counter', value: 1 },
      { do: 'get', cell: 'counter' },
    ])
  })

  test('a pool is set, updated and read by key', async () => {
    const jet = await PythonJet.start(
      `
import pitot
def action(key):
    pool = pitot.pools('counts')
    if pool.get(key) is None: pool.set(key, 0)
    result = [pool.update(key, lambda n: n + 1), pool[key]]
    if key == 5: pool.delete(key)
    return result + [pool.get(key)]
`,
      { answer: store() },
    )
    expect((await jet.score(['"a"', '"b"', '"a"', '5'])).texts).toEqual(['[1,1,1]', '[1,1,1]', '[2,2,2]', '[1,1,null]'])
    expect(jet.asked[0]).toEqual({ do: 'get', pool: 'counts', key: 'a' })
  })

  test('values come back as they were', async () => {
    const jet = await PythonJet.start(
      `
import datetime, pitot
circle = []
circle.append(circle)
def action(text):
    value = eval(text)
    cell = pitot.cells('c')
    cell.set(value)
    back = cell.get()
    return [repr(back) == repr(value), type(back) is type(value)]
`,
      { answer: store() },
    )
    const { texts } = await jet.score(values.map((value) => JSON.stringify(value)))
    expect(values.map((value, at) => [value, texts[at]])).toEqual(values.map((value) => [value, '[true,true]']))
  })

  test('when the change raises the item is let go of and keeps its value', async () => {
    const jet = await PythonJet.start('import pitot\ndef action(x): pitot.cells("c").update(lambda v: 1 / 0)', {
      answer: store(),
    })
    expect((await jet.score(['1'])).rejects).toMatchObject([
      { reason: 'ZeroDivisionError: division by zero (model.py, line 2)' },
    ])
    expect(jet.asked).toEqual([
      { do: 'lock', cell: 'c' },
      { do: 'release', cell: 'c' },
    ])
  })

  test('what the host refuses is an exception of the model', async () => {
    const jet = await PythonJet.start('import pitot\ndef action(x): return pitot.cells("c").get()', {
      answer: () => ({ failed: 'it would wait for ever' }),
    })
    expect((await jet.score(['1'])).rejects).toMatchObject([
      { reason: 'RuntimeError: it would wait for ever (model.py, line 2)' },
    ])
  })

  test('they can be used while the model is imported, and not from other threads', async () => {
    const jet = await PythonJet.start(
      `
import pitot, threading
pitot.cells('c').set(5)
def action(x):
    caught = []
    def work():
        try: pitot.cells('c').get()
        except RuntimeError as error: caught.append(str(error))
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return [pitot.cells('c').get(), caught]
`,
      { answer: store() },
    )
    expect((await jet.score(['1'])).texts).toEqual([
      '[5,["cells and pools can be used only in the thread that runs begin, action and end"]]',
    ])
  })

  test('messages that come before an answer wait their turn', async () => {
    const jet = await PythonJet.start('import pitot\ndef action(x): return pitot.cells("c").get()')
    const bytes = Buffer.from('1')
    for (const batch of [1, 2]) {
      jet.process.send({
        kind: 'score',
        batch: { batch, slot: 0, isRecordset: false, first: 1, bytes, bounds: [0, 1] },
      })
    }
    jet.process.send({ kind: 'snapshot' })
    const heard: unknown[] = []
    for (let at = 0; at < 5; at++) {
      const message = await jet.process.receive()
      heard.push(message?.kind)
      if (message?.kind === 'ask') jet.process.send({ kind: 'answer', answer: { value: 1 } })
    }
    expect(heard).toEqual(['ask', 'scored', 'ask', 'scored', 'state'])
  })
})
