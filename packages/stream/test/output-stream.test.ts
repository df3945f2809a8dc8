// Live outputs: frames go in, what the descriptor says goes out.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSchema } from '@pitot/avro'
import { frameAt } from '@pitot/codec'
import { expect, test } from 'vitest'
import { decoderOf, encoderOf } from '../src/codecs.ts'
import { readDescriptor } from '../src/descriptor/read.ts'
import { InputStream } from '../src/input-stream.ts'
import { OutputStream } from '../src/output-stream.ts'
import { StreamFailure, type Transport } from '../src/transport.ts'
import { debug } from '../src/transports/debug.ts'
import { file } from '../src/transports/file.ts'
import { sinkFrom } from '../src/transports/sink.ts'

const schema = {
  type: 'record',
  name: 'Point',
  fields: [
    { name: 'x', type: 'int' },
    { name: 'label', type: 'string' },
  ],
}
const type = parseSchema(schema)
const records = Array.from({ length: 1000 }, (_, x) => ({ x, label: `é ${x}` }))
const context = { log: () => undefined, signal: new AbortController().signal, allowExec: [] }

/** How the same records look in a file, and that they come back from it. */
test.each([
  ['JSON lines', { Encoding: 'json' }],
  ['JSON with another separator', { Encoding: 'json', Envelope: { Type: 'delimited', Separator: '\r\n--\r\n' } }],
  ['Avro in container blocks', { Encoding: 'avro-binary', Envelope: 'ocf-block' }],
  ['Avro in deflated blocks', { Encoding: 'avro-binary', Envelope: { Type: 'ocf-block', Compress: 'deflate' } }],
  [
    'Avro in blocks with zstandard',
    { Encoding: 'avro-binary', Envelope: { Type: 'ocf-block', Compress: 'zstandard' } },
  ],
  ['Avro in blocks with snappy', { Encoding: 'avro-binary', Envelope: { Type: 'ocf-block', Compress: 'snappy' } }],
  ['Avro without frames', { Encoding: 'avro-binary' }],
  ['CSV', { Encoding: 'csv' }],
  ['MessagePack without frames', { Encoding: 'msgpack' }],
])('%s', async (_title, more) => {
  const path = join(mkdtempSync(join(tmpdir(), 'pitot-test-')), 'records')
  const given = { Transport: { Type: 'file', Path: path }, Schema: schema, Loop: false, ...more }
  const out = readDescriptor(given, 'output', [file]).descriptor
  const output = await OutputStream.open(out, { type, context })
  const encoder = encoderOf(out, type)
  for (let start = 0; start < records.length; start += 300) {
    const { frames, rejects } = encoder.encode(records.slice(start, start + 300), output.room)
    expect(rejects).toEqual([])
    await output.write(frames)
  }
  await output.close()
  expect(output.statistics.records).toBe(records.length)
  expect(readFileSync(path).length).toBeGreaterThanOrEqual(output.statistics.bytes)

  const descriptor = readDescriptor(given, 'input', [file]).descriptor
  const decoder = decoderOf(descriptor, type)
  const read: unknown[] = []
  for await (const piece of await InputStream.open(descriptor, { type, context })) {
    expect(piece.kind).toBe('frames')
    if (piece.kind !== 'frames') continue
    for (let index = 0; index < piece.frames.bounds.length / 2; index++) {
      expect(decoder.decode(piece.frames, index, read)).toBeUndefined()
    }
  }
  expect(read).toEqual(records)
})

test('where messages are kept apart, frames go out as they are, and control records are not counted', async () => {
  const seen: string[] = []
  const { descriptor } = readDescriptor({ Transport: 'debug', Encoding: 'json' }, 'output', [debug])
  const outputs = {
    debug: (record: Uint8Array) => void seen.push(Buffer.from(record).toString()),
    console: () => undefined,
  }
  const output = await OutputStream.open(descriptor, { type: null, context: { ...context, outputs } })
  const { frames } = encoderOf(descriptor, null).encode([1, 'two'])
  await output.write(frames)
  await output.writeControl(Buffer.from('{"$pitot":"pig"}'))
  await output.close()
  expect(seen).toEqual(['1', '"two"', '{"$pitot":"pig"}'])
  expect(output.statistics.records).toBe(2)
  expect(frameAt(frames, 0).length).toBe(1)
})

test.each([
  ['JSON lines', { Encoding: 'json' }],
  ['Avro in container blocks, whose header fails first', { Encoding: 'avro-binary', Envelope: 'ocf-block' }],
])('after a failed write the stream can be closed: %s', async (_title, more) => {
  const { descriptor } = readDescriptor(
    { Transport: { Type: 'file', Path: '/dev/full' }, Schema: schema, ...more },
    'output',
    [file],
  )
  const output = await OutputStream.open(descriptor, { type, context })
  const { frames } = encoderOf(descriptor, type).encode(records, output.room)
  await expect(output.write(frames)).rejects.toThrow(/\/dev\/full/)
  await output.close()
  await output.close()
  expect(output.statistics.records).toBe(0)
  expect(output.statistics.bytes).toBe(0)
})

test('a header that could not be written is written before the next records', async () => {
  const written: Uint8Array[] = []
  let isFull = true
  const disk: Transport = {
    type: 'disk',
    fields: {},
    preservesBoundaries: () => false,
    seekable: false,
    create: async () =>
      sinkFrom('the disk', {
        async write({ bytes }) {
          if (isFull) throw new StreamFailure('the disk is full', { passing: true })
          written.push(bytes.slice())
        },
      }),
  }
  const given = { Transport: 'disk', Schema: schema, Encoding: 'avro-binary', Envelope: 'ocf-block' }
  const { descriptor } = readDescriptor(given, 'output', [disk])
  const output = await OutputStream.open(descriptor, { type, context })
  const { frames } = encoderOf(descriptor, type).encode(records, output.room)
  await expect(output.write(frames)).rejects.toThrow(/full/)
  isFull = false
  await output.write(frames)
  await output.close()
  expect(Buffer.concat(written).subarray(0, 4).toString('latin1')).toBe('Obj\u0001')
  expect(written).toHaveLength(2)
})

test('no records are nothing to write', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pitot-test-')), 'records')
  const { descriptor } = readDescriptor({ Transport: { Type: 'file', Path: path } }, 'output', [file])
  const output = await OutputStream.open(descriptor, { type: null, context })
  await output.write({ bytes: Buffer.from('unused'), bounds: [], position: 0 }, [])
  await output.write({ bytes: Buffer.from(''), bounds: [0, 0], counts: [0], position: 0 })
  await output.close()
  expect(readFileSync(path, 'utf8')).toBe('')
  expect(output.statistics).toMatchObject({ records: 0, bytes: 0 })
  expect(output.transactions).toBeUndefined()
})
