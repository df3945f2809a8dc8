// The golden folder: descriptors as people write them, with what they resolve to or everything that is wrong with them.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodingNames, envelopeNames, topFields } from '../../src/descriptor/fields.ts'
import {
  DescriptorError,
  type Direction,
  printDescriptor,
  type Remark,
  readDescriptor,
  transports,
} from '../../src/index.ts'

interface Good {
  readonly direction: Direction
  readonly given: unknown
  readonly resolved: unknown
  readonly warnings: readonly Remark[]
}

interface Bad {
  readonly direction: Direction
  readonly given: unknown
  readonly problems: readonly Remark[]
}

const folder = new URL('../../../../conformance/descriptors/', import.meta.url)

function cases<Case>(name: string): [string, Case][] {
  const place = new URL(`${name}/`, folder)
  return readdirSync(fileURLToPath(place)).map((file) => [file, JSON.parse(readFileSync(new URL(file, place), 'utf8'))])
}

const good = cases<Good>('good')
const bad = cases<Bad>('bad')

/** Undefined when the descriptor is refused; anything but a `DescriptorError` passes through. */
function attempt(given: unknown, direction: Direction) {
  try {
    return readDescriptor(given, direction, transports)
  } catch (error) {
    if (!(error instanceof DescriptorError)) throw error
    expect(error.problems.length).toBeGreaterThan(0)
    for (const { sentence } of error.problems) expect(sentence).not.toBe('')
    return undefined
  }
}

test('there are enough of them', () => {
  expect(good.length).toBeGreaterThanOrEqual(80)
  expect(bad.length).toBeGreaterThanOrEqual(60)
})

describe('good descriptors', () => {
  test.each(good)('%s', (_name, { direction, given, resolved, warnings }) => {
    const read = readDescriptor(given, direction, transports)
    expect(printDescriptor(read.descriptor)).toEqual(resolved)
    expect(read.warnings).toEqual(warnings)
  })
})

describe('bad descriptors', () => {
  test.each(bad)('%s', (_name, { direction, given, problems }) => {
    let error: unknown
    try {
      readDescriptor(given, direction, transports)
    } catch (thrown) {
      error = thrown
    }
    expect(error).toBeInstanceOf(DescriptorError)
    expect((error as DescriptorError).problems).toEqual(problems)
  })
})

describe('what is resolved, printed and read again is the same', () => {
  test.each(good)('%s', (_name, { direction, resolved }) => {
    const again = readDescriptor(resolved, direction, transports)
    expect(printDescriptor(again.descriptor)).toEqual(resolved)
  })
})

test('what is given is not changed', () => {
  for (const [, { direction, given }] of good) {
    const before = JSON.stringify(given)
    readDescriptor(given, direction, transports)
    expect(JSON.stringify(given)).toBe(before)
  }
})

/** Descriptors that come near to good ones: known words and fields, with values that fit, nearly fit, or are anything. */
const words = [
  ...transports.map(({ type }) => type),
  ...envelopeNames,
  ...encodingNames,
  'inline',
  'deliminated',
  'JSON',
  'constructor',
  '__proto__',
  'toString',
  'http://a.example/',
  '127.0.0.1',
  'MQ==',
  'kafka:9092',
  'simple',
  'records',
  'latest',
  'int',
  'string',
  'bytes',
]
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...words, 0, 1, 5, 65535, -1, 1.5, true, false, null, '', '5', [], {}),
  fc.constantFrom(...words).map((word) => [word]),
  fc.jsonValue({ maxDepth: 3 }),
)
const transportFields = transports.flatMap(({ fields }) => Object.keys(fields))
const anyCase = (names: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('as is', 'lower', 'upper'))
    .map(([name, form]) => (form === 'lower' ? name.toLowerCase() : form === 'upper' ? name.toUpperCase() : name))
const sectionOf = (names: readonly string[], fields: readonly string[]) =>
  fc.oneof(
    anyCase(names),
    fc
      .tuple(
        anyCase(names),
        fc.dictionary(anyCase([...fields, 'Bind', 'Seperator', 'constructor', '__proto__']), value, { maxKeys: 4 }),
      )
      .map(([Type, more]) => ({ Type, ...more })),
    value,
  )
/** Transports with the fields that they need, so that what follows is reached. */
const workingTransport = fc.constantFrom<unknown>(
  'REST',
  'discard',
  'console',
  'debug',
  { Type: 'file', Path: 'a' },
  { Type: 'debug', Data: 'a' },
  { Type: 'inline', DataBinary: ['MQ=='] },
  { Type: 'UDP', Port: 5, Host: 'a' },
  { Type: 'TCP', Port: 5, Host: 'a' },
  { Type: 'HTTP', Url: 'http://a.example/', Post: 'records' },
  { Type: 'exec', Run: 'a' },
  { Type: 'kafka', BootstrapServers: 'a:1', Topic: 't' },
)
/** Good values as a rule, so that some descriptors are good as a whole. */
const mostly = (odd: fc.Arbitrary<unknown>, ...usual: readonly unknown[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: odd })
const transportSection = sectionOf(
  transports.map(({ type }) => type),
  transportFields,
)
const envelopeSection = sectionOf(envelopeNames, ['Separator', 'Size', 'SyncMarker', 'SkipHeader', 'Compress'])
const encodingSection = sectionOf(encodingNames, ['Delimiter', 'QuoteCharacter'])
const descriptor = fc.record(
  {
    Transport: fc.oneof({ weight: 5, arbitrary: workingTransport }, { weight: 1, arbitrary: transportSection }),
    Envelope: mostly(
      envelopeSection,
      null,
      'delimited',
      'deliminated',
      { Type: 'delimited', Separator: '\\n' },
      'fixed',
    ),
    Encoding: mostly(encodingSection, null, 'json', 'JSON', 'utf8', 'csv', { type: 'csv', Delimiter: ';' }, 'msgpack'),
    Loop: mostly(value, true, false, null),
    EndMarker: mostly(value, null, 'end'),
    SkipTo: mostly(value, null, 0, '7'),
    SkipToRecord: mostly(value, null, 3, 'Latest'),
    Schema: mostly(value, null, 'string', 'stored', { type: 'record', name: 'R', fields: [] }, { $ref: 'a' }),
    Batching: mostly(value, 'normal', 'Explicit', null, { Watermark: 5 }, { NagleTime: '10' }),
    OnError: mostly(value, 'skip', 'FAIL', 'dead-letter'),
    DeadLetter: mostly(value, null, 'rejects'),
    Delivery: mostly(value, 'at-least-once', 'at-most-once', 'exactly-once'),
  },
  { requiredKeys: ['Transport'] },
)
const direction = fc.constantFrom<Direction>('input', 'output')

describe('whatever is given', () => {
  test('any JSON is read, or refused with reasons', () => {
    fc.assert(
      fc.property(fc.jsonValue(), direction, (given, which) => void attempt(given, which)),
      { numRuns: 500 },
    )
  })

  test('near misses are read, or refused with reasons; what is read is the same when it is read again', () => {
    let accepted = 0
    fc.assert(
      fc.property(descriptor, direction, (given, which) => {
        // As it would come over the network.
        const read = attempt(JSON.parse(JSON.stringify(given)), which)
        if (read === undefined) return
        accepted++
        const printed = JSON.parse(JSON.stringify(printDescriptor(read.descriptor)))
        expect(Object.keys(printed)).toEqual(Object.keys(topFields))
        const again = readDescriptor(printed, which, transports)
        expect(printDescriptor(again.descriptor)).toEqual(printed)
        expect(again.descriptor).toEqual(read.descriptor)
      }),
      { numRuns: 3000 },
    )
    // Otherwise the property would say little.
    expect(accepted).toBeGreaterThan(100)
  })

  test('any fields with odd names are refused, none is taken for something else', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', ' ', 'Transport ', '/', '~']) {
      for (const given of [
        JSON.parse(`{"Transport":"REST",${JSON.stringify(name)}:1}`),
        JSON.parse(`{"Transport":{"Type":"REST",${JSON.stringify(name)}:1}}`),
        JSON.parse(`{"Transport":"REST","Envelope":{"Type":"delimited",${JSON.stringify(name)}:1}}`),
        JSON.parse(`{"type":"discard",${JSON.stringify(name)}:1}`),
        JSON.parse(`{"type":"discard","connect":{${JSON.stringify(name)}:1}}`),
      ]) {
        expect(attempt(given, 'output'), JSON.stringify(given)).toBe(undefined)
      }
    }
  })

  test('depth does no harm', () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(attempt(deep, 'input')).toBe(undefined)
    expect(attempt({ Transport: deep }, 'input')).toBe(undefined)
    expect(attempt({ Transport: 'REST', Version: deep }, 'input')).toBe(undefined)
    expect(attempt({ Transport: 'REST', Schema: deep }, 'input')).not.toBe(undefined)
  })
})
