// Live inputs: what a descriptor says is what comes out, in order, with positions.
import { appendFileSync, mkdtempSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSchema } from '@pitot/avro'
import { countFrames, frameAt } from '@pitot/codec'
import { beforeAll, describe, expect, test } from 'vitest'
import { decoderOf, encoderOf } from '../src/codecs.ts'
import { readDescriptor } from '../src/descriptor/read.ts'
import { InputStream } from '../src/input-stream.ts'
import { OutputStream } from '../src/output-stream.ts'
import { sampleStream } from '../src/probes.ts'
import type { Position } from '../src/transport.ts'
import { debug } from '../src/transports/debug.ts'
import { markOf } from '../src/transports/file/rotated.ts'
import { file } from '../src/transports/file.ts'

const context = { log: () => undefined, signal: new AbortController().signal, allowExec: [] }

interface Seen {
  readonly records: string[]
  readonly controls: string[]
  readonly rejects: string[]
  readonly positions: unknown[]
  readonly stream: InputStream
}

async function readAll(given: object, limit = Number.POSITIVE_INFINITY): Promise<Seen> {
  const { descriptor } = readDescriptor(given, 'input', [debug, file])
  const stream = await InputStream.open(descriptor, { type: null, context })
  const seen: Seen = { records: [], controls: [], rejects: [], positions: [], stream }
  for await (const piece of stream) {
    if (piece.kind === 'control') seen.controls.push(piece.control.kind)
    else if (piece.kind === 'rejects') seen.rejects.push(...piece.rejects.map(({ reason }) => reason))
    else {
      for (let index = 0; index < countFrames(piece.frames); index++) {
        seen.records.push(Buffer.from(frameAt(piece.frames, index)).toString())
        seen.positions.push(piece.position(index))
      }
    }
    if (seen.records.length >= limit) break
  }
  return seen
}

const inline = (data: string | string[], more: object = {}) => ({ Transport: { Type: 'debug', Data: data }, ...more })

test.each([
  ['lines', inline('a\nb\nc\n'), ['a', 'b', 'c']],
  ['a last line without its separator', inline('a\nb'), ['a', 'b']],
  ['an array, one record each', inline(['1', '2', '3']), ['1', '2', '3']],
  ['SkipTo', inline('aaa\nbbb', { SkipTo: 2, Envelope: 'delimited' }), ['a', 'bbb']],
  ['SkipToRecord where the transport cannot seek', inline('a\nb\nc', { SkipToRecord: 2 }), ['c']],
  ['SkipToRecord beyond the end', inline('a\nb', { SkipToRecord: 5 }), []],
  ['the end marker', inline('a\n$end-of-stream\nb'), ['a']],
  ['no end marker', inline('a\n$end-of-stream\nb', { EndMarker: null }), ['a', '$end-of-stream', 'b']],
  ['another end marker', inline(['1', 'stop', '2'], { EndMarker: 'stop' }), ['1']],
  ['the end marker as a JSON string', inline('1\n"$end-of-stream"\n2', { Encoding: 'json' }), ['1']],
  ['the control record end', inline('1\n{"$pitot":"end"}\n2', { Encoding: 'json' }), ['1']],
])('%s', async (_title, given, expected) => {
  const { records, stream } = await readAll(given)
  expect(records).toEqual(expected)
  expect(stream.eof).toBe(true)
  expect(stream.statistics.records).toBe(expected.length)
})

test('control records stand where they stood, and are not counted', async () => {
  const { descriptor } = readDescriptor(
    inline('1\n{"$fastscore":"pig"}\n2\n{"$pitot":"set"}\n', { Encoding: 'json' }),
    'input',
    [debug],
  )
  const stream = await InputStream.open(descriptor, { type: null, context })
  const order: string[] = []
  for await (const piece of stream) {
    if (piece.kind === 'frames') order.push(Buffer.from(frameAt(piece.frames, 0)).toString())
    if (piece.kind === 'control') order.push(Buffer.from(piece.bytes).toString())
  }
  expect(order).toEqual(['1', '{"$fastscore":"pig"}', '2', '{"$pitot":"set"}'])
  expect(stream.statistics.records).toBe(2)
})

test('a looping stream begins again, and a last record without separator does not run into the first', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pitot-test-')), 'records')
  writeFileSync(path, 'a\nb')
  const { records } = await readAll({ Transport: { Type: 'file', Path: path } }, 5)
  expect(records.slice(0, 5)).toEqual(['a', 'b', 'a', 'b', 'a'])
})

describe('a stream of which no more than some records are wanted', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pitot-test-')), 'records')
  writeFileSync(path, 'a\nb\n')
  const three = ['1', '2', '3']
  test.each([
    ['fewer than it has', inline(three), 2, ['1', '2']],
    ['as many as it has', inline(three), 3, three],
    ['more than it has', inline(three), 4, three],
    ['of lines', inline('1\n2\n3\n'), 1, ['1']],
    ['behind those that are skipped', inline('1\n2\n3\n4', { SkipToRecord: 2 }), 1, ['3']],
    ['of one that loops', { Transport: { Type: 'file', Path: path } }, 5, ['a', 'b', 'a', 'b', 'a']],
    ['control records do not count', inline('1\n{"$pitot":"set"}\n2\n3', { Encoding: 'json' }), 2, ['1', '2']],
  ])('%s', async (_title, given, mostRecords, expected) => {
    const { descriptor } = readDescriptor(given, 'input', [debug, file])
    const stream = await InputStream.open(descriptor, { type: null, context, mostRecords })
    const records: string[] = []
    for await (const piece of stream) {
      if (piece.kind !== 'frames') continue
      for (let index = 0; index < countFrames(piece.frames); index++)
        records.push(Buffer.from(frameAt(piece.frames, index)).toString())
    }
    await stream.close()
    expect(records).toEqual(expected)
    expect(stream.statistics.records).toBe(expected.length)
    expect(stream.eof).toBe(true)
  })
})

test('a looping stream without records ends instead of spinning', async () => {
  expect((await readAll(inline([], { Loop: true }))).records).toEqual([])
})

test('positions are true also for one who goes on, and in a file that was rotated', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'pitot-positions-')), 'log')
  writeFileSync(path, 'aa\nbb\ncc\n')
  const { descriptor } = readDescriptor({ Transport: { Type: 'file', Path: path, Follow: true } }, 'input', [file])
  const stream = await InputStream.open(descriptor, { type: null, context: { ...context, from: { offset: 3 } } })
  const seen: unknown[] = []
  for await (const piece of stream) {
    if (piece.kind !== 'frames') continue
    for (let index = 0; index < countFrames(piece.frames); index++) {
      seen.push([Buffer.from(frameAt(piece.frames, index)).toString(), piece.position(index)])
    }
    if (seen.length === 2) {
      renameSync(path, `${path}.1`)
      writeFileSync(path, 'd\n')
    }
    if (seen.length === 3) break
  }
  await stream.close()
  const [old, now] = [`${path}.1`, path].map((each) => markOf(statSync(each, { bigint: true })))
  expect(seen).toEqual([
    ['bb', { offset: 6, file: old }],
    ['cc', { offset: 9, file: old }],
    ['d', { offset: 2, file: now }],
  ])
})

describe('a followed file that was rotated while nobody read it', () => {
  const open = async (path: string, from?: Position) => {
    const log: string[] = []
    const { descriptor } = readDescriptor({ Transport: { Type: 'file', Path: path, Follow: true } }, 'input', [file])
    const write = (_: string, line: string) => void log.push(line)
    return {
      log,
      stream: await InputStream.open(descriptor, { type: null, context: { ...context, from, log: write } }),
    }
  }

  /** Reads up to a record, and gives what was read and where that was. */
  const readUntil = async (path: string, last: string, from?: Position) => {
    const { stream, log } = await open(path, from)
    const records: string[] = []
    let position: Position = {}
    try {
      for await (const piece of stream) {
        if (piece.kind !== 'frames') continue
        for (let index = 0; index < countFrames(piece.frames); index++) {
          records.push(Buffer.from(frameAt(piece.frames, index)).toString())
          position = piece.position(index)
          if (records.at(-1) === last) return { records, position: JSON.parse(JSON.stringify(position)), log }
        }
      }
    } finally {
      await stream.close()
    }
    throw new Error(`${last} did not come`)
  }

  test.each<[string, (path: string) => void, string[]]>([
    ['once', () => undefined, ['c', 'd', 'e']],
    [
      'twice',
      (path) => {
        renameSync(`${path}.1`, `${path}.2`)
        renameSync(path, `${path}.1`)
        writeFileSync(path, 'f\n')
      },
      ['c', 'd', 'e', 'f'],
    ],
  ])('loses nothing: %s', async (_title, again, expected) => {
    const path = join(mkdtempSync(join(tmpdir(), 'pitot-rotated-')), 'log')
    writeFileSync(path, 'a\nb\nc\nd')
    const { position } = await readUntil(path, 'b')
    renameSync(path, `${path}.1`)
    writeFileSync(path, 'e\n')
    again(path)
    // A copy and a compressed one are no rotated files.
    writeFileSync(`${path}.old`, 'x\n')
    writeFileSync(`${path}.3.gz`, 'y\n')
    expect((await readUntil(path, expected.at(-1)!, position)).records).toEqual(expected)
  })

  test('begins the new file at its start when the old one is gone, and says so', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pitot-rotated-')), 'log')
    writeFileSync(path, 'a\nb\nc\n')
    const { position } = await readUntil(path, 'b')
    unlinkSync(path)
    writeFileSync(path, 'd\ne\nf\n')
    const { records, log } = await readUntil(path, 'f', position)
    expect(records).toEqual(['d', 'e', 'f'])
    expect(log.join()).toMatch(/the old file is not beside it: what it had from byte 4 on is not read/)
  })

  test('goes on in a file that is the same', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pitot-rotated-')), 'log')
    writeFileSync(path, 'a\nb\n')
    const { position } = await readUntil(path, 'a')
    appendFileSync(path, 'c\n')
    expect((await readUntil(path, 'c', position)).records).toEqual(['b', 'c'])
  })
})

test('positions are where reading can go on', async () => {
  const text = 'one\ntwo\nthree'
  const path = join(mkdtempSync(join(tmpdir(), 'pitot-test-')), 'records')
  writeFileSync(path, text)
  const given = { Transport: { Type: 'file', Path: path }, Loop: false }
  const { positions } = await readAll(given)
  const { descriptor } = readDescriptor(given, 'input', [file])
  for (const [index, from] of positions.entries()) {
    const stream = await InputStream.open(descriptor, {
      type: null,
      context: { ...context, from: from as object as never },
    })
    const rest: string[] = []
    for await (const piece of stream) {
      if (piece.kind !== 'frames') continue
      for (let at = 0; at < countFrames(piece.frames); at++)
        rest.push(Buffer.from(frameAt(piece.frames, at)).toString())
    }
    expect(rest).toEqual(['one', 'two', 'three'].slice(index + 1))
  }
})

test('a frame that is too long is rejected, and the next record is read', async () => {
  const { descriptor } = readDescriptor(inline(`${'x'.repeat(100)}\nok\n`), 'input', [debug])
  const stream = await InputStream.open(descriptor, { type: null, context, maximumFrame: 10 })
  const kinds: string[] = []
  for await (const piece of stream)
    kinds.push(piece.kind === 'frames' ? Buffer.from(frameAt(piece.frames, 0)).toString() : piece.kind)
  expect(kinds.sort()).toEqual(['ok', 'rejects'])
  expect(stream.statistics).toMatchObject({ records: 1, rejects: 1, bytes: 104 })
})

describe('blocks of records', () => {
  const type = parseSchema('int')
  const path = join(mkdtempSync(join(tmpdir(), 'pitot-blocks-')), 'records.avro')
  const given = {
    Transport: { Type: 'file', Path: path },
    Encoding: 'avro-binary',
    Envelope: 'ocf-block',
    Schema: 'int',
    Loop: false,
  }

  beforeAll(async () => {
    const { descriptor } = readDescriptor(given, 'output', [file])
    const output = await OutputStream.open(descriptor, { type, context })
    const encoder = encoderOf(descriptor, type)
    for (const block of [[0, 1, 2], [3, 4, 5, 6], [7]]) await output.write(encoder.encode(block).frames)
    await output.close()
  })

  test.each([
    ...[0, 1, 3, 5, 7, 8, 9].map((skipped) => [skipped, undefined] as const),
    ...[1, 3, 5, 8, 9].map((most) => [0, most] as const),
    [2, 4] as const,
  ])('SkipToRecord %i, and no more than %s, count records, not blocks', async (skipped, mostRecords) => {
    const { descriptor } = readDescriptor({ ...given, SkipToRecord: skipped }, 'input', [file])
    const stream = await InputStream.open(descriptor, { type, context, mostRecords })
    const decoder = decoderOf(descriptor, type)
    const records: unknown[] = []
    for await (const piece of stream) {
      if (piece.kind !== 'frames') throw new Error(`unexpected ${piece.kind}`)
      for (let index = 0; index < countFrames(piece.frames); index++) {
        expect(decoder.decode(piece.frames, index, records)).toBeUndefined()
      }
    }
    await stream.close()
    expect(records).toEqual([0, 1, 2, 3, 4, 5, 6, 7].slice(skipped).slice(0, mostRecords))
    expect(stream.statistics.records).toBe(records.length)
  })

  test('a sample is made of records', async () => {
    const { descriptor } = readDescriptor(given, 'input', [file])
    const sample = await sampleStream(descriptor, { type, context }, 5)
    expect(sample.map((bytes) => [...bytes])).toEqual([[0], [2], [4], [6], [8]])
  })
})
