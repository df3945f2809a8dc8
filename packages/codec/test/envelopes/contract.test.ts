// What every envelope promises: the same frames however the bytes are cut, a way back, and no crash whatever comes.
import { type AvroType, parseSchema } from '@pitot/avro'
import {
  countFrames,
  type Envelope,
  type EnvelopeContext,
  encodings,
  envelopes,
  type Frames,
  frameAt,
  type Reject,
  SelfDelimitedUnwrapper,
  type Unwrapper,
} from '@pitot/codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compressors, decompressors } from '../compressors.ts'

interface Subject {
  title: string
  unwrapper(context?: EnvelopeContext): Unwrapper
  envelope: Envelope<never>
  options: object
  context?: EnvelopeContext
  /** Records that the envelope carries unchanged. */
  records: fc.Arbitrary<Uint8Array[]>
  /** Pieces that are likely to be misunderstood. */
  pieces: Uint8Array[]
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const SYNC = Uint8Array.from({ length: 16 }, (_, index) => index * 7)
const BYTES: AvroType = parseSchema('bytes')

const without = (...forbidden: string[]) =>
  fc
    .array(
      fc
        .string({ unit: 'binary-ascii', maxLength: 20 })
        .filter((text) => !forbidden.some((each) => text.includes(each)) && text !== ''),
    )
    .map((texts) => texts.map(bytesOf))
const anyBytes = fc.array(fc.uint8Array({ minLength: 1, maxLength: 30 }))

function subject<Options extends object>(
  title: string,
  envelope: Envelope<Options>,
  options: Options,
  records: Subject['records'],
  pieces: (string | Uint8Array)[],
  context?: EnvelopeContext,
): Subject {
  return {
    title,
    envelope: envelope as unknown as Envelope<never>,
    options,
    records,
    pieces: pieces.map((piece) => (typeof piece === 'string' ? bytesOf(piece) : piece)),
    unwrapper: (more) => envelope.unwrapper(options, { ...context, ...more }),
    ...(context === undefined ? {} : { context }),
  }
}

const ocf = (compress: 'deflate' | 'snappy' | 'zstandard' | null, header: boolean) =>
  subject(
    `ocf-block ${compress} ${header ? 'with' : 'without'} header`,
    envelopes['ocf-block'],
    { syncMarker: SYNC, compress, writeHeader: header },
    anyBytes,
    [
      SYNC,
      'Obj\u0001',
      Uint8Array.of(2, 2, 65),
      Uint8Array.of(0),
      SYNC.subarray(0, 7),
      Uint8Array.of(2, 0xfe, 0xff, 0xff, 0x0f),
    ],
    { type: BYTES, compressors, decompressors },
  )

const SUBJECTS: Subject[] = [
  subject('delimited', envelopes.delimited, {}, without('\n'), ['\n', '\n\n', 'a', '\r']),
  subject('delimited by two', envelopes.delimited, { separator: '\r\n' }, without('\r', '\n'), [
    '\r',
    '\n',
    '\r\n',
    '\r\r\n',
    'a',
  ]),
  subject('delimited by a repetition', envelopes.delimited, { separator: 'aab' }, without('a', 'b'), [
    'a',
    'aa',
    'b',
    'aab',
    'aaab',
    'c',
  ]),
  subject('delimited-csv', envelopes['delimited-csv'], { skipHeader: false }, without('"', '\n', '\r'), [
    '"',
    '""',
    '\r\n',
    '\n',
    ',',
    'a',
    '"a\r\n"',
  ]),
  subject('delimited-csv with a header', envelopes['delimited-csv'], { header: 'x' }, without('"', '\n', '\r'), [
    '"',
    '\r\n',
    '\n',
    'a',
  ]),
  subject('fixed', envelopes.fixed, { size: 3 }, fc.array(fc.uint8Array({ minLength: 3, maxLength: 3 })), [
    'a',
    'bb',
    'ccc',
  ]),
  ...[null, 'deflate', 'snappy', 'zstandard'].flatMap((codec) => [ocf(codec as null, true), ocf(codec as null, false)]),
]

interface Outcome {
  frames: { hex: string; position: number; count?: number }[]
  rejects: Omit<Reject, 'bytes'>[]
}

/** With free bytes before each chunk, where `room` says so. */
function unwrap(unwrapper: Unwrapper, chunks: Uint8Array[], room = 0): Outcome {
  const outcome: Outcome = { frames: [], rejects: [] }
  const roomy = chunks.map((chunk) => concat([new Uint8Array(room).fill(0x0a), chunk]).subarray(room))
  for (const result of [...roomy.map((chunk) => unwrapper.push(chunk, room)), unwrapper.end()]) {
    for (const frames of result.frames) outcome.frames.push(...listFrames(frames))
    outcome.rejects.push(...result.rejects.map(({ bytes: _, ...reject }) => reject))
  }
  return outcome
}

function listFrames(frames: Frames): Outcome['frames'] {
  return Array.from({ length: countFrames(frames) }, (_, index) => ({
    hex: hex(frameAt(frames, index)),
    position: frames.position + frames.bounds[2 * index]!,
    ...(frames.counts === undefined ? {} : { count: frames.counts[index]! }),
  }))
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

function cutAt(bytes: Uint8Array, cuts: number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, index) => bytes.slice(places[index], end))
}

function concat(parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

const cuts = fc.oneof(
  fc.array(fc.nat(), { maxLength: 12 }),
  fc.constant(Array.from({ length: 300 }, (_, index) => index)),
)

const rooms = fc.constantFrom(0, 3, 100)

describe.each(SUBJECTS)('$title', (it) => {
  const framesOf = (records: Uint8Array[]): Frames => {
    const bounds: number[] = []
    let at = 0
    for (const record of records) {
      bounds.push(at, at + record.length)
      at += record.length
    }
    return { bytes: concat(records), bounds, position: 0 }
  }
  const wrapped = (batches: Uint8Array[][]) => {
    const wrapper = it.envelope.wrapper(it.options as never, it.context)
    return concat([wrapper.start(), ...batches.map((records) => wrapper.wrap(framesOf(records)))])
  }

  test('what was wrapped is unwrapped, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(it.records, { maxLength: 4 }), cuts, rooms, (batches, places, room) => {
        const outcome = unwrap(it.unwrapper(), cutAt(wrapped(batches), places), room)
        expect(outcome.rejects).toEqual([])
        const expected = it.title.startsWith('ocf')
          ? batches.filter((batch) => batch.length > 0).map(concat)
          : batches.flat()
        expect(outcome.frames.map((frame) => frame.hex)).toEqual(expected.map(hex))
        const counts = outcome.frames.reduce((sum, frame) => sum + (frame.count ?? 1), 0)
        expect(counts).toBe(batches.flat().length)
      }),
    )
  })

  test('any bytes give the same frames and rejects, however they are cut', () => {
    const streams = fc
      .array(fc.oneof(fc.constantFrom(...it.pieces), fc.uint8Array({ maxLength: 8 })), { maxLength: 20 })
      .map(concat)
    const spoilt = fc
      .tuple(it.records, fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 3 }))
      .map(([records, at, wrong]) => {
        const bytes = wrapped([records, records])
        bytes.set(
          wrong.subarray(0, Math.max(0, bytes.length)),
          Math.min(at % (bytes.length + 1), Math.max(0, bytes.length - wrong.length)),
        )
        return bytes
      })
    fc.assert(
      fc.property(
        fc.oneof(
          streams,
          spoilt.filter((bytes) => bytes.length > 3),
        ),
        cuts,
        fc.constantFrom(undefined, 4, 16),
        rooms,
        (bytes, places, maximumFrame, room) => {
          const context = maximumFrame === undefined ? {} : { maximumFrame }
          const whole = unwrap(it.unwrapper(context), [bytes])
          expect(unwrap(it.unwrapper(context), cutAt(bytes, places), room)).toEqual(whole)
          // Frames come in order, and stand in the stream where they say.
          const positions = whole.frames.map((frame) => frame.position)
          expect(positions).toEqual(positions.toSorted((a, b) => a - b))
          if (!it.title.startsWith('ocf')) {
            for (const frame of whole.frames)
              expect(hex(bytes.subarray(frame.position, frame.position + frame.hex.length / 2))).toBe(frame.hex)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('frames with room behind them are wrapped in place, with the same result', () => {
    fc.assert(
      fc.property(it.records, (records) => {
        const wrapper = it.envelope.wrapper({ ...it.options, syncMarker: SYNC } as never, it.context)
        const tight = wrapper.wrap(framesOf(records)).slice()
        const roomy = framesOf(records.flatMap((record) => [record, new Uint8Array(wrapper.room)]))
        const bounds = roomy.bounds.filter((_, index) => index % 4 < 2)
        expect(hex(wrapper.wrap({ ...roomy, bounds }))).toBe(hex(tight))
      }),
    )
  })
})

describe('self-delimited', () => {
  const cases: [string, unknown][] = [
    ['avro-binary', { type: 'array', items: 'string' }],
    ['msgpack', { type: 'array', items: 'string' }],
  ]
  test.each(cases)('%s needs no envelope', (name, schema) => {
    const encoding = encodings[name as 'msgpack']
    const type = parseSchema(schema)
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ maxLength: 5 }), { maxLength: 5 })), cuts, (records, places) => {
        const { frames } = encoding.encoder(type).encode(records)
        const unwrapper = new SelfDelimitedUnwrapper(encoding.cut!(type))
        const decoder = encoding.decoder(type)
        const decoded: unknown[] = []
        for (const chunk of cutAt(frames.bytes, places)) {
          for (const each of unwrapper.push(chunk).frames) {
            for (let index = 0; index < countFrames(each); index++)
              expect(decoder.decode(each, index, decoded)).toBeUndefined()
          }
        }
        expect(unwrapper.end()).toEqual({ frames: [], rejects: [] })
        expect(decoded).toEqual(records)
      }),
    )
  })

  test('a broken record ends the stream, an unfinished one too', () => {
    const cut = encodings['avro-binary'].cut!(parseSchema('string'))
    const broken = new SelfDelimitedUnwrapper(cut)
    const { frames, rejects } = broken.push(Uint8Array.of(2, 65, 1, 2, 65))
    expect(frames.map(listFrames)).toEqual([[{ hex: '0241', position: 0 }]])
    expect(rejects).toMatchObject([{ step: 'envelope', position: 2, fatal: true }])
    expect(broken.push(Uint8Array.of(2, 65))).toEqual({ frames: [], rejects: [] })
    const unfinished = new SelfDelimitedUnwrapper(cut)
    unfinished.push(Uint8Array.of(4, 65))
    expect(unfinished.end().rejects).toMatchObject([{ position: 0, fatal: true }])
    const endless = new SelfDelimitedUnwrapper(cut, { maximumFrame: 10 })
    endless.push(Uint8Array.of(0x80))
    expect(endless.push(Uint8Array.from({ length: 12 }, () => 0x10)).rejects).toMatchObject([{ fatal: true }])
  })
})
