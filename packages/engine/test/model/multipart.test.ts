// Multipart bodies, whole and cut into pieces at every place.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readMultipart } from '../../src/model/multipart.ts'

interface ReadPart {
  readonly headers: Record<string, string>
  readonly body: string
}

/** One character per byte. */
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

async function* pieces(body: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(body, 'latin1')
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function read(body: string, boundary = 'b', sizes: readonly number[] = [body.length || 1]): Promise<ReadPart[]> {
  const parts: ReadPart[] = []
  for await (const { headers, body: chunks } of readMultipart(pieces(body, sizes), boundary)) {
    const content = Buffer.concat(await Array.fromAsync(chunks))
    parts.push({ headers: Object.fromEntries(headers), body: text(content) })
  }
  return parts
}

describe('what is read', () => {
  test.each<[string, string, readonly string[]]>([
    ['one part', '--b\r\n\r\nhello\r\n--b--\r\n', ['hello']],
    ['two parts', '--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--', ['one', 'two']],
    ['CRLF before the first boundary', '\r\n--b\r\n\r\nhello\r\n--b--\r\n', ['hello']],
    ['words before and after', 'for old readers\r\n--b\r\n\r\nhello\r\n--b--\r\nno more\r\n--b\r\n', ['hello']],
    ['blanks after a boundary', '--b \t\r\n\r\nhello\r\n--b  \r\n\r\n2\r\n--b--', ['hello', '2']],
    ['an empty part', '--b\r\n\r\n\r\n--b--', ['']],
    ['an empty part without its line end', '--b\r\n\r\n--b\r\n\r\nx\r\n--b--', ['', 'x']],
    ['no parts', '--b--\r\n', []],
    ['line ends at the end of a part', '--b\r\n\r\nhello\r\n\r\n\r\n--b--', ['hello\r\n\r\n']],
    [
      'what looks like a boundary',
      '--b\r\n\r\n\r\n--bc\r\n-\r\n--\r\n--b-\r\n--b x\r\n--b--',
      ['\r\n--bc\r\n-\r\n--\r\n--b-\r\n--b x'],
    ],
    ['a boundary inside a line', '--b\r\n\r\nx--b\r\n--b--', ['x--b']],
    ['a bare line feed before a boundary', '--b\r\n\r\nx\n--b\r\n--b--', ['x\n--b']],
    ['bare line feeds throughout', '\n--b\n\nhello\r\n--b\n\ntwo\n--b--\n', ['hello\r', 'two']],
  ])('%s', async (_title, body, expected) => {
    const whole = await read(body)
    expect(whole.map((part) => part.body)).toEqual(expected)
    expect(await read(body, 'b', [1])).toEqual(whole)
    expect(await read(body, 'b', [2, 3])).toEqual(whole)
  })

  test('headers: any case, folded lines, the first of two, UTF-8', async () => {
    const name = Buffer.from('né').toString('latin1')
    const body = `--b\r\nContent-TYPE:text/plain\r\nX-Long: one\r\n\ttwo\r\nX-Long: three\r\nx-name : ${name}\r\n\r\n\r\n--b--`
    expect((await read(body))[0]?.headers).toEqual({
      'content-type': 'text/plain',
      'x-long': 'one two',
      'x-name': 'né',
    })
  })

  test('parts that nobody reads are passed over', async () => {
    const numbers: number[] = []
    for await (const part of readMultipart(pieces('--b\r\n\r\none\r\n--b\r\n\r\ntwo\r\n--b--', [4]), 'b')) {
      numbers.push(part.number)
    }
    expect(numbers).toEqual([1, 2])
  })

  test('bytes are handed on as they come, not collected', async () => {
    let given = 0
    async function* endless() {
      yield Buffer.from('--b\r\n\r\n')
      for (; given < 64; given++) yield Buffer.alloc(1024)
      yield Buffer.from('\r\n--b--')
    }
    for await (const part of readMultipart(endless(), 'b')) {
      for await (const chunk of part.body) {
        expect(chunk.length).toBeLessThanOrEqual(1100)
        break
      }
      expect(given).toBeLessThan(3)
    }
    expect(given).toBe(64)
  })
})

describe('what is refused', () => {
  test.each<[string, string, RegExp]>([
    ['nothing', '', /the boundary 'b' of the Content-Type is nowhere in it/],
    ['another boundary', '--c\r\n\r\nx\r\n--c--', /boundary 'b' .* nowhere/],
    ['the boundary only inside lines', 'x--b\r\n', /nowhere/],
    ['an end inside the headers', '--b\r\nContent-Type: text/plain\r\n', /ends inside the headers of part 1/],
    ['an end right after a boundary', '--b\r\n\r\none\r\n--b\r\n', /ends inside the headers of part 2/],
    ['an end inside a part', '--b\r\n\r\nhello', /ends inside part 1, before the closing boundary/],
    ['an end inside the boundary', '--b\r\n\r\nhello\r\n--b-', /ends inside part 1/],
    [
      'no empty line after the headers',
      '--b\r\nContent-Type: a/b\r\ndef action(x):\r\n\r\n',
      /part 1 has "def action\(x\):" where a header/,
    ],
    ['headers without end', `--b\r\nX: ${'x'.repeat(20_000)}`, /headers of part 1 are longer than 16384 bytes/],
    ['many headers', `--b\r\n${'X: y\r\n'.repeat(4000)}\r\n`, /headers of part 1 are longer than 16384 bytes/],
    ['many parts', `${'--b\r\n\r\n\r\n'.repeat(1001)}--b--`, /more than 1000 parts/],
  ])('%s', async (_title, body, sentence) => {
    await expect(read(body)).rejects.toMatchObject({ code: 'bad-multipart', message: expect.stringMatching(sentence) })
    await expect(read(body, 'b', [5])).rejects.toMatchObject({ message: expect.stringMatching(sentence) })
  })
})

/** Bytes that like to look like boundaries. */
const content = fc
  .array(fc.constantFrom('\r', '\n', '-', '--', 'b', 'bb', '\r\n--b', ' ', '\0', '\u00ff', 'x'), { maxLength: 30 })
  .map((words) => words.join(''))

/** RFC 2046: the boundary must not occur in a part, at the beginning of a line. */
function isFree(body: string, lineEnd: string): boolean {
  return !`${lineEnd}${body}${lineEnd}`
    .slice(0, -lineEnd.length)
    .match(new RegExp(`${lineEnd}--b(--|[ \t\r]*\n|[ \t\r]*$)`))
}

test('any parts come back, whatever is in them and wherever the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(content, { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom('\r\n', '\n'),
      async (contents, sizes, lineEnd) => {
        fc.pre(contents.every((body) => isFree(body, lineEnd)))
        const parts = contents.map(
          (body, index) => `--b${lineEnd}X-Number: ${index}${lineEnd}${lineEnd}${body}${lineEnd}`,
        )
        const found = await read(`${parts.join('')}--b--`, 'b', sizes)
        expect(found).toEqual(contents.map((body, index) => ({ headers: { 'x-number': String(index) }, body })))
      },
    ),
    { numRuns: 500 },
  )
})

test('any bytes at all give parts or one of the errors', async () => {
  const bytes = fc.array(fc.constantFrom('--b', '--', '\r\n', '\n', 'a: b', ' ', 'x'), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(bytes, fc.integer({ min: 1, max: 9 }), async (words, size) => {
      const outcome = (sizes: readonly number[]) =>
        read(words.join(''), 'b', sizes).catch((error: Error) => error.message)
      expect(await outcome([size])).toEqual(await outcome([1000]))
    }),
    { numRuns: 500 },
  )
})
