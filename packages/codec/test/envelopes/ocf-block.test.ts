// Container files: read from and written for an independent implementation, and damaged ones.
import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { parseSchema } from '@pitot/avro'
import { countFrames, encodings, envelopes, type OcfBlockOptions, snappyDecompress, type Unwrapper } from '@pitot/codec'
import avsc from 'avsc'
import { describe, expect, test } from 'vitest'
import { compressors, decompressors } from '../compressors.ts'

const SCHEMA = {
  type: 'record',
  name: 'R',
  fields: [
    { name: 'id', type: 'int' },
    { name: 'text', type: 'string' },
  ],
}
const TYPE = parseSchema(SCHEMA)
const RECORDS = Array.from({ length: 500 }, (_, id) => ({ id, text: `record ${id}` }))
const SYNC = Uint8Array.from({ length: 16 }, (_, index) => 200 - index)
const context = { decompressors, compressors, type: TYPE }

function readAll(
  unwrapper: Unwrapper,
  bytes: Uint8Array,
  type: ReturnType<typeof parseSchema> | null = TYPE,
  step = 777,
) {
  const decoder = encodings['avro-binary'].decoder(type)
  const records: unknown[] = []
  const reasons: string[] = []
  const take = (result: ReturnType<Unwrapper['push']>) => {
    for (const frames of result.frames) {
      for (let index = 0; index < countFrames(frames); index++) {
        const reject = decoder.decode(frames, index, records)
        if (reject !== undefined) reasons.push(reject.reason)
      }
    }
    reasons.push(...result.rejects.map((reject) => reject.reason))
  }
  for (let at = 0; at < bytes.length; at += step) take(unwrapper.push(bytes.slice(at, at + step)))
  take(unwrapper.end())
  return { records, reasons }
}

function written(options: OcfBlockOptions, size = 100): Uint8Array {
  const wrapper = envelopes['ocf-block'].wrapper({ syncMarker: SYNC, ...options }, context)
  const encoder = encodings['avro-binary'].encoder(TYPE)
  const parts = [wrapper.start()]
  for (let at = 0; at < RECORDS.length; at += size)
    parts.push(wrapper.wrap(encoder.encode(RECORDS.slice(at, at + size)).frames))
  return Buffer.concat(parts)
}

async function writtenByAvsc(codec: 'null' | 'deflate'): Promise<Uint8Array> {
  const stream = new avsc.streams.BlockEncoder(avsc.Type.forSchema(SCHEMA as avsc.Schema), { codec, blockSize: 500 })
  const parts: Buffer[] = []
  stream.on('data', (part: Buffer) => parts.push(part))
  for (const record of RECORDS) stream.write(record)
  stream.end()
  await new Promise((resolve) => stream.on('end', resolve))
  return Buffer.concat(parts)
}

async function readByAvsc(bytes: Uint8Array): Promise<unknown[]> {
  const codecs = {
    null: (data: Buffer, done: (error: null, data: Buffer) => void) => done(null, data),
    deflate: avsc.streams.BlockDecoder.defaultCodecs().deflate,
  }
  const stream = new avsc.streams.BlockDecoder({ codecs: codecs as never })
  const records: unknown[] = []
  stream.on('data', (record: object) => records.push({ ...record }))
  const done = new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject))
  stream.end(Buffer.from(bytes))
  await done
  return records
}

describe('with avsc', () => {
  test.each(['null', 'deflate'] as const)('%s: its files are read', async (codec) => {
    const { records, reasons } = readAll(envelopes['ocf-block'].unwrapper({}, context), await writtenByAvsc(codec))
    expect(reasons).toEqual([])
    expect(records).toEqual(RECORDS)
  })

  test.each([null, 'deflate'] as const)('%s: our files are read by it', async (compress) => {
    expect(await readByAvsc(written({ compress }))).toEqual(RECORDS)
  })

  test('its files are read with another schema of the stream, by the rules of resolution', async () => {
    const reader = parseSchema({
      type: 'record',
      name: 'R',
      fields: [
        { name: 'id', type: 'double' },
        { name: 'more', type: 'int', default: 7 },
      ],
    })
    const { records } = readAll(envelopes['ocf-block'].unwrapper({}, context), await writtenByAvsc('null'), reader)
    expect(records).toEqual(RECORDS.map(({ id }) => ({ id, more: 7 })))
    const { reasons } = readAll(
      envelopes['ocf-block'].unwrapper({}, context),
      await writtenByAvsc('null'),
      parseSchema('int'),
    )
    expect(reasons[0]).toMatch(/written with another schema: .*record R in the data/)
  })

  test('without a schema of the stream the one in the file is used', async () => {
    const { records } = readAll(envelopes['ocf-block'].unwrapper({}, context), await writtenByAvsc('null'), null)
    expect(records).toEqual(RECORDS)
  })
})

describe('headers', () => {
  test('none, with the marker given', () => {
    const bytes = written({ writeHeader: false })
    expect(readAll(envelopes['ocf-block'].unwrapper({ syncMarker: SYNC }, context), bytes).records).toEqual(RECORDS)
  })

  test.each<[string, OcfBlockOptions, Uint8Array, string]>([
    ['no header and no marker', {}, written({ writeHeader: false }), 'needs its SyncMarker'],
    [
      'another marker than given',
      { syncMarker: new Uint8Array(16) },
      written({}),
      'expected the SyncMarker of the envelope',
    ],
    ['another codec than given', { compress: 'deflate' }, written({}), 'expected the codec deflate'],
    [
      'a codec nobody has',
      {},
      Buffer.from(Buffer.from(written({})).toString('latin1').replace('\bnull', '\bbzip'), 'latin1'),
      'the codec "bzip" is not available',
    ],
  ])('%s', (_, options, bytes, reason) => {
    const { records, reasons } = readAll(envelopes['ocf-block'].unwrapper(options, context), bytes)
    expect(records).toEqual([])
    expect(reasons[0]).toContain(reason)
  })

  test('a second file after the first', () => {
    const bytes = Buffer.concat([written({}), written({ compress: 'deflate', syncMarker: randomBytes(16) })])
    const { records, reasons } = readAll(envelopes['ocf-block'].unwrapper({}, context), bytes)
    expect(reasons).toEqual([])
    expect(records).toEqual([...RECORDS, ...RECORDS])
  })
})

describe('damage', () => {
  const bytes = written({})
  const headerSize = Buffer.from(bytes).indexOf(SYNC) + 16
  /** Behind the first block. */
  const marker = Buffer.from(bytes).indexOf(SYNC, headerSize)

  test('a wrong sync marker costs its block, the rest is read', () => {
    const spoilt = Uint8Array.from(bytes)
    spoilt[marker + 3]! ^= 1
    const { records, reasons } = readAll(envelopes['ocf-block'].unwrapper({}, context), spoilt)
    expect(reasons).toEqual(['expected the sync marker behind the block, found other bytes'])
    // The damaged marker itself cannot be found, so the block behind it is lost as well.
    expect(records).toEqual(RECORDS.slice(200))
  })

  test('a wild size costs its block, the rest is read', () => {
    const spoilt = Uint8Array.from(bytes)
    spoilt.set([0xc8, 1, 0xfe, 0xff, 0xff, 0xff, 0x7f], marker + 16)
    const { records, reasons } = readAll(envelopes['ocf-block'].unwrapper({}, context), spoilt)
    expect(reasons[0]).toContain('expected a block of at most')
    expect(records).toEqual([...RECORDS.slice(0, 100), ...RECORDS.slice(200)])
  })

  test('compressed data that is damaged costs its block', () => {
    const packed = Uint8Array.from(written({ compress: 'deflate' }))
    packed[Buffer.from(packed).indexOf(SYNC, headerSize + 10) + 20]! ^= 0xff
    const { records, reasons } = readAll(envelopes['ocf-block'].unwrapper({}, context), packed)
    expect(reasons.length).toBe(1)
    expect(records).toEqual([...RECORDS.slice(0, 100), ...RECORDS.slice(200)])
  })

  test('a bomb is refused before it goes off', () => {
    for (const compress of ['deflate', 'zstandard', 'snappy'] as const) {
      const wrapper = envelopes['ocf-block'].wrapper({ syncMarker: SYNC, compress }, context)
      const huge = new Uint8Array(20 * 2 ** 20)
      const bomb = Buffer.concat([
        wrapper.start(),
        wrapper.wrap({ bytes: huge, bounds: [0, huge.length], position: 0 }),
      ])
      const { records, reasons } = readAll(
        envelopes['ocf-block'].unwrapper({}, { ...context, maximumFrame: 2 ** 20 }),
        bomb,
        TYPE,
        2 ** 22,
      )
      expect(records).toEqual([])
      expect(reasons.length).toBe(1)
    }
    expect(deflateRawSync(new Uint8Array(20 * 2 ** 20)).length).toBeLessThan(2 ** 20)
  })

  test('a count that does not fit the data is refused', () => {
    const wrapper = envelopes['ocf-block'].wrapper({ syncMarker: SYNC }, context)
    const { frames } = encodings['avro-binary'].encoder(TYPE).encode(RECORDS.slice(0, 2))
    for (const [count, kept] of [
      [1, 1],
      [3, 2],
    ] as const) {
      const block = wrapper.wrap({
        bytes: frames.bytes,
        bounds: [0, frames.bytes.length],
        position: 0,
        counts: [count],
      })
      const { records, reasons } = readAll(
        envelopes['ocf-block'].unwrapper({}, context),
        Buffer.concat([wrapper.start(), block]),
      )
      expect(records).toEqual(RECORDS.slice(0, kept))
      expect(reasons.length).toBe(1)
    }
  })
})

describe('snappy', () => {
  test.each<[string, number[], string]>([
    ['a literal', [3, 0x08, 97, 98, 99], 'abc'],
    ['a copy that overlaps itself', [8, 0x04, 97, 98, 0x09, 2], 'abababab'.slice(0, 8)],
    ['a copy with two bytes of offset', [6, 0x08, 97, 98, 99, 0x0a, 3, 0], 'abcabc'],
    ['a copy with four bytes of offset', [6, 0x08, 97, 98, 99, 0x0b, 3, 0, 0, 0], 'abcabc'],
    ['a literal with its length behind', [3, 0xf0, 2, 97, 98, 99], 'abc'],
  ])('%s', (_, data, text) => {
    expect(new TextDecoder().decode(snappyDecompress(Uint8Array.from(data), 1000))).toBe(text)
  })

  test.each<[string, number[]]>([
    ['no length', []],
    ['an endless length', [0x80, 0x80, 0x80, 0x80, 0x80, 0x80]],
    ['too little data', [5, 0x08, 97, 98, 99]],
    ['too much data', [2, 0x08, 97, 98, 99]],
    ['a copy from before the beginning', [6, 0x08, 97, 98, 99, 0x0a, 9, 0]],
    ['a copy of nothing', [6, 0x08, 97, 98, 99, 0x0a, 0, 0]],
    ['a literal beyond the end', [3, 0x0c, 97]],
    ['a size beyond the limit', [0xff, 0xff, 0xff, 0xff, 0x0f, 0]],
  ])('%s is refused', (_, data) => {
    expect(() => snappyDecompress(Uint8Array.from(data), 1000)).toThrow(/damaged|at most 1000/)
  })
})
