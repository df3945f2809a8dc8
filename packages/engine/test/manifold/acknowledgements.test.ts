import { afterEach, describe, expect, test } from 'vitest'
import { Acknowledgements } from '../../src/manifold/acknowledgements.ts'
import { InputSlot } from '../../src/slots/input.ts'
import { OutputSlot } from '../../src/slots/output.ts'
import { readSlot } from '../../src/slots/read.ts'

const context = { transport: { log: () => undefined, allowExec: [] } }
const readAt = async (slot: number, descriptor: object) =>
  (await readSlot(slot, descriptor, undefined, { schema: async () => undefined })).read

const opened: (InputSlot | OutputSlot)[] = []
afterEach(async () => {
  for (const slot of opened.splice(0)) await slot.close()
})

/** One input and one output, and what was secured of the input, with whether the output was flushed before. */
async function acknowledging(delivery: string, { isKept = true } = {}) {
  const input = await InputSlot.open(
    await readAt(0, { Transport: { Type: 'debug', Data: ['1', '2', '3'] }, Encoding: 'json', Delivery: delivery }),
    context,
  )
  const output = await OutputSlot.open(await readAt(1, { Transport: 'discard', Encoding: 'json' }), context)
  opened.push(input, output)
  let flushes = 0
  const flush = output.stream.flush.bind(output.stream)
  output.stream.flush = () => {
    flushes++
    return flush()
  }
  const secured: [records: number, flushes: number][] = []
  const acknowledgements = new Acknowledgements({
    outputs: new Map([[1, output]]),
    secured: isKept ? (_, { records }) => secured.push([records, flushes]) : undefined,
    inTurn: (work) => void work(),
    fail: (error) => {
      throw error
    },
  })
  acknowledgements.settle([input])
  acknowledgements.open(input)
  return { acknowledgements, input, secured }
}

const mark = (records: number) => ({ position: { record: records }, records })

describe('what is acknowledged of an input', () => {
  test('is what was delivered with everything before it, once the outputs have made it durable', async () => {
    const { acknowledgements, input, secured } = await acknowledging('at-least-once')
    const [first, second] = [1, 2].map((records) => acknowledgements.enter(input, mark(records)))
    second!()
    await acknowledgements.secure()
    expect(secured).toEqual([])
    first!()
    await acknowledgements.secure()
    expect(secured).toEqual([[2, 1]])
  })

  test('at most once: is what has begun, whatever becomes of it', async () => {
    const { acknowledgements, input, secured } = await acknowledging('at-most-once')
    acknowledgements.enter(input, mark(1))
    await acknowledgements.secure()
    expect(secured).toEqual([[1, 0]])
  })

  test('is everything when it is closed, and nothing more after a stop', async () => {
    const { acknowledgements, input, secured } = await acknowledging('at-least-once')
    const [first, second] = [1, 2].map((records) => acknowledgements.enter(input, mark(records)))
    const closing = acknowledgements.close(input)
    first!()
    second!()
    await closing
    expect(secured).toEqual([[2, 1]])
    acknowledgements.open(input)
    const third = acknowledgements.enter(input, mark(3))
    acknowledgements.stop()
    third()
    await acknowledgements.secure()
    expect(secured).toEqual([[2, 1]])
  })

  test('is nothing where nobody keeps positions', async () => {
    const { acknowledgements, input, secured } = await acknowledging('at-least-once', { isKept: false })
    acknowledgements.enter(input, mark(1))()
    await acknowledgements.close(input)
    expect(secured).toEqual([])
  })
})
