// Form `json`: batches of streams of every encoding on their way to a runner, and its answers on their way back.

import { parseSchema } from '@pitot/avro'
import { encodings, type Frames } from '@pitot/codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAnswered, type SentBatch } from '../../src/forms/form.ts'
import { JsonTranslator } from '../../src/forms/json.ts'
import { END_OF_SET, type JetReject, ModelFailure, NO_FRAME, type Scored, type SlotStream } from '../../src/index.ts'

const SECONDS = { decode: 1, checkInput: 2, model: 3, checkOutput: 4, encode: 5 }

function stream(encoding: string, schema: unknown = null, options = {}): SlotStream {
  return { encoding, options, schema, room: 1 }
}

function framesOf(texts: readonly (string | Uint8Array)[], gap = '\n'): Frames {
  const pieces: Uint8Array[] = []
  const bounds: number[] = []
  let at = 0
  for (const text of texts) {
    const bytes = Buffer.from(text)
    pieces.push(bytes, Buffer.from(gap))
    bounds.push(at, at + bytes.length)
    at += bytes.length + gap.length
  }
  return { bytes: Buffer.concat(pieces), bounds, position: 0 }
}

function textsOf({ bytes, bounds }: { bytes: Uint8Array; bounds: ArrayLike<number> }): string[] {
  return Array.from({ length: bounds.length / 2 }, (_, index) =>
    Buffer.from(bytes.subarray(bounds[2 * index], bounds[2 * index + 1])).toString(),
  )
}

/** A translator with an input at slot 0 and an output at slot 1. */
function translator({
  input = stream('json'),
  output = stream('json'),
  schemas = [undefined, undefined],
}: {
  input?: SlotStream
  output?: SlotStream
  schemas?: readonly unknown[]
} = {}): JsonTranslator {
  const made = new JsonTranslator()
  const slots = schemas.map((schema, slot) => ({ slot, schema, recordsets: false, action: 'action' }))
  made.loaded({ slots, snapshots: 'none', warnings: [] })
  made.attach({ slot: 0, stream: input })
  made.attach({ slot: 1, stream: output })
  return made
}

function send(to: JsonTranslator, frames: Frames): SentBatch {
  const sent = to.toJet({ slot: 0, frames, first: 1, isRecordset: false })
  if (isAnswered(sent)) throw new Error('answered by the host')
  return sent
}

/** What a runner answers: `[index, text, slot?]`, null for the end of a set. */
function answer(
  emissions: readonly (readonly [number, string | Uint8Array | null, number?])[],
  rejects: readonly JetReject[] = [],
): Scored {
  const { bytes, bounds } = framesOf(emissions.map(([, text]) => text ?? ''))
  return {
    batch: 1,
    consumed: 7,
    seconds: SECONDS,
    indexes: Uint32Array.from(emissions, ([index]) => index),
    bounds: Uint32Array.from(bounds),
    slots: Uint16Array.from(emissions, ([, text, slot = 1]) => (text === null ? slot | END_OF_SET : slot)),
    bytes,
    rejects,
  }
}

describe('to the jet', () => {
  test('JSON without a type is handed on unseen', () => {
    const frames = framesOf(['{"a":1}', 'not JSON', ''])
    const { batch, rejects, map } = send(translator(), frames)
    expect(batch.bytes).toBe(frames.bytes)
    expect(batch.bounds).toBe(frames.bounds)
    expect([rejects, map]).toEqual([[], undefined])
  })

  test('JSON that is checked and needs no change is handed on as it is', () => {
    const frames = framesOf(['1', ' 2', '3'])
    const sent = send(translator({ input: stream('json', 'int') }), frames)
    expect(sent.batch.bytes).toBe(frames.bytes)
    expect(sent.batch.bounds).toBe(frames.bounds)
    expect(sent.consumed).toBe(3)
  })

  test('what is refused becomes an empty frame, so that the others keep their numbers', () => {
    const sent = send(translator({ input: stream('json', 'int') }), framesOf(['1', 'foo', '1.5', '', '2']))
    expect(textsOf(sent.batch)).toEqual(['1', '', '', '', '2'])
    expect(sent.rejects.map(({ index, step }) => [index, step])).toEqual([
      [1, 'encoding'],
      [2, 'schema'],
    ])
    expect([sent.consumed, sent.map]).toEqual([2, undefined])
  })

  test.each([
    ['tags of unions', ['null', 'string'], ['{"string":"a"}', '"b"', 'null'], ['"a"', '"b"', 'null']],
    ['numbers in words', 'double', ['"NaN"', '"-inf"', '1'], ['NaN', '-Infinity', '1']],
    [
      'fields that are filled in',
      {
        type: 'record',
        name: 'r',
        fields: [
          { name: 'a', type: 'int', default: 5 },
          { name: 'b', type: 'string' },
        ],
      },
      ['{"b":"x"}', '{"a":1,"b":"é"}'],
      ['{"a":5,"b":"x"}', '{"a":1,"b":"é"}'],
    ],
    ['longs', 'long', ['9223372036854775807', '-1'], ['9223372036854775807', '-1']],
  ])('%s', (_, schema, given, texts) => {
    expect(textsOf(send(translator({ input: stream('json', schema) }), framesOf(given)).batch)).toEqual(texts)
  })

  test('the schema of the model counts too', () => {
    const sent = send(
      translator({ input: stream('json', 'int'), schemas: ['double', undefined] }),
      framesOf(['1', '1.5']),
    )
    expect(textsOf(sent.batch)).toEqual(['1', ''])
    const untyped = send(translator({ schemas: ['string', undefined] }), framesOf(['1', '"a"']))
    expect(textsOf(untyped.batch)).toEqual(['', '"a"'])
  })

  test('records of other encodings become JSON', () => {
    const schema = {
      type: 'record',
      name: 'r',
      fields: [
        { name: 'x', type: 'int' },
        { name: 'b', type: 'bytes' },
      ],
    }
    const { frames } = encodings['avro-binary'].encoder(parseSchema(schema)).encode([
      { x: 1, b: Uint8Array.of(0, 255) },
      { x: -2, b: new Uint8Array() },
    ])
    const sent = send(translator({ input: stream('avro-binary', schema) }), frames)
    expect(textsOf(sent.batch)).toEqual(['{"x":1,"b":"\\u0000ÿ"}', '{"x":-2,"b":""}'])
  })

  test('frames of several records are mapped', () => {
    const type = parseSchema('int')
    const encoded = encodings['avro-binary'].encoder(type).encode([1, 2, 3]).frames
    const frames = { bytes: encoded.bytes, bounds: [0, 2, 2, 3], position: 0, counts: [2, 1] }
    const to = translator({ input: stream('avro-binary', 'int') })
    const sent = send(to, frames)
    expect(textsOf(sent.batch)).toEqual(['1', '2', '3'])
    expect(Array.from(sent.map ?? [])).toEqual([0, 0, 1])
    const back = to.fromJet(
      answer(
        [
          [0, '1'],
          [1, '4'],
          [2, '9'],
        ],
        [{ index: 2, step: 'model', reason: 'r' }],
      ),
      sent,
    )
    expect(Array.from(back.outputs[0]?.indexes ?? [])).toEqual([0, 0, 1])
    expect(back.rejects).toEqual([{ index: 1, step: 'model', reason: 'r' }])
  })

  test.each([
    ['null', null],
    ['null', 'bytes'],
    ['null', 'string'],
    ['utf-8', null],
  ])('frames of %s, schema %j, are handed on as they are', (encoding, schema) => {
    const frames = framesOf(['a', Uint8Array.of(255), ''])
    const sent = send(translator({ input: stream(encoding, schema) }), frames)
    expect([sent.batch.bytes, sent.batch.bounds, sent.rejects]).toEqual([frames.bytes, frames.bounds, []])
  })

  test('texts of another type are checked', () => {
    const schema = { type: 'enum', name: 'e', symbols: ['a', 'b'] }
    const sent = send(translator({ input: stream('utf-8', schema) }), framesOf(['a', 'c', 'b']))
    expect(textsOf(sent.batch)).toEqual(['a', 'b'])
    expect(Array.from(sent.map ?? [])).toEqual([0, 2])
    expect(sent.rejects).toMatchObject([{ index: 1, step: 'schema' }])
  })

  test('when nothing is left the host answers by itself', () => {
    const to = translator({ input: stream('json', 'int') })
    const answered = to.toJet({ slot: 0, frames: framesOf(['x', 'y']), first: 1, isRecordset: false })
    expect(answered).toMatchObject({ consumed: 0, outputs: [], rejects: [{ index: 0 }, { index: 1 }] })
  })

  test('an empty record set is sent', () => {
    const to = translator({ input: stream('json', 'int') })
    expect(isAnswered(to.toJet({ slot: 0, frames: framesOf([]), first: 1, isRecordset: true }))).toBe(false)
  })
})

describe('from the jet', () => {
  const sent = send(translator(), framesOf(['1', '2', '3']))

  test('JSON without a type is handed on unseen', () => {
    const scored = answer([
      [0, '{"a":1}'],
      [2, 'x'],
    ])
    const { outputs, consumed, seconds } = translator().fromJet(scored, sent)
    expect(outputs).toHaveLength(1)
    expect(outputs[0]?.frames.bytes).toBe(scored.bytes)
    expect([consumed, seconds]).toEqual([7, SECONDS])
  })

  test('outputs are checked against both schemas', () => {
    const to = translator({ output: stream('json', 'double'), schemas: [undefined, 'int'] })
    const { outputs, rejects } = to.fromJet(
      answer([
        [0, '4'],
        [1, '"x"'],
        [1, '1.5'],
        [2, '9'],
      ]),
      sent,
    )
    expect(textsOf(outputs[0]!.frames)).toEqual(['4', '9'])
    expect(Array.from(outputs[0]!.indexes)).toEqual([0, 2])
    expect(rejects.map(({ index, step, slot, bytes }) => [index, step, slot, atob(bytes ?? '')])).toEqual([
      [1, 'schema', 1, '"x"'],
      [1, 'schema', 1, '1.5'],
    ])
  })

  test('numbers in words and all digits of a long survive', () => {
    const double = translator({ output: stream('json', 'double') })
    expect(
      textsOf(
        double.fromJet(
          answer([
            [0, '"NaN"'],
            [1, '-0.0'],
          ]),
          sent,
        ).outputs[0]!.frames,
      )[0],
    ).toBe('"NaN"')
    const long = translator({ output: stream('json', 'long') })
    expect(textsOf(long.fromJet(answer([[0, '9223372036854775807']]), sent).outputs[0]!.frames)).toEqual([
      '9223372036854775807',
    ])
  })

  test('records become other encodings', () => {
    const type = parseSchema({ type: 'array', items: 'int' })
    const to = translator({ output: stream('avro-binary', { type: 'array', items: 'int' }) })
    const { outputs } = to.fromJet(answer([[0, '[1,2]']]), sent)
    const records: unknown[] = []
    expect(encodings['avro-binary'].decoder(type).decode(outputs[0]!.frames, 0, records)).toBeUndefined()
    expect(records).toEqual([[1, 2]])
  })

  test('raw streams', () => {
    const given: [number, Uint8Array][] = [
      [0, Uint8Array.of(255)],
      [1, Buffer.from('é')],
    ]
    const untyped = translator({ output: stream('null') }).fromJet(answer(given), sent)
    expect([...untyped.outputs[0]!.frames.bytes]).toEqual([255, 10, 0xc3, 0xa9, 10])
    const text = translator({ output: stream('null', 'string') }).fromJet(answer(given), sent)
    expect(textsOf(text.outputs[0]!.frames)).toEqual(['é'])
    expect(text.rejects).toMatchObject([{ index: 0, step: 'schema', slot: 1 }])
    const promoted = translator({ output: stream('null', 'string'), schemas: [undefined, 'bytes'] })
    expect(textsOf(promoted.fromJet(answer([[0, Buffer.from('é')]]), sent).outputs[0]!.frames)).toEqual(['é'])
  })

  test('ends of record sets keep their places when outputs are refused', () => {
    const to = translator({ output: stream('json', 'int') })
    const scored = answer([
      [2, '1'],
      [2, '"x"'],
      [2, null],
      [2, null],
      [2, '2'],
      [2, '3'],
      [2, null],
    ])
    const { outputs, rejects } = to.fromJet(scored, sent)
    expect(textsOf(outputs[0]!.frames)).toEqual(['1', '2', '3'])
    expect(outputs[0]!.endsOfSets).toEqual([1, 1, 3])
    expect(Array.from(outputs[0]!.indexes)).toEqual([2, 2, 2])
    expect(rejects).toMatchObject([{ index: 2, step: 'schema' }])
  })

  test('what comes of begin and end has no frame', () => {
    const { outputs } = translator({ output: stream('json', 'int') }).fromJet(answer([[NO_FRAME, '1']]), undefined)
    expect(Array.from(outputs[0]!.indexes)).toEqual([NO_FRAME])
  })

  test('outputs without a stream go nowhere', () => {
    expect(
      translator()
        .fromJet(
          answer([
            [0, '1', 3],
            [0, '2'],
          ]),
          sent,
        )
        .outputs.map(({ slot }) => slot),
    ).toEqual([1])
  })

  test.each([
    ['a frame that was not sent', answer([[3, '1']])],
    ['a frame of begin', answer([[0, '1']]), true],
    ['a reject of a frame that was not sent', answer([], [{ index: 9, step: 'model', reason: '' }])],
  ])('%s is not what a runner may answer', (_, scored, isBegin = false) => {
    expect(() => translator().fromJet(scored, isBegin ? undefined : sent)).toThrow(/batch of/)
  })

  test('what is no JSON is not what a runner may answer', () => {
    expect(() => translator({ output: stream('json', 'int') }).fromJet(answer([[0, '{']]), sent)).toThrow()
  })
})

describe('streams', () => {
  test('one that does not fit is refused, and the one before it stays', () => {
    const to = translator({ schemas: ['int', 'string'] })
    expect(() => to.attach({ slot: 0, stream: stream('json', 'string') })).toThrow(ModelFailure)
    expect(() => to.attach({ slot: 1, stream: stream('json', 'int') })).toThrow(/slot 1 cannot take this stream/)
    expect(textsOf(send(to, framesOf(['1', '"a"'])).batch)).toEqual(['1', ''])
  })

  test('the same values go through whatever the encoding is', () => {
    const schema = {
      type: 'record',
      name: 'r',
      fields: [
        { name: 'n', type: 'long' },
        { name: 's', type: 'string' },
        { name: 'd', type: 'double' },
      ],
    }
    const value = fc.record({
      n: fc.maxSafeInteger(),
      s: fc.string({ unit: 'binary' }),
      // Texts do not keep the sign of a zero.
      d: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    })
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 8 }),
        fc.constantFrom('json', 'avro-binary', 'msgpack'),
        (values, encoding) => {
          const type = parseSchema(schema)
          const { frames } = encodings[encoding as 'json'].encoder(type).encode(values)
          const to = translator({ input: stream(encoding, schema), output: stream(encoding, schema) })
          const sent = to.toJet({ slot: 0, frames, first: 1, isRecordset: true })
          if (isAnswered(sent)) throw new Error('answered by the host')
          const texts = textsOf(sent.batch)
          expect(texts.map((text) => JSON.parse(text))).toEqual(values)
          const { outputs } = to.fromJet(answer(texts.map((text, index) => [index, text])), sent)
          const records: unknown[] = []
          for (let index = 0; index < values.length; index++) {
            encodings[encoding as 'json'].decoder(type).decode(outputs[0]!.frames, index, records)
          }
          expect(records.map((record) => ({ ...(record as object) }))).toEqual(values)
        },
      ),
    )
  })
})

describe('fields that sensors watch', () => {
  const record = { type: 'record', name: 'R', fields: [{ name: 'a', type: 'int' }] }
  const count = { filter: { type: '>', threshold: 1 }, aggregate: { type: 'count' }, maxReads: null } as const

  test.each<[string, Parameters<typeof translator>[0]]>([
    ['of records without a type, which are not decoded else', {}],
    ['of records with a type', { input: stream('json', record), output: stream('json', record) }],
    ['of records with the types of the model', { schemas: [record, record] }],
  ])('%s', (_, options) => {
    const made = translator(options)
    made.watches.set({ watch: 1, slot: 0, path: 'a', program: count })
    made.watches.set({ watch: 2, slot: 1, path: 'a', program: count })
    const sent = send(made, framesOf(['{"a":1}', '{"a":2}', '{"a":3}']))
    made.fromJet(
      answer([
        [0, '{"a":1}'],
        [1, '{"a":2}'],
        [2, '{"a":"x"}'],
      ]),
      sent,
    )
    expect(made.watches.take([1, 2])).toEqual({ 1: 2, 2: 1 })
  })
})
