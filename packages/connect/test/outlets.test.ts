import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Receiver } from 'ws'
import { textFrame } from '../src/outlets.ts'

test('a frame is what a websocket client reads as one text message', async () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.integer({ min: 0, max: 70_000 }).map((length) => 'x'.repeat(length)),
    fc.constantFrom(125, 126, 65_535, 65_536).map((length) => 'y'.repeat(length)),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        text.map((each) => each.toWellFormed()),
        { maxLength: 4 },
      ),
      async (texts) => {
        const receiver = new Receiver({ isServer: false })
        const received: string[] = []
        receiver.on('message', (data, isBinary) => received.push(isBinary ? 'binary' : String(data)))
        const bytes = Buffer.concat(texts.map((each) => textFrame(each)))
        const source = new PassThrough()
        source.pipe(receiver)
        source.end(bytes)
        await new Promise((resolve) => receiver.on('finish', resolve))
        expect(received).toEqual(texts)
      },
    ),
    { numRuns: 50 },
  )
})
