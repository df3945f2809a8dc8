// What a model prints: lines arrive whole, too much is counted, and nothing that is printed can stop the model or fill the engine.
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { JetConsole } from '../../src/host/console.ts'
import { batchOf, say, start, textsOf, until } from './jets.ts'

function consoleOf() {
  const printed: string[] = []
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  return { printed, stdout, stderr, console: new JetConsole(stdout, stderr, (text) => printed.push(text)) }
}
/** Each piece arrives before the next. */
async function write(stream: PassThrough, ...pieces: (string | Uint8Array)[]): Promise<void> {
  for (const piece of pieces) {
    stream.write(piece)
    await new Promise(setImmediate)
  }
}

describe('lines', () => {
  test('arrive whole, however they are cut', async () => {
    const { printed, stdout } = consoleOf()
    await write(stdout, 'one\ntw', 'o\nthr', 'ee', '\n')
    expect(printed).toEqual(['one\n', 'two\n', 'three\n'])
  })

  test('of both pipes do not mix', async () => {
    const { printed, stdout, stderr } = consoleOf()
    await write(stdout, 'out ')
    await write(stderr, 'error\n')
    await write(stdout, 'put\n')
    expect(printed).toEqual(['error\n', 'out put\n'])
  })

  test('that do not end are shown after a while', async () => {
    const { printed, stdout, console } = consoleOf()
    await write(stdout, 'question? ')
    expect(printed).toEqual([])
    console.tick()
    expect(printed).toEqual(['question? '])
  })

  test('keep letters of several bytes together', async () => {
    const { printed, stdout } = consoleOf()
    const bytes = new TextEncoder().encode('grün ☮\n')
    await write(stdout, ...Array.from(bytes, (byte) => Uint8Array.of(byte)))
    expect(printed).toEqual(['grün ☮\n'])
  })

  test('without end are shown in pieces', async () => {
    const { printed, stdout } = consoleOf()
    for (let count = 0; count < 20; count++) await write(stdout, 'x'.repeat(1000))
    expect(printed.length).toBeGreaterThan(1)
    expect(printed.join('').length).toBeGreaterThan(10_000)
  })
})

test('too much is left out and counted', async () => {
  const { printed, stdout, console } = consoleOf()
  const line = `${'y'.repeat(999)}\n`
  for (let count = 0; count < 3000; count++) await write(stdout, line)
  stdout.end()
  await console.finish(1000)
  const text = printed.join('')
  const skipped = Number(/… (\d+) bytes of output were left out/.exec(text)?.[1])
  expect(text.length).toBeLessThan(400_000)
  expect(text.replace(/….*\n/, '').length + skipped).toBe(3_000_000)
})

test('after too much there is silence for a while, then what is printed is shown again', async () => {
  const { printed, stdout, console } = consoleOf()
  await write(stdout, 'z'.repeat(300_000))
  console.tick()
  await write(stdout, 'lost\n')
  await sleep(600)
  console.tick()
  await write(stdout, 'shown\n')
  expect(printed.join('')).toMatch(/^z+… \d+ bytes of output were left out: more than the console takes\nshown\n$/)
})

test('the last words are the last lines, whole', async () => {
  const { stderr, console } = consoleOf()
  for (let count = 0; count < 1000; count++) await write(stderr, `line ${count} ${'.'.repeat(100)}\n`)
  const words = console.lastWords.split('\n')
  expect(words.length).toBeGreaterThan(5)
  expect(words[0]).toMatch(/^line \d+ \.+$/)
  expect(words.at(-1)).toMatch(/^line 999 /)
})

describe.each(['none', 'auto'] as const)('a jet, isolation %s', (isolation) => {
  test('prints while it scores', async () => {
    const { jet, printed } = await start('', { isolation })
    expect(textsOf(await jet.score(batchOf('print hello', 'print world')))).toEqual(['printed', 'printed'])
    expect(await until(() => printed.join('') === 'hello\nworld\n')).toBe(true)
  })

  test('that prints without end goes on, and costs no memory', async () => {
    const { jet, printed } = await start('', { isolation })
    const before = process.memoryUsage().rss
    expect(await say(jet, 'chatter 1500')).toBe('told')
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20)
    await jet.stop()
    const text = printed.join('')
    expect(text.length).toBeLessThan(600_000)
    expect(text).toMatch(/… \d+ bytes of output were left out/)
  })

  test('that prints without end while nobody listens is killed as any other', async () => {
    const { jet } = await start('', { isolation, timeout: 1 })
    await expect(say(jet, 'chatter 1000000')).rejects.toThrow(/gave no sign of life for 1 seconds/)
  })
})
