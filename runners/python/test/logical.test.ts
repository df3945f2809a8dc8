// Dates, times, decimals and UUIDs that models give: as the schema of the output says, in words where it says nothing.
import { describe, expect, test } from 'vitest'
import { findPython } from '../../../test/servers/python.ts'
import { JSON_STREAM, PythonJet } from './python-jet.ts'

const found = findPython(['numpy', 'pandas', 'scikit-learn'])
const reason = 'missing' in found ? ` (${found.missing})` : ''

/** Calculates what the records say. */
const EVALUATE = `
import math
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from uuid import UUID
def action(text): yield eval(text)
`
const EVALUATE_TABLES = `import numpy as np\nimport pandas as pd\n${EVALUATE}`

const logical = (type: string, logicalType: string, more = {}) => ({ type, logicalType, ...more })
const record = (...fields: (readonly [string, unknown])[]) => ({
  type: 'record',
  name: 'r',
  fields: fields.map(([name, type]) => ({ name, type })),
})

const DATE = logical('int', 'date')
const MILLIS = logical('long', 'timestamp-millis')
const MICROS = logical('long', 'timestamp-micros')
const NANOS = logical('long', 'timestamp-nanos')
const DECIMAL = logical('bytes', 'decimal', { precision: 4, scale: 2 })
const UUID_TEXT = '12345678-1234-5678-1234-567812345678'
const NOON = 'datetime(2020, 2, 29, 12, 0, 0, 123456)'

/** Schema of the output (null for none), expression, and the text that is written. */
type Row = readonly [schema: unknown, expression: string, text: string]
/** Schema of the output, expression, and the reason. */
type Refused = readonly [schema: unknown, expression: string, reason: string]

const rows: readonly Row[] = [
  [null, 'date(2020, 2, 29)', '"2020-02-29"'],
  [null, NOON, '"2020-02-29T12:00:00.123456"'],
  [null, `${NOON}.astimezone(timezone(timedelta(hours=1)))`, '"2020-02-29T13:00:00.123456+01:00"'],
  [null, 'time(1, 2, 3)', '"01:02:03"'],
  [null, `UUID("${UUID_TEXT}")`, `"${UUID_TEXT}"`],
  [null, 'Decimal("12345678901234567890.1234567890")', '12345678901234567890.1234567890'],
  [null, 'Decimal("-1E+3")', '-1E+3'],
  [null, '[Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity")]', '["NaN","NaN","-Infinity"]'],
  [
    null,
    '{"a": (1, Decimal("0.10"), {"b": date(2020, 1, 1)}), "c": "é\\n", "d": True, "e": None, "f": 1.5, "g": math.nan}',
    '{"a":[1,0.10,{"b":"2020-01-01"}],"c":"é\\n","d":true,"e":null,"f":1.5,"g":"NaN"}',
  ],
  [
    null,
    '{date(2020, 1, 1): 1, datetime(2020, 1, 1): 2, Decimal("1.50"): 3, None: 4, False: 5, 7: 6, 2.5: 7, "k": Decimal(1)}',
    '{"2020-01-01":1,"2020-01-01T00:00:00":2,"1.50":3,"null":4,"false":5,"7":6,"2.5":7,"k":1}',
  ],

  [DATE, 'date(2020, 2, 29)', '18321'],
  [DATE, 'date(1, 1, 1)', '-719162'],
  [DATE, 'datetime(1970, 1, 2)', '1'],
  [DATE, '7', '7'],
  [logical('int', 'time-millis'), 'time(1, 2, 3, 4567)', '3723004'],
  [logical('long', 'time-micros'), 'time(1, 2, 3, 4567)', '3723004567'],
  [MILLIS, NOON, '1582977600123'],
  [MICROS, NOON, '1582977600123456'],
  [NANOS, NOON, '1582977600123456000'],
  [MICROS, 'datetime(9999, 12, 31, 23, 59, 59, 999999)', '253402300799999999'],
  [MILLIS, 'datetime(1969, 12, 31, 23, 59, 59, 999999)', '-1'],
  [MILLIS, `${NOON}.replace(tzinfo=timezone(timedelta(hours=1)))`, '1582974000123'],
  [MILLIS, 'date(1970, 1, 2)', '86400000'],
  [logical('long', 'local-timestamp-millis'), NOON, '1582977600123'],
  [
    logical('long', 'local-timestamp-micros'),
    `${NOON}.replace(tzinfo=timezone(timedelta(hours=1)))`,
    '1582977600123456',
  ],

  [DECIMAL, 'Decimal("12.34")', '"\\u0004Ò"'],
  [DECIMAL, 'Decimal("-0.01")', '"ÿ"'],
  [DECIMAL, 'Decimal("0")', '"\\u0000"'],
  [DECIMAL, 'Decimal("1.28")', '"\\u0000\x80"'],
  [DECIMAL, 'Decimal("-1.28")', '"\x80"'],
  [DECIMAL, 'Decimal("1.2000")', '"x"'],
  [DECIMAL, 'Decimal("1E+1")', '"\\u0003è"'],
  [logical('bytes', 'decimal', { precision: 40 }), 'Decimal(2 ** 100)', `"\\u0010${'\\u0000'.repeat(12)}"`],
  [logical('fixed', 'decimal', { name: 'f', size: 3, precision: 4 }), 'Decimal(-2)', '"ÿÿþ"'],
  ['double', 'Decimal("0.1")', '0.1'],
  ['float', 'Decimal("-Infinity")', '"-Infinity"'],
  ['long', 'Decimal("9007199254740993.0")', '9007199254740993'],
  ['string', 'Decimal("1.10")', '"1.10"'],

  [logical('string', 'uuid'), `UUID("${UUID_TEXT}")`, `"${UUID_TEXT}"`],
  ['string', `UUID("${UUID_TEXT}")`, `"${UUID_TEXT}"`],
  [
    logical('fixed', 'uuid', { name: 'u', size: 16 }),
    `UUID("${UUID_TEXT}")`,
    '"\\u00124Vx\\u00124Vx\\u00124Vx\\u00124Vx"',
  ],
  ['string', 'date(2020, 2, 29)', '"2020-02-29"'],
  ['string', 'datetime(2020, 2, 29)', '"2020-02-29T00:00:00"'],
  ['string', 'time(1, 2)', '"01:02:00"'],

  [{ type: 'array', items: DATE }, '[date(1970, 1, 2), 5]', '[1,5]'],
  [{ type: 'array', items: DATE }, '(date(1970, 1, 2),)', '[1]'],
  [{ type: 'array', items: DATE }, '{date(1970, 1, 2)}', '[1]'],
  [{ type: 'map', values: DATE }, '{"a": date(1970, 1, 2), 1: 2}', '{"a":1,"1":2}'],
  [
    record(['d', DATE], ['x', 'double'], ['s', 'string']),
    '{"s": date(1970, 1, 2), "x": math.inf, "d": date(1970, 1, 3)}',
    '{"s":"1970-01-02","x":"Infinity","d":2}',
  ],
  [
    record(['d', DATE], ['next', ['null', 'r']]),
    '{"d": date(1970, 1, 2), "next": {"d": date(1970, 1, 3), "next": None}}',
    '{"d":1,"next":{"d":2,"next":null}}',
  ],
  [
    record(['a', logical('fixed', 'decimal', { name: 'f', namespace: 'n', size: 1, precision: 2 })], ['b', 'n.f']),
    '{"a": Decimal(97), "b": Decimal(98)}',
    '{"a":"a","b":"b"}',
  ],
  [['null', DATE], 'date(1970, 1, 2)', '1'],
  [{ type: 'array', items: ['null', DATE] }, '[None, date(1970, 1, 2)]', '[null,1]'],
  [['null', 'string', MILLIS], 'datetime(1970, 1, 1, 0, 0, 1)', '{"long":1000}'],
  [['null', 'string', MILLIS], 'time(1)', '{"string":"01:00:00"}'],
  [['string', 'double', DECIMAL], 'Decimal("1.00")', '{"bytes":"d"}'],
  [['string', 'double', DECIMAL], 'Decimal("1.005")', '{"double":1.005}'],
  [['null', record(['d', DATE])], '{"d": date(1970, 1, 2)}', '{"d":1}'],
  [['null', record(['d', DATE])], '{"r": {"d": date(1970, 1, 2)}}', '{"r":{"d":1}}'],
  [['string', { type: 'array', items: DATE }], '[date(1970, 1, 2)]', '{"array":[1]}'],
]

const refused: readonly Refused[] = [
  [DATE, NOON, 'expected a date, found datetime.datetime 2020-02-29 12:00:00.123456'],
  [DATE, 'time(1)', 'expected a date, found datetime.time 01:00:00'],
  [
    logical('int', 'time-millis'),
    NOON,
    'expected a time of day without an offset, found datetime.datetime 2020-02-29 12:00:00.123456',
  ],
  [
    logical('int', 'time-millis'),
    'time(1, tzinfo=timezone.utc)',
    'expected a time of day without an offset, found datetime.time 01:00:00+00:00',
  ],
  [MILLIS, 'time(1)', 'expected a date and time, found datetime.time 01:00:00'],
  [
    DECIMAL,
    'Decimal("1.234")',
    'expected a decimal of 4 digits, 2 of them behind the point, found decimal.Decimal 1.234',
  ],
  [DECIMAL, 'Decimal("100")', 'expected a decimal of 4 digits, 2 of them behind the point, found decimal.Decimal 100'],
  [
    DECIMAL,
    'Decimal("1E+999999")',
    'expected a decimal of 4 digits, 2 of them behind the point, found decimal.Decimal 1E+999999',
  ],
  [DECIMAL, 'Decimal("NaN")', 'expected a decimal of 4 digits, 2 of them behind the point, found decimal.Decimal NaN'],
  [
    record(['a', { type: 'array', items: 'long' }]),
    `{"a": [1, ${NOON}]}`,
    'at /a/1: expected a long, found datetime.datetime 2020-02-29 12:00:00.123456; say in the schema which logical type is meant, or convert it in the model',
  ],
  [
    record(['a/b~', 'double']),
    '{"a/b~": date(2020, 1, 1)}',
    'at /a~1b~0: expected a double, found datetime.date 2020-01-01',
  ],
  ['int', 'Decimal("1.5")', 'expected an int, found decimal.Decimal 1.5'],
  ['double', 'Decimal("sNaN")', 'expected a double, found decimal.Decimal sNaN'],
  ['bytes', 'Decimal("1.5")', 'expected bytes, found decimal.Decimal 1.5'],
  // Its text would have as many characters.
  [
    { type: 'fixed', name: 'f', size: 10 },
    'date(2020, 1, 1)',
    'expected 10 bytes for f, found datetime.date 2020-01-01',
  ],
  [
    { type: 'enum', name: 'e', symbols: ['a'] },
    'date(2020, 1, 1)',
    'expected a symbol of e, found datetime.date 2020-01-01',
  ],
  [logical('bytes', 'decimal'), 'Decimal("1.5")', 'expected bytes, found decimal.Decimal 1.5'],
  [
    ['null', 'int', 'boolean'],
    'date(2020, 1, 1)',
    'expected one of null, int or boolean, found datetime.date 2020-01-01',
  ],
  [record(['d', DATE]), 'date(2020, 1, 1)', 'expected a record r, found datetime.date 2020-01-01'],
  [
    { type: 'map', values: record(['d', DATE]) },
    '{"k": {"d": time(1)}}',
    'at /k/d: expected a date, found datetime.time 01:00:00',
  ],
]

/** Outputs of one schema after the other, since a slot has one at a time. */
async function played(source: string, python: string | undefined, cases: readonly (Row | Refused)[]) {
  const jet = await PythonJet.start(source, python === undefined ? {} : { python })
  const outcomes = []
  for (const [schema, expression] of cases) {
    await jet.attach(1, { ...JSON_STREAM, schema })
    const { texts, rejects } = await jet.score([JSON.stringify(expression)])
    outcomes.push({ texts, rejects })
  }
  return outcomes
}

describe('dates, times, decimals and UUIDs', () => {
  test('what is written of them', async () => {
    const outcomes = await played(EVALUATE, undefined, rows)
    expect(outcomes.map(({ texts, rejects }, at) => [rows[at]![0], rows[at]![1], ...texts, ...rejects])).toEqual(rows)
  })

  test('what does not fit is refused by schema, and says where', async () => {
    const outcomes = await played(EVALUATE, undefined, refused)
    expect(outcomes.map(({ rejects }, at) => [refused[at]![0], refused[at]![1], rejects[0]?.reason])).toEqual(refused)
    expect(outcomes.map(({ texts, rejects }) => [texts, rejects[0]?.step, rejects[0]?.slot])).toEqual(
      refused.map(() => [[], 'schema', 1]),
    )
  })

  test('one refused output leaves the others of its record', async () => {
    const source = 'from datetime import date\ndef action(x):\n    yield 1\n    yield date(2020, 1, 1)\n    yield 2'
    const jet = await PythonJet.start(source)
    await jet.attach(1, { ...JSON_STREAM, schema: 'int' })
    const { texts, rejects } = await jet.score(['1', '2'])
    expect(texts).toEqual(['1', '2', '1', '2'])
    expect(rejects.map(({ index, bytes }) => [index, atob(bytes!)])).toEqual([
      [0, '"2020-01-01"'],
      [1, '"2020-01-01"'],
    ])
  })

  test('the schema of the model counts before that of the stream', async () => {
    const jet = await PythonJet.start(EVALUATE, {
      slots: [
        { slot: 0, recordsets: false, action: 'action' },
        { slot: 1, recordsets: false, action: null, schema: DATE },
      ],
    })
    await jet.attach(1, { ...JSON_STREAM, schema: 'long' })
    expect((await jet.score(['"date(1970, 1, 2)"'])).texts).toEqual(['1'])
  })
})

describe.skipIf('missing' in found)(`those of numpy and pandas${reason}`, () => {
  const python = 'python' in found ? found.python : ''
  const cases: readonly Row[] = [
    [null, 'pd.Timestamp("2020-02-29 12:00:00.123456789")', '"2020-02-29T12:00:00.123456789"'],
    [null, 'pd.Timestamp("2020-02-29", tz="Europe/Berlin")', '"2020-02-29T00:00:00+01:00"'],
    [null, '[pd.NaT, pd.NA, np.datetime64("NaT")]', '[null,null,null]'],
    [null, 'np.datetime64("2020-02-29")', '"2020-02-29"'],
    [null, 'np.datetime64("2020-02-29T12:00:00", "ns")', '"2020-02-29T12:00:00.000000000"'],
    [null, 'np.array(["2020-01-01", "NaT"], dtype="M8[ns]")', '["2020-01-01T00:00:00.000000000",null]'],
    [null, 'np.array([["2020-01-01"]], dtype="M8[D]")', '[["2020-01-01"]]'],
    [null, 'np.array("2020-01-01", dtype="M8[ns]")', '"2020-01-01T00:00:00.000000000"'],
    [null, 'pd.Series(pd.to_datetime(["2020-01-01", None]))', '["2020-01-01T00:00:00",null]'],
    [null, 'pd.DataFrame({"t": pd.to_datetime(["2020-01-01"])})', '[{"t":"2020-01-01T00:00:00"}]'],
    [MILLIS, 'pd.Timestamp("2020-02-29 12:00:00.123456789")', '1582977600123'],
    [NANOS, 'pd.Timestamp("2020-02-29 12:00:00.123456789")', '1582977600123456789'],
    [MICROS, 'pd.Timestamp("2020-02-29", tz="Europe/Berlin")', '1582930800000000'],
    [MICROS, 'np.datetime64("2020-02-29T12:00:00.123456789")', '1582977600123456'],
    [NANOS, 'np.datetime64("1969-12-31T23:59:59.999999999")', '-1'],
    [MILLIS, 'np.datetime64("2020-02")', '1580515200000'],
    [DATE, 'np.datetime64("1970-01-02")', '1'],
    [DATE, 'pd.Timestamp("1970-01-02")', '1'],
    [['null', MILLIS], 'pd.NaT', 'null'],
    [['null', MILLIS], 'np.datetime64("NaT")', 'null'],
    ['string', 'np.datetime64("1970-01-02")', '"1970-01-02"'],
    [{ type: 'array', items: ['null', MILLIS] }, 'np.array(["1970-01-02", "NaT"], dtype="M8[ns]")', '[86400000,null]'],
    [{ type: 'array', items: MILLIS }, 'pd.Series(pd.to_datetime(["1970-01-02"]))', '[86400000]'],
    [{ type: 'array', items: record(['t', DATE]) }, 'pd.DataFrame({"t": pd.to_datetime(["1970-01-02"])})', '[{"t":1}]'],
    [{ type: 'array', items: 'double' }, '[Decimal("0.5"), np.float64(1.5)]', '[0.5,1.5]'],
  ]

  test('what is written of them', async () => {
    const outcomes = await played(EVALUATE_TABLES, python, cases)
    expect(outcomes.map(({ texts, rejects }, at) => [cases[at]![0], cases[at]![1], ...texts, ...rejects])).toEqual(
      cases,
    )
  })

  test('what does not fit', async () => {
    const [outcome] = await played(EVALUATE_TABLES, python, [['int', 'np.datetime64("2020-01-01")', '']])
    expect(outcome).toMatchObject({
      texts: [],
      rejects: [
        { step: 'schema', reason: expect.stringContaining('expected an int, found numpy.datetime64 2020-01-01') },
      ],
    })
  })
})
