import { describe, expect, test } from 'vitest'
import { DebugBuffer, debug } from '../../src/transports/debug.ts'
import { bytesOf, contextFor, joined, readBytes, textOf, transportContract } from './contract.ts'

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const output = async () => {
  const buffer = new DebugBuffer()
  const outputs = { debug: (record: Uint8Array) => buffer.add(record), console: () => undefined }
  return { options: { Data: null, DataBinary: null }, context: { outputs }, received: async () => buffer.records() }
}
const nothing = { Data: null, DataBinary: null }

describe.each([
  ['Data, one text', (messages: readonly Uint8Array[]) => ({ ...nothing, Data: textOf(joined(messages)) })],
  ['Data, a list', (messages: readonly Uint8Array[]) => ({ ...nothing, Data: messages.map(textOf) })],
  ['DataBinary, one text', (messages: readonly Uint8Array[]) => ({ ...nothing, DataBinary: base64(joined(messages)) })],
  ['DataBinary, a list', (messages: readonly Uint8Array[]) => ({ ...nothing, DataBinary: messages.map(base64) })],
])('debug with %s', (_name, options) => {
  transportContract({
    transport: debug,
    input: async (messages) => ({ options: options(messages) }),
    output,
    resumes: true,
    brokenInput: async () => ({ options: nothing, mentions: /Data or DataBinary/ }),
  })
})

test('debug: SkipTo is a byte offset into the text', async () => {
  const source = await debug.open!({ Data: 'aaa\nbbb', DataBinary: null }, contextFor({ skipTo: 2 }))
  expect((await readBytes(source)).map(textOf)).toEqual(['a\nbbb'])
})

test('debug: a SkipTo behind the end gives nothing', async () => {
  const source = await debug.open!({ Data: 'aaa', DataBinary: null }, contextFor({ skipTo: 3 }))
  expect(await readBytes(source)).toEqual([])
})

test('debug: an empty list ends at once', async () => {
  const source = await debug.open!({ Data: [], DataBinary: null }, contextFor())
  expect(await readBytes(source)).toEqual([])
})

test('debug: empty records of a list are records', async () => {
  const source = await debug.open!({ Data: ['', 'a', ''], DataBinary: null }, contextFor())
  expect((await readBytes(source)).map(textOf)).toEqual(['', 'a', ''])
})

describe('DebugBuffer', () => {
  test('keeps the newest records within its number', () => {
    const buffer = new DebugBuffer({ records: 3 })
    for (let index = 0; index < 5000; index++) buffer.add(bytesOf(`${index}`))
    expect(buffer.records().map(textOf)).toEqual(['4997', '4998', '4999'])
    expect(buffer.forgotten).toBe(4997)
  })

  test('keeps within its bytes', () => {
    const buffer = new DebugBuffer({ bytes: 10 })
    for (const text of ['aaaa', 'bbbb', 'cccc']) buffer.add(bytesOf(text))
    expect(buffer.records().map(textOf)).toEqual(['bbbb', 'cccc'])
    buffer.add(new Uint8Array(11))
    expect(buffer.records()).toEqual([])
  })

  test('reading takes nothing away; clearing does', () => {
    const buffer = new DebugBuffer()
    buffer.add(bytesOf('a'))
    expect(buffer.records()).toEqual(buffer.records())
    buffer.clear()
    expect(buffer.records()).toEqual([])
  })
})
