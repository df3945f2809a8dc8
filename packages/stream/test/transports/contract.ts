// What every transport has to do, whatever it moves bytes through. Each transport's test file runs this with a harness.
import { type Frames, frameAt } from '@pitot/codec'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type Chunk,
  type Sink,
  type Source,
  type StreamContext,
  StreamFailure,
  type Transport,
} from '../../src/index.ts'

/** An input to be opened, and the world at its other end. */
export interface InputCase {
  /** As they come from the descriptor reader. */
  readonly options: object
  readonly context?: Partial<StreamContext>
  /**
   * Makes these messages come in, in this order: before or after the stream is opened, as the transport has it. Called
   * with the open source. For a transport of bytes, the messages come as one stream of bytes.
   */
  readonly send?: (messages: readonly Uint8Array[]) => Promise<void>
  /** Ends the stream at the other end; absent where there is no end. */
  readonly end?: () => Promise<void>
}

export interface OutputCase {
  readonly options: object
  readonly context?: Partial<StreamContext>
  /** What has arrived at the other end, after the sink was closed: messages, or the bytes as one. */
  readonly received: () => Promise<readonly Uint8Array[]>
}

export interface TransportHarness {
  readonly transport: Transport
  /** Makes a fresh input that will give (or be sent) these messages. `cleanUp` is called for each after its test. */
  readonly input?: (messages: readonly Uint8Array[]) => Promise<InputCase>
  readonly output?: () => Promise<OutputCase>
  /** Options that cannot be opened, with what the sentence has to mention. */
  readonly brokenInput?: () => Promise<{ options: object; context?: Partial<StreamContext>; mentions: RegExp }>
  readonly brokenOutput?: () => Promise<{ options: object; context?: Partial<StreamContext>; mentions: RegExp }>
  /** Reading can go on from the position of an earlier reader. */
  readonly resumes?: boolean
  readonly cleanUp?: () => Promise<void>
}

export function contextFor(more: Partial<StreamContext> = {}): StreamContext {
  return { log: () => undefined, signal: new AbortController().signal, allowExec: [], ...more }
}

const encoder = new TextEncoder()
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** The messages of a chunk, copied at once, so that memory that is used again shows. */
export function messagesOf({ frames }: Chunk): Uint8Array[] {
  return Array.from({ length: frames.bounds.length / 2 }, (_, index) => new Uint8Array(frameAt(frames, index)))
}

/** Reads until `count` bytes have come, or until the end. */
export async function readBytes(source: Source, count = Number.POSITIVE_INFINITY): Promise<Uint8Array[]> {
  const messages: Uint8Array[] = []
  let size = 0
  for await (const chunk of source) {
    for (const message of messagesOf(chunk)) {
      messages.push(message)
      size += message.length
    }
    if (size >= count) break
  }
  return messages
}

/** Frames with gaps between them, as they come from an encoder that left room for separators. */
export function framesOf(messages: readonly Uint8Array[], gap = 3): Frames {
  const bounds: number[] = []
  let at = gap
  for (const message of messages) {
    bounds.push(at, at + message.length)
    at += message.length + gap
  }
  const bytes = new Uint8Array(at).fill(0x58)
  for (const [index, message] of messages.entries()) bytes.set(message, bounds[2 * index])
  return { bytes, bounds, position: 0 }
}

export function joined(messages: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(messages))
}

const lines = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => bytesOf(`{"number":${from + index}}\n`))

export function transportContract(harness: TransportHarness): void {
  const { transport, cleanUp } = harness
  const opened: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close().catch(() => undefined)
    await cleanUp?.()
  })
  const keep = <T extends { close(): Promise<void> }>(each: T): T => {
    opened.push(each)
    return each
  }

  describe(`transport ${transport.type}: contract`, () => {
    test('its fields have names like the others, and say what is allowed', () => {
      for (const [name, field] of Object.entries(transport.fields)) {
        expect(name).toMatch(/^[A-Z][A-Za-z]+$/)
        expect(field.allowed).not.toBe('')
        if (field.default !== undefined) expect(field.read(field.default)).toEqual(field.default)
      }
    })

    test('it has a meaning in the directions that it is tested in, and in no other', () => {
      expect(transport.open !== undefined).toBe(harness.input !== undefined)
      expect(transport.create !== undefined).toBe(harness.output !== undefined)
    })

    if (harness.input !== undefined) inputContract(harness, harness.input, keep)
    if (harness.output !== undefined) outputContract(harness, harness.output, keep)
  })
}

/** For what a transport does not promise. */
const ignore = (_name: string, _action: () => Promise<void>): void => undefined

type Keep = <T extends { close(): Promise<void> }>(each: T) => T

function inputContract(
  { transport, resumes, brokenInput }: TransportHarness,
  make: NonNullable<TransportHarness['input']>,
  keep: Keep,
): void {
  const open = async (input: InputCase, more: Partial<StreamContext> = {}) =>
    keep(await transport.open!(input.options, contextFor({ ...input.context, ...more })))

  test.each([1, 10, 5000])('input: %i messages arrive, whole and in order', async (count) => {
    const sent = lines(count)
    const input = await make(sent)
    const source = await open(input)
    const sending = input.send?.(sent).then(() => input.end?.())
    const received = await readBytes(source, joined(sent).length)
    await sending
    expect(textOf(joined(received))).toBe(textOf(joined(sent)))
    if (transport.preservesBoundaries(input.options)) expect(received.map(textOf)).toEqual(sent.map(textOf))
  })

  test('input: ranges lie within the memory and in order; nothing is written to it later', async () => {
    const sent = lines(3000)
    const input = await make(sent)
    const source = await open(input)
    const sending = input.send?.(sent).then(() => input.end?.())
    const seen: { chunk: Chunk; copy: Uint8Array }[] = []
    const total = joined(sent).length
    let size = 0
    for await (const chunk of source) {
      const { bytes, bounds } = chunk.frames
      expect(bounds.length % 2).toBe(0)
      for (let index = 0; index < bounds.length; index++) {
        expect(bounds[index]).toBeGreaterThanOrEqual(bounds[index - 1] ?? 0)
        expect(bounds[index]).toBeLessThanOrEqual(bytes.length)
      }
      if (chunk.details !== undefined) expect(chunk.details.length).toBe(bounds.length / 2)
      // The slice of a Buffer is no copy, which those who work with frames would not expect.
      expect(Object.getPrototypeOf(bytes)).toBe(Uint8Array.prototype)
      seen.push({ chunk, copy: bytes.slice() })
      for (const message of messagesOf(chunk)) size += message.length
      if (size >= total) break
    }
    await sending
    for (const { chunk, copy } of seen) expect(Buffer.compare(chunk.frames.bytes, copy)).toBe(0)
  })

  test('input: positions survive JSON and can be acknowledged', async () => {
    const sent = lines(20)
    const input = await make(sent)
    const source = await open(input)
    const sending = input.send?.(sent).then(() => input.end?.())
    for await (const chunk of source) {
      const position = chunk.position()
      expect(JSON.parse(JSON.stringify(position))).toEqual(position)
      expect(chunk.position(chunk.frames.bounds.length / 2 - 1)).toEqual(position)
      await source.acknowledge(position)
      break
    }
    await sending
  })

  const testResuming = resumes ? test : ignore
  testResuming('input: another reader goes on at the position of the first', async () => {
    const sent = lines(200)
    const input = await make(sent)
    const first = await open(input)
    const sending = input.send?.(sent)
    const messages: Uint8Array[] = []
    let position = {}
    for await (const chunk of first) {
      messages.push(...messagesOf(chunk))
      position = JSON.parse(JSON.stringify(chunk.position()))
      await first.acknowledge(position)
      break
    }
    await first.close()
    await sending
    await input.end?.()
    const rest = joined(sent).length - joined(messages).length
    if (rest > 0) messages.push(...(await readBytes(await open(input, { from: position }), rest)))
    expect(textOf(joined(messages))).toBe(textOf(joined(sent)))
  })

  test('input: closing ends the iteration, also twice, also before it began', async () => {
    const source = await open(await make(lines(3)))
    await source.close()
    await source.close()
    expect(await readBytes(source)).toEqual([])
  })

  test('input: closing ends an iteration that waits', async () => {
    const sent = lines(3)
    const input = await make(sent)
    const source = await open(input)
    const sending = input.send?.(sent)
    const iterator = source[Symbol.asyncIterator]()
    await iterator.next()
    const waiting = (async () => {
      while (!(await iterator.next()).done);
    })()
    await new Promise((resolve) => setTimeout(resolve, 20))
    await source.close()
    await waiting
    await sending?.catch(() => undefined)
  })

  test('input: the signal ends the iteration without a failure', async () => {
    const stop = new AbortController()
    const sent = lines(3)
    const input = await make(sent)
    const source = await open(input, { signal: stop.signal })
    const sending = input.send?.(sent)
    const reading = (async () => {
      for await (const _ of source);
    })()
    await new Promise((resolve) => setTimeout(resolve, 20))
    stop.abort()
    await reading
    await sending?.catch(() => undefined)
  })

  test('input: a consumer that leaves the loop closes the stream', async () => {
    const sent = lines(3)
    const input = await make(sent)
    const source = await open(input)
    const sending = input.send?.(sent)
    for await (const _ of source) break
    await source.close()
    await sending?.catch(() => undefined)
    expect(await readBytes(source)).toEqual([])
  })

  const testBroken = brokenInput === undefined ? ignore : test
  testBroken('input: what cannot be opened fails with a sentence', async () => {
    const { options, context, mentions } = await brokenInput!()
    await expectFailure(async () => keep(await transport.open!(options, contextFor(context))), mentions)
  })
}

async function expectFailure(action: () => Promise<unknown>, mentions: RegExp): Promise<void> {
  const error = await action().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StreamFailure)
  expect((error as Error).message).toMatch(mentions)
}

function outputContract(
  { transport, brokenOutput }: TransportHarness,
  make: NonNullable<TransportHarness['output']>,
  keep: Keep,
): void {
  const create = async (output: OutputCase, more: Partial<StreamContext> = {}): Promise<Sink> =>
    keep(await transport.create!(output.options, contextFor({ ...output.context, ...more })))

  /** One write as the transport wants it: messages side by side, or wrapped to one range. */
  const frames = (options: object, messages: readonly Uint8Array[]) =>
    transport.preservesBoundaries(options) ? framesOf(messages) : framesOf([joined(messages)])

  test.each([
    [1, 1],
    [7, 100],
    [300, 1],
  ])('output: %i writes of %i messages arrive, whole and in order', async (writes, count) => {
    const output = await make()
    const sink = await create(output)
    const sent: Uint8Array[] = []
    for (let index = 0; index < writes; index++) {
      const messages = lines(count, index * count)
      sent.push(...messages)
      await sink.write(frames(output.options, messages))
    }
    await sink.flush()
    await sink.close()
    const received = await output.received()
    if (transport.type === 'discard') return expect(received).toEqual([])
    expect(textOf(joined(received))).toBe(textOf(joined(sent)))
    if (transport.preservesBoundaries(output.options)) expect(received.map(textOf)).toEqual(sent.map(textOf))
  })

  test('output: nothing is a write, too', async () => {
    const output = await make()
    const sink = await create(output)
    await sink.write({ bytes: new Uint8Array(8), bounds: [], position: 0 })
    await sink.flush()
    await sink.close()
    expect(joined(await output.received()).length).toBe(0)
  })

  test('output: closing twice is closing once, and nothing can be written afterwards', async () => {
    const output = await make()
    const sink = await create(output)
    await sink.close()
    await sink.close()
    await expectFailure(() => sink.write(frames(output.options, lines(1))), /closed/)
    await output.received()
  })

  const testBroken = brokenOutput === undefined ? ignore : test
  testBroken('output: what cannot be opened fails with a sentence', async () => {
    const { options, context, mentions } = await brokenOutput!()
    await expectFailure(async () => keep(await transport.create!(options, contextFor(context))), mentions)
  })
}
