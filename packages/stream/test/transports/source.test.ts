import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { byteChunk, sourceFrom, startOffset } from '../../src/transports/source.ts'
import { bytesOf, contextFor, readBytes, textOf } from './contract.ts'

async function* twoChunks() {
  yield byteChunk(bytesOf('one'), 0)
  yield byteChunk(bytesOf('two'), 3)
}

test.each([
  ['read to its end', async (source: ReturnType<typeof sourceFrom>) => void (await readBytes(source))],
  ['left in the middle', async (source: ReturnType<typeof sourceFrom>) => void (await readBytes(source, 1))],
  ['closed unread', (source: ReturnType<typeof sourceFrom>) => source.close()],
])('what a source holds is given back once: %s', async (_name, use) => {
  let disposed = 0
  const source = sourceFrom(contextFor(), { read: twoChunks, dispose: () => void disposed++ })
  await use(source)
  await source.close()
  expect(disposed).toBe(1)
})

test('a failure is told, and what is held is given back', async () => {
  let disposed = 0
  const source = sourceFrom(contextFor(), {
    async *read() {
      yield byteChunk(bytesOf('one'), 0)
      throw new Error('broke')
    },
    dispose: () => void disposed++,
  })
  await expect(readBytes(source)).rejects.toThrow('broke')
  expect(disposed).toBe(1)
})

test('a signal that has fired before: nothing is read', async () => {
  const source = sourceFrom(contextFor({ signal: AbortSignal.abort() }), { read: twoChunks })
  expect(await readBytes(source)).toEqual([])
})

test('a stream that nobody reads ends with its signal', async () => {
  const stop = new AbortController()
  let disposed = 0
  sourceFrom(contextFor({ signal: stop.signal }), { read: twoChunks, dispose: () => void disposed++ })
  stop.abort()
  await new Promise((resolve) => setTimeout(resolve, 10))
  expect(disposed).toBe(1)
})

test('streams that were opened and read leave nothing behind at the signal of their job', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const context = contextFor()
  const open = async (times: number) => {
    for (let index = 0; index < times; index++) await readBytes(sourceFrom(context, { read: twoChunks }))
    collect()
    await new Promise((resolve) => setTimeout(resolve, 20))
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = await open(1000)
  expect((await open(10_000)) - before).toBeLessThan(8 * 2 ** 20)
})

test('a Buffer comes out as what everybody expects of bytes', () => {
  const { frames } = byteChunk(Buffer.from('text'), 7)
  expect(textOf(frames.bytes.slice(1, 2))).toBe('e')
  expect(Object.getPrototypeOf(frames.bytes)).toBe(Uint8Array.prototype)
  expect(frames.position).toBe(7)
})

test.each([
  [{}, 0],
  [{ skipTo: 5 }, 5],
  [{ skipTo: 5, from: { offset: 9 } }, 9],
  [{ from: { record: 3 } }, 0],
])('reading starts, with %j, at %i', (context, offset) => {
  expect(startOffset(context)).toBe(offset)
})
