import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeTarGz, makeZip } from '../model/archives.ts'
import { debugInput, leftOf, trying } from './trying.ts'

const nothing = { files: [], processes: [] }
const pfaSquare = '{"input":"int","output":"int","action":{"*":["input","input"]}}'
const echo = 'export const action = (x) => x\n'

/** The lines of a section. */
function section(report: string, title: string): string[] {
  const start = report.split('\n').findIndex((line) => line.startsWith(title))
  const lines = report.split('\n').slice(start + 1)
  return start < 0 ? [] : lines.slice(0, lines.indexOf('')).map((line) => line.slice(2))
}

const verdictOf = (report: string) => report.trimEnd().split('\n').at(-1)

describe('a model that works', () => {
  const models: [type: string, model: string][] = [
    ['pfa', pfaSquare],
    ['application/vnd.fastscore.model-pfa+json', pfaSquare],
    ['pfa-yaml', 'input: int\noutput: int\naction: {"*": [input, input]}\n'],
    ['javascript', '// pitot.input: whole\nexport const action = (x) => x * x\n'],
    ['python', 'def action(x):\n    yield x * x\n'],
    ['python3', '# pitot.output: int\ndef action(x):\n    return x * x\n'],
  ]
  test.each(models)('in %s', async (type, model) => {
    await using here = trying()
    const report = await here.run({ input: debugInput(['1', '2', '3']), type, model })
    expect(section(report, 'Outputs')).toEqual(['1', '4', '9'])
    expect(section(report, 'Records')).toEqual([
      'read      3: to the end of the stream',
      'scored    3',
      'rejected  0',
      'written   3',
    ])
    expect(verdictOf(report)).toBe('The model works: 3 of 3 records were scored. Next: PUT it to /1/job/model.')
    expect(leftOf(here.folder)).toEqual(nothing)
  })

  test('is told with its slots, its streams and its times', async () => {
    await using here = trying()
    const report = await here.run({
      input: 'three',
      output: { Transport: 'Debug', Encoding: 'json' },
      type: 'pfa',
      model: pfaSquare,
    })
    expect(section(report, 'Model')).toEqual([
      `language      pfa-json, ${pfaSquare.length} bytes`,
      'slot 0 (in)   for action, int',
      'slot 1 (out)  int',
      expect.stringMatching(/^isolation {5}own process group; /),
    ])
    expect(section(report, 'Streams')).toEqual([
      `input    three: ${JSON.stringify(debugInput(['1', '2', '3']))}`,
      'output   {"Transport":"Debug","Encoding":"json"}',
      expect.stringMatching(/^warning {2}.*'Debug' is taken for 'debug'$/),
    ])
    expect(section(report, 'Time').map((line) => line.replace(/ {2,}.*/, ''))).toEqual([
      'loading',
      'running',
      'decoding',
      'checking inputs',
      'in the model',
      'checking outputs',
      'encoding',
    ])
  })

  test('finds its attachments, of both kinds', async () => {
    await using here = trying()
    const attachments = [
      { name: 'a.zip', type: 'zip', data: makeZip([{ name: 'one.txt', content: '40' }]).toString('base64') },
      { name: 'b.tgz', type: 'tgz', data: makeTarGz([{ name: 'two.txt', content: '2' }]).toString('base64') },
    ]
    const model =
      'base = sum(int(open(name).read()) for name in ("one.txt", "two.txt"))\ndef action(x):\n    return base + x\n'
    const report = await here.run({ input: debugInput(['0']), type: 'python3', model, attachments })
    expect(section(report, 'Outputs')).toEqual(['42'])
    expect(section(report, 'Model')).toContainEqual(expect.stringMatching(/^attachment {4}a\.zip, zip, \d+ bytes$/))
    expect(leftOf(here.folder)).toEqual(nothing)
  })

  test('writes to the output that is given, and to slots that have none in the report', async () => {
    await using here = trying()
    const file = join(here.folder, 'out')
    const output = { Transport: { Type: 'file', Path: file }, Encoding: 'json' }
    const model = 'import pitot\n# pitot.schema.3: int\ndef action(x):\n    pitot.emit(x + 1, 3)\n    return x\n'
    const report = await here.run({ input: debugInput(['1', '2']), output, type: 'python3', model })
    expect(readFileSync(file, 'utf8')).toBe('1\n2\n')
    expect(section(report, 'Outputs').sort()).toEqual(['1', '2', 'slot 3: 2', 'slot 3: 3'])
    expect(verdictOf(report)).toMatch(/^The model works: /)
  })

  test('is shown with the beginnings of long records, characters kept whole, and with bytes that are no text', async () => {
    await using here = trying()
    const [long, odd] = [`"${'é'.repeat(600)}"`, `"x${'é'.repeat(600)}"`]
    const report = await here.run({ input: debugInput([long, odd]), type: 'javascript', model: echo })
    expect(section(report, 'Outputs')).toEqual([`"${'é'.repeat(499)}…`, `"x${'é'.repeat(499)}…`])
    const output = { Transport: 'discard', Encoding: 'avro-binary', Schema: 'double' }
    const binary = await here.run({ input: debugInput(['0.1']), output, type: 'javascript', model: echo })
    expect(section(binary, 'Outputs')).toEqual(['mpmZmZmZuT8= (base64)'])
  })

  test('stores no snapshot, and tells nobody but those who watch a console output', async () => {
    await using here = trying()
    const model =
      '# pitot.snapshots: eof\nimport pitot\ndef action(x):\n    print("seen")\n    return pitot.cells("sum").update(lambda old: (old or 0) + x)\n'
    const report = await here.run({
      input: 'three',
      output: { Transport: 'console', Encoding: 'json' },
      type: 'python3',
      model,
    })
    expect(section(report, 'Outputs')).toEqual(['1', '3', '6'])
    expect(section(report, 'What the model printed')).toEqual(['seen', 'seen', 'seen'])
    expect(here.snapshots).toEqual([])
    expect([...new Set(here.events.map(({ kind }) => kind))]).toEqual(['output'])
  })
})

describe('records that are rejected', () => {
  test('are told with their places, their reasons and the lines of the model', async () => {
    await using here = trying()
    const model = 'def share(x):\n    return 10 / x\n\ndef action(x):\n    print("got", x)\n    return share(x)\n'
    const report = await here.run({ input: debugInput(['5', '0', 'x', '2']), type: 'python3', model })
    expect(section(report, 'Rejected').join('\n')).toMatch(
      /^record 2, by model: ZeroDivisionError: division by zero \(model\.py, line 2\)\n {4}record: 0\n.*line 6, in action\n {8}return share\(x\)\n.*line 2, in share\n {8}return 10 \/ x\n.*^record 3, by encoding: expected JSON.*\n {4}record: x$/ms,
    )
    expect(section(report, 'What the model printed')).toEqual(['got 5', 'got 0', 'got 2'])
    expect(section(report, 'Outputs')).toEqual(['2.0', '5.0'])
    expect(verdictOf(report)).toBe(
      'The model works on 2 of 4 records; rejected: 2. Next: correct the model where the reasons above point, or let OnError of the input say what becomes of such records.',
    )
  })

  test('lead to the line also in JavaScript, and what they say is not obeyed by a terminal', async () => {
    await using here = trying()
    const model = 'export function action(x) {\n  if (x === 0) throw new Error(`no \\u001b[31m`)\n  return x\n}\n'
    const report = await here.run({ input: debugInput(['0', '1']), type: 'javascript', model })
    expect(section(report, 'Rejected')).toEqual([
      'record 1, by model: Error: no \\u001b[31m',
      '    record: 0',
      '    Error: no \\u001b[31m',
      '        at action (model.mjs:2:22)',
      '    line 2: if (x === 0) throw new Error(`no \\u001b[31m`)',
    ])
    expect(report).not.toContain('\u001b')
  })

  const verdicts: [title: string, body: object, verdict: RegExp][] = [
    [
      'all of them, by the schema',
      { input: debugInput(['"a"', '"b"']), type: 'pfa', model: pfaSquare },
      /^The model does not work: 0 of 2 records were scored\. Next: compare the data with the schemas/,
    ],
    [
      'until the stream says stop',
      { input: debugInput(['1', 'x', '3'], { OnError: 'fail' }), type: 'javascript', model: echo },
      /^The model does not work: the trial stopped, because a record of slot 0 was rejected: .*Encoding, and try again\.$/,
    ],
    [
      'outputs of another type',
      {
        input: debugInput(['1']),
        type: 'javascript',
        model: '// pitot.output: string\nexport const action = (x) => x\n',
      },
      /^The model does not work: it gave records that were rejected, 1 in number\. Next: compare what it gives with its output schema/,
    ],
    [
      'the end of the model',
      {
        input: debugInput(['1']),
        type: 'python3',
        model: 'def action(x):\n    return x\n\ndef end():\n    raise ValueError("no end")\n',
      },
      /^The model does not work to the end: /,
    ],
    ['no records at all', { input: debugInput([]), type: 'javascript', model: echo }, /there were no records\. Next: /],
    [
      'none, and nothing comes of them',
      { input: debugInput(['1', '2']), type: 'javascript', model: 'export function action() {}\n' },
      /^The model works on 2 of 2 records, but gave none\. Next: /,
    ],
  ]
  test.each(verdicts)('%s', async (_title, body, verdict) => {
    await using here = trying()
    const report = await here.run(body)
    expect(verdictOf(report), report).toMatch(verdict)
    expect(leftOf(here.folder)).toEqual(nothing)
  })
})

describe('whatever the model and its streams do, there is an end', () => {
  test('of an input that loops', async () => {
    await using here = trying({}, { records: 50 })
    const report = await here.run({ input: debugInput(['1', 'x'], { Loop: true }), type: 'javascript', model: echo })
    expect(section(report, 'Records').slice(0, 3)).toEqual([
      'read      50: a trial reads no more',
      'scored    25',
      'rejected  25',
    ])
    // Of those that are alike a few are enough.
    expect(report).toContain('\nRejected, the first 3 of 25\n')
    expect(report).toContain('\nOutputs, the first 20 of 25\n')
  })

  test('of an input that falls silent: what it has given is scored, and the model ends', async () => {
    await using here = trying({}, { reading: 500 })
    const file = join(here.folder, 'followed')
    writeFileSync(file, '1\n2\n')
    const input = { Transport: { Type: 'file', Path: file, Follow: true }, Encoding: 'json' }
    const model = 'def action(x):\n    return x\n\ndef end():\n    yield "end"\n'
    const report = await here.run({ input, type: 'python3', model })
    expect(section(report, 'Records')[0]).toBe('read      2: a trial reads for 0.5 s at most')
    expect(section(report, 'Outputs')).toEqual(['1', '2', '"end"'])
  })

  test('of a record that a jet does not survive', async () => {
    await using here = trying({ timeout: 1 })
    const model = 'import time\n\ndef action(x):\n    if x == 2:\n        time.sleep(1000)\n    return x\n'
    const report = await here.run({ input: 'three', type: 'python3', model })
    expect(section(report, 'Rejected')[0]).toMatch(/^record 2, by model: .* gave no sign of life for 1 second/)
    expect(section(report, 'What the engine remarked')[0]).toMatch(/^jet \d+ is replaced: /)
    expect(section(report, 'Outputs')).toEqual(['1', '3'])
    expect(leftOf(here.folder)).toEqual(nothing)
  })

  test('of a model that is slower than a trial', async () => {
    await using here = trying({}, { time: 4000 })
    const model = 'import time\n\ndef action(x):\n    if x > 1:\n        time.sleep(1000)\n    return x\n'
    const input = debugInput(['1', '2', '3'], { Batching: null })
    const report = await here.run({ input, type: 'python3', model })
    expect(verdictOf(report)).toMatch(
      /^It is not known whether the model works: \d of 3 records were scored when the time was up\. /,
    )
    expect(leftOf(here.folder)).toEqual(nothing)
  })

  test('of a model that never loads', async () => {
    await using here = trying({}, { time: 2000 })
    const body = { input: 'three', type: 'python3', model: 'import time\ntime.sleep(1000)\n' }
    await expect(here.run(body)).rejects.toMatchObject({
      code: 'model-failed',
      message: expect.stringContaining('it had not begun after 2 s'),
    })
    expect(leftOf(here.folder)).toEqual(nothing)
  })

  test('of what a model says', async () => {
    await using here = trying()
    const model = 'def action(x):\n    print("y" * 10000)\n    raise ValueError("n" * 100000)\n'
    const input = debugInput(Array.from({ length: 100 }, (_, index) => JSON.stringify(`${index}`.repeat(10_000))))
    const report = await here.run({ input, type: 'python3', model })
    expect(report.length).toBeLessThan(2 ** 17)
    expect(report).toMatch(/… and \d+ characters more$/m)
    expect(verdictOf(report)).toMatch(/^The model does not work: 0 of 100 records were scored/)
  })
})

describe('what is refused', () => {
  const rows: [title: string, body: object, sentence: RegExp][] = [
    [
      'a model that is none',
      { type: 'python3', model: 'def action(x:\n' },
      /does not compile as Python 3: model\.py, line 1/,
    ],
    [
      'a model that dies when it is loaded',
      { type: 'python3', model: 'import os\nos._exit(3)\n' },
      /ended with status 3 while it was loading/,
    ],
    [
      'a model that cannot begin',
      { type: 'python3', model: 'def begin():\n    1 / 0\n\ndef action(x):\n    pass\n' },
      /begin fails: ZeroDivisionError/,
    ],
    [
      'a model with a second input',
      { type: 'python3', model: '# pitot.schema.2: int\ndef action(x, slot):\n    pass\n' },
      /the model reads slot 2 too, but a trial has one input/,
    ],
    ['a descriptor', { input: { Transport: 'reset' } }, /did you mean 'REST'/],
    [
      'a REST input',
      { input: { Transport: 'REST' } },
      /\/input has transport REST, but nobody can send records to a trial/,
    ],
    ['a REST output', { output: { Transport: 'REST' } }, /\/output has transport REST, but nobody can fetch/],
    [
      'an input that is not there',
      { input: { Transport: { Type: 'file', Path: '/does/not/exist' } } },
      /\/does\/not\/exist/,
    ],
    [
      'streams of other types',
      { type: 'pfa', model: pfaSquare, input: debugInput(['"x"'], { Schema: 'string' }) },
      /the input schemas of stream and model do not fit/,
    ],
    [
      'an unsafe archive',
      {
        attachments: [
          { name: 'a.zip', type: 'zip', data: makeZip([{ name: '../x', content: 'y' }]).toString('base64') },
        ],
      },
      /attachment 'a\.zip' is refused: /,
    ],
  ]
  test.each(rows)('%s', async (_title, body, sentence) => {
    await using here = trying()
    await expect(here.run({ input: 'three', type: 'javascript', model: echo, ...body })).rejects.toThrow(sentence)
    expect(leftOf(here.folder)).toEqual(nothing)
  })

  test('an output is not written over for a model that does not load', async () => {
    await using here = trying()
    const file = join(here.folder, 'out')
    const output = { Transport: { Type: 'file', Path: file } }
    await expect(here.run({ input: 'three', output, type: 'javascript', model: 'export' })).rejects.toThrow()
    expect(existsSync(file)).toBe(false)
  })
})

test('when nobody waits any more, everything ends, and the next trial may begin', async () => {
  await using here = trying()
  const gone = new AbortController()
  const model = 'import time\n\ndef action(x):\n    time.sleep(1000)\n'
  const running = here.run({ input: 'three', type: 'python3', model }, gone.signal)
  await expect.poll(() => leftOf(here.folder).processes.length, { timeout: 20_000 }).toBeGreaterThan(0)
  await expect(here.run({ input: 'three', type: 'pfa', model: pfaSquare })).rejects.toMatchObject({
    code: 'trial-busy',
  })
  gone.abort()
  await running.catch(() => undefined)
  expect(leftOf(here.folder)).toEqual(nothing)
  expect(await here.run({ input: 'three', type: 'pfa', model: pfaSquare })).toMatch(/^The model works: /m)
})
