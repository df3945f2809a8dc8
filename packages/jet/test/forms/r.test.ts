// Form `r` without R: batches become lists that can be read again, and lists of emissions become frames.
import { describe, expect, test } from 'vitest'
import { isAnswered, type SentBatch } from '../../src/forms/form.ts'
import { RTranslator } from '../../src/forms/r.ts'
import type { Emissions } from '../../src/jet.ts'
import { ModelFailure } from '../../src/jet.ts'
import {
  END_OF_SET,
  type JetReject,
  type ModelSlot,
  NO_FRAME,
  type Scored,
  type SlotStream,
} from '../../src/messages.ts'
import { compileConvertR } from '../../src/r/convert.ts'
import { ROutput } from '../../src/r/output.ts'
import { readR } from '../../src/r/read.ts'
import { type RList, RVector } from '../../src/r/value.ts'
import { compileWriteR } from '../../src/r/write.ts'
import { framesOf, textsOf } from '../slot/frames.ts'

const json = (schema: unknown = null): SlotStream => ({ encoding: 'json', options: {}, schema, room: 1 })

function translator(slots: readonly Partial<ModelSlot>[] = [], stream = json()): RTranslator {
  const made = new RTranslator()
  const usual = (slot: number) => ({ slot, recordsets: false, action: slot === 0 ? 'action' : null })
  made.loaded({
    slots: [0, 1].map((slot) => ({ ...usual(slot), ...slots.find((each) => each.slot === slot) })),
    snapshots: 'none',
    warnings: [],
  })
  for (const slot of [0, 1]) made.attach({ slot, stream })
  return made
}

function sent(made: RTranslator, ...frames: string[]): SentBatch {
  const result = made.toJet({ slot: 0, frames: framesOf(...frames), first: 1, isRecordset: false })
  if (isAnswered(result)) throw new Error('nothing was left to send')
  return result
}

function listed(values: readonly unknown[]): Uint8Array {
  const output = new ROutput()
  output.startBatch()
  for (const value of values) compileWriteR(null)(output, value)
  output.endBatch(values.length)
  return output.bytes
}

interface Emission {
  readonly value?: unknown
  readonly index?: number
  readonly slot?: number
}

function scored(emissions: readonly Emission[], rejects: readonly JetReject[] = []): Scored {
  return {
    batch: 1,
    consumed: 3,
    seconds: { decode: 1, checkInput: 0, model: 1, checkOutput: 0, encode: 1 },
    indexes: Uint32Array.from(emissions, ({ index = 0 }) => index),
    bounds: new Uint32Array(2 * emissions.length),
    slots: Uint16Array.from(emissions, ({ slot = 1 }) => slot),
    bytes: emissions.length === 0 ? new Uint8Array() : listed(emissions.map(({ value = null }) => value)),
    rejects,
  }
}

const read = (batch: SentBatch) => (readR(batch.batch.bytes) as RList).values.map(compileConvertR(null))
const texts = ({ outputs }: Emissions) => outputs.map(({ slot, frames }) => [slot, textsOf(frames)])

describe('to the jet', () => {
  test('one element per record, bounds of zero', () => {
    const batch = sent(translator(), '{"a": 1}', '[1, 2.5]', 'null')
    expect(read(batch)).toEqual([{ a: 1 }, [1, 2.5], null])
    expect(batch).toMatchObject({ consumed: 3, rejects: [], batch: { slot: 0, first: 1, isRecordset: false } })
    expect(batch.map).toBeUndefined()
    expect(Array.from(batch.batch.bounds)).toEqual([0, 0, 0, 0, 0, 0])
  })

  test('what is no record is rejected by the host', () => {
    const batch = sent(translator([{ slot: 0, schema: 'int' }]), '1', 'x', '"a"', '4')
    expect(read(batch)).toEqual([1, 4])
    expect(Array.from(batch.map!)).toEqual([0, 3])
    expect((readR(batch.batch.bytes) as RList).attributes.frames).toEqual(new RVector([0, 3], {}))
    expect(batch.rejects.map(({ index, step }) => [index, step])).toEqual([
      [1, 'encoding'],
      [2, 'schema'],
    ])
  })

  test('what R cannot hold is rejected, and leaves nothing behind in the list', () => {
    const batch = sent(translator(), '{"a": "x", "b": "\\u0000"}', '{"a": "y"}')
    expect(read(batch)).toEqual([{ a: 'y' }])
    expect(batch.rejects).toMatchObject([{ index: 0, step: 'model' }])
  })

  test('nothing is sent when nothing is left', () => {
    const result = translator().toJet({ slot: 0, frames: framesOf('x', 'y'), first: 1, isRecordset: false })
    expect(result).toMatchObject({ consumed: 0, outputs: [], rejects: [{ index: 0 }, { index: 1 }] })
  })

  test('a stream that the slot cannot take', () => {
    const made = translator([{ slot: 0, schema: 'int' }])
    expect(() => made.attach({ slot: 0, stream: json('string') })).toThrow(ModelFailure)
    expect(read(sent(made, '1'))).toEqual([1])
  })
})

describe('from the jet', () => {
  test('emissions become frames, with the frames they came from', () => {
    const made = translator()
    const batch = sent(made, '1', 'x', '3')
    const result = made.fromJet(
      scored([{ value: 'a' }, { value: { b: 1 }, index: 1 }], [{ index: 1, step: 'model', reason: 'r' }]),
      batch,
    )
    expect(texts(result)).toEqual([[1, ['"a"', '{"b":1}']]])
    expect(Array.from(result.outputs[0]!.indexes)).toEqual([0, 2])
    expect(result.rejects.map(({ index, step }) => [index, step])).toEqual([
      [1, 'encoding'],
      [2, 'model'],
    ])
    expect(result.seconds.decode).toBeGreaterThan(1)
  })

  test('those of begin and end come from no frame', () => {
    const result = translator().fromJet(scored([{ value: 1, index: NO_FRAME }]), undefined)
    expect(Array.from(result.outputs[0]!.indexes)).toEqual([NO_FRAME])
  })

  test('outputs of another type are rejected', () => {
    const made = translator([{ slot: 1, schema: 'int' }])
    const result = made.fromJet(scored([{ value: 1 }, { value: 'a' }, { value: 2.5 }]), sent(made, '1'))
    expect(texts(result)).toEqual([[1, ['1']]])
    expect(result.rejects).toMatchObject([
      { index: 0, step: 'schema', slot: 1 },
      { index: 0, step: 'schema', slot: 1 },
    ])
  })

  test('record sets are taken apart, and their ends are counted without what was refused', () => {
    const made = translator([{ slot: 1, recordsets: true, schema: 'int' }])
    const end = { slot: 1 | END_OF_SET }
    const result = made.fromJet(
      scored([{ value: [1, 2.5, 3] }, end, { value: [] }, end, { value: 4 }, end]),
      sent(made, '1'),
    )
    expect(texts(result)).toEqual([[1, ['1', '3', '4']]])
    expect(result.outputs[0]!.endsOfSets).toEqual([2, 2, 3])
    expect(result.rejects).toHaveLength(1)
  })

  test('what goes to a slot without a stream goes nowhere', () => {
    const made = translator()
    made.attach({ slot: 1, stream: null })
    expect(made.fromJet(scored([{ value: 1 }, { value: 2, slot: 3 }]), sent(made, '1')).outputs).toEqual([])
  })

  test('bytes in JSON without a schema are texts', () => {
    const made = translator()
    const value = { a: new Uint8Array([65, 255]), b: [new Uint8Array([66])] }
    expect(texts(made.fromJet(scored([{ value }]), sent(made, '1')))).toEqual([[1, ['{"a":"A\u00ff","b":["B"]}']]])
  })

  test.each([
    ['another number of emissions', { ...scored([{ value: 1 }]), bytes: listed([1, 2]) }],
    ['no list', { ...scored([{ value: 1 }]), bytes: listed([1]).subarray(0, 20) }],
    ['other bytes', { ...scored([{ value: 1 }]), bytes: Buffer.from('garbage') }],
  ])('%s is an error', (_, answer) => {
    const made = translator()
    expect(() => made.fromJet(answer, sent(made, '1'))).toThrow(Error)
  })
})

test('fields that sensors watch', () => {
  const made = translator()
  const program = { filter: { type: '>', threshold: 1 }, aggregate: { type: 'count' }, maxReads: null } as const
  made.watches.set({ watch: 1, slot: 0, path: 'a', program })
  made.watches.set({ watch: 2, slot: 1, path: 'b', program })
  const batch = sent(made, '{"a": 1}', '{"a": 2}', 'x', '{"a": 3}')
  made.fromJet(scored([{ value: { b: 1 } }, { value: { b: 5 }, index: 1 }]), batch)
  expect(made.watches.take([1, 2])).toEqual({ 1: 2, 2: 1 })
})
