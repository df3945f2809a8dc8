// Record batches cut into frames: batches come from the client library's own writer, an independent codec.

import { frameAt } from '@pitot/codec'
import { type CompressionAlgorithmValue, createRecordsBatch, type MessageRecord } from '@platformatic/kafka'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MessageDetails } from '../../../src/transport.ts'
import { type AbortedTransaction, findBatches } from '../../../src/transports/kafka/batches.ts'
import { readRecords } from '../../../src/transports/kafka/records.ts'

interface Message {
  readonly key?: Uint8Array | undefined
  readonly value: Uint8Array
  readonly headers: readonly (readonly [string, Uint8Array])[]
}

const bytes = fc.uint8Array({ maxLength: 300 })
const message: fc.Arbitrary<Message> = fc.record({
  key: fc.option(bytes, { nil: undefined }),
  value: bytes,
  headers: fc.array(fc.tuple(fc.string({ maxLength: 10 }), bytes), { maxLength: 3 }),
})
const batches = fc.array(fc.array(message, { minLength: 1, maxLength: 8 }), { maxLength: 5 })
const compression = fc.constantFrom<CompressionAlgorithmValue[]>('none', 'gzip', 'snappy', 'lz4', 'zstd')

/** A batch as it lies in a log: written by the library, then given its offset, which the checksum does not cover. */
function batch(messages: readonly Message[], first: number, algorithm: CompressionAlgorithmValue = 'none'): Buffer {
  const records = messages.map(({ key, value, headers }) => ({
    topic: 't',
    partition: 0,
    key: key && Buffer.from(key),
    value: Buffer.from(value),
    headers: new Map(headers.map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
  }))
  const written = Buffer.from(
    createRecordsBatch(records as unknown as MessageRecord[], { compression: algorithm }).buffer,
  )
  written.writeBigInt64BE(BigInt(first), 0)
  return written
}

function log(lists: readonly (readonly Message[])[], algorithms: readonly CompressionAlgorithmValue[]) {
  let offset = 100
  const parts = lists.map((messages, index) => {
    const part = batch(messages, offset, algorithms[index % algorithms.length])
    offset += messages.length
    return part
  })
  return { bytes: Buffer.concat(parts), parts, messages: lists.flat(), end: offset }
}

function read(given: Buffer, from = 100, aborted: readonly AbortedTransaction[] = []) {
  // In the middle of a larger memory, as an answer of a broker is.
  const memory = Buffer.concat([Buffer.alloc(7, 1), given, Buffer.alloc(5, 2)])
  const { batches: found, next } = findBatches(memory.subarray(7, 7 + given.length), from, aborted, 'Partition 0')
  const pieces = [...readRecords(found, from)]
  const values = pieces.flatMap(({ frames, offsets }) => offsets.map((_, index) => Buffer.from(frameAt(frames, index))))
  const details = pieces.flatMap((piece) => piece.details ?? piece.offsets.map(() => ({}) as MessageDetails))
  return { next, pieces, values, details, offsets: pieces.flatMap(({ offsets }) => offsets) }
}

describe('records of a partition', () => {
  it('reads what the library wrote, with keys and headers, in any compression', () => {
    fc.assert(
      fc.property(batches, fc.array(compression, { minLength: 1, maxLength: 3 }), (lists, algorithms) => {
        const { bytes: given, messages, end } = log(lists, algorithms)
        const result = read(given)
        expect(result.next).toBe(end)
        expect(result.offsets).toEqual(messages.map((_, index) => 100 + index))
        expect(result.values).toEqual(messages.map(({ value }) => Buffer.from(value)))
        for (const [index, { key, headers }] of messages.entries()) {
          const details = result.details[index] ?? {}
          expect(details.key && [...details.key]).toEqual(key && [...key])
          expect((details.headers ?? []).map(([name, text]) => [name, [...text]])).toEqual(
            headers.map(([name, text]) => [Buffer.from(name).toString(), [...text]]),
          )
        }
      }),
      { numRuns: 150 },
    )
  })

  it('leaves a batch that is cut off for the next fetch', () => {
    fc.assert(
      fc.property(batches, fc.nat(), (lists, cut) => {
        const { bytes: given, parts, messages } = log(lists, ['none'])
        const length = cut % (given.length + 1)
        const result = read(given.subarray(0, length))
        let whole = 0
        let [end, count] = [0, 0]
        for (const [index, part] of parts.entries()) {
          end += part.length
          if (end <= length) {
            whole++
            count += lists[index]?.length ?? 0
          }
        }
        expect(result.values).toEqual(messages.slice(0, count).map(({ value }) => Buffer.from(value)))
        expect(result.next).toBe(100 + lists.slice(0, whole).flat().length)
      }),
    )
  })

  it('begins in the middle of a batch', () => {
    const values = ['a', 'b', 'c', 'd'].map((text) => ({ value: Buffer.from(text), headers: [] }))
    const { bytes: given } = log([values], ['zstd'])
    expect(read(given, 102).values.map(String)).toEqual(['c', 'd'])
    expect(read(given, 104).values).toEqual([])
  })

  it('refuses damage of any bit behind the offset, and never reads something else', () => {
    const { bytes: given } = log([[{ value: Buffer.from('value'), headers: [['h', Buffer.from('x')]] }]], ['none'])
    for (let bit = 16 * 8; bit < given.length * 8; bit++) {
      const damaged = Buffer.from(given)
      damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(() => read(damaged)).toThrow(/Partition 0, batch at offset 100 is/)
    }
  })

  it.each(['none', 'lz4'] as const)('hands on in pieces, each of which says where to go on: %s', (algorithm) => {
    const lists = [3000, 5, 1, 1200].map((count, list) =>
      Array.from({ length: count }, (_, index) => ({
        value: Buffer.from(`${list} ${index} ${'x'.repeat(100)}`),
        headers: index % 7 === 0 && list === 3 ? [['h', Buffer.from('x')] as const] : [],
      })),
    )
    const { bytes: given, messages, end } = log(lists, [algorithm])
    const { pieces, values, offsets, details } = read(given, 250)
    expect(values).toEqual(messages.slice(150).map(({ value }) => value))
    expect(offsets).toEqual(messages.slice(150).map((_, index) => 250 + index))
    expect(details.filter(({ headers }) => headers !== undefined)).toHaveLength(Math.ceil(1200 / 7))
    expect(pieces.length).toBeGreaterThan(3)
    for (const piece of pieces) {
      expect(piece.frames.bytes.length).toBeLessThan(2 ** 17 + 1024)
      expect(piece.next).toBe(piece.offsets.at(-1)! + 1)
    }
    expect(pieces.at(-1)?.next).toBe(end)
  })

  it('refuses a batch that unpacks to more than a broker would take', () => {
    const bomb = batch([{ value: Buffer.alloc(300 * 1024 * 1024), headers: [] }], 100, 'gzip')
    expect(() => read(bomb)).toThrow(/batch at offset 100 cannot be read/)
  })
})

describe('transactions', () => {
  const transactional = 1 << 4
  const control = 1 << 5
  const [one, other] = [1n, 2n]
  const value = (text: string): Message => ({ value: Buffer.from(text), headers: [] })

  it.each([
    {
      what: 'several of one producer',
      log: ['one a', 'abort', 'one b', 'commit', 'one c', 'abort', 'one d', 'commit'],
      aborted: [4, 0],
      expected: ['b', 'd'],
    },
    { what: 'one whose end has not come yet', log: ['one a', 'one b'], aborted: [0], expected: [] },
    {
      what: 'another producer between',
      log: ['one a', 'other b', 'abort', 'one c', 'commit'],
      aborted: [0],
      expected: ['b', 'c'],
    },
    { what: 'one that began before', log: ['one a', 'abort', 'one b', 'commit'], aborted: [-5], expected: ['b'] },
  ])('passes over aborted ones: $what', async ({ log: entries, aborted, expected }) => {
    const parts = entries.map((entry, index) => {
      const marker = entry === 'abort' || entry === 'commit'
      const key = Buffer.from([0, 0, 0, entry === 'commit' ? 1 : 0])
      const part = batch([marker ? { key, value: Buffer.alloc(6), headers: [] } : value(entry.slice(-1))], 100 + index)
      part.writeInt16BE(marker ? transactional | control : transactional, 21)
      part.writeBigInt64BE(entry.startsWith('other') ? other : one, 43)
      return seal(part)
    })
    const transactions = aborted.map((first) => ({ producerId: one, firstOffset: 100 + first }))
    const result = read(Buffer.concat(parts), 100, transactions)
    expect(result.values.map(String)).toEqual(expected)
    expect(result.next).toBe(100 + entries.length)
    // What is passed over lies behind the last record that is not.
    if (expected.length > 0) expect(result.pieces.at(-1)?.next).toBe(100 + entries.length)
  })
})

/** Writes the checksum anew. */
function seal(part: Buffer): Buffer {
  part.writeUInt32BE(crc32c(part.subarray(21)), 17)
  return part
}

/** CRC-32C bit by bit: slow, and written apart from what is tested. */
function crc32c(given: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of given) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0)
  }
  return ~crc >>> 0
}
