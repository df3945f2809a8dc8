import { expect, test } from 'vitest'
import { console } from '../../src/transports/console.ts'
import { bytesOf, contextFor, framesOf, textOf, transportContract } from './contract.ts'

const noDebug = () => undefined

transportContract({
  transport: console,
  output: async () => {
    const shown: Uint8Array[] = []
    const outputs = { debug: noDebug, console: (records: readonly Uint8Array[]) => void shown.push(...records) }
    return { options: {}, context: { outputs }, received: async () => shown }
  },
})

test('console: a batch is one notification, with memory of its own', async () => {
  const shown: (readonly Uint8Array[])[] = []
  const outputs = { debug: noDebug, console: (records: readonly Uint8Array[]) => void shown.push(records) }
  const sink = await console.create!({}, contextFor({ outputs }))
  const frames = framesOf([bytesOf('one'), bytesOf('two')])
  await sink.write(frames)
  frames.bytes.fill(0)
  expect(shown.map((records) => records.map(textOf))).toEqual([['one', 'two']])
})

test('console: where nobody listens nothing is shown, and nothing fails', async () => {
  const sink = await console.create!({}, contextFor())
  await sink.write(framesOf([bytesOf('one')]))
  await sink.close()
})
