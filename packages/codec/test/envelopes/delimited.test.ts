// Separators: which frames they give, and what happens to frames that are too large.
import { countFrames, envelopes, frameAt, type Unwrapper } from '@pitot/codec'
import { describe, expect, test } from 'vitest'

const bytesOf = (text: string) => new TextEncoder().encode(text)

function framesFrom(
  unwrapper: Unwrapper,
  ...chunks: string[]
): { frames: string[]; rejects: number[]; header?: string } {
  const frames: string[] = []
  const rejects: number[] = []
  let header: string | undefined
  for (const result of [...chunks.map((chunk) => unwrapper.push(bytesOf(chunk))), unwrapper.end()]) {
    for (const each of result.frames) {
      for (let index = 0; index < countFrames(each); index++)
        frames.push(new TextDecoder().decode(frameAt(each, index)))
      if (each.header !== undefined) header = new TextDecoder().decode(each.header)
    }
    rejects.push(...result.rejects.map((reject) => reject.position))
  }
  return { frames, rejects, ...(header === undefined ? {} : { header }) }
}

describe('delimited', () => {
  test.each<[separator: string, text: string, frames: string[]]>([
    ['\n', '', []],
    ['\n', 'a', ['a']],
    ['\n', 'a\n', ['a']],
    ['\n', 'a\nb', ['a', 'b']],
    ['\n', '\n', ['']],
    ['\n', 'a\n\n', ['a', '']],
    ['\n', '\n\na', ['', '', 'a']],
    ['\r\n', 'a\nb\r\nc\r', ['a\nb', 'c\r']],
    ['aab', 'aaabaab', ['a', '']],
    ['é', 'xéy', ['x', 'y']],
    ['\u0000', 'a\u0000b', ['a', 'b']],
  ])('%j cuts %j into %j', (separator, text, frames) => {
    expect(framesFrom(envelopes.delimited.unwrapper({ separator }), text)).toEqual({ frames, rejects: [] })
  })

  test('a frame that is too large is refused once, and the next one is read', () => {
    const unwrapper = () => envelopes.delimited.unwrapper({}, { maximumFrame: 4 })
    expect(framesFrom(unwrapper(), 'abcd\nabcde\nxy\n')).toEqual({ frames: ['abcd', 'xy'], rejects: [5] })
    expect(framesFrom(unwrapper(), 'abc', 'defgh', 'ijkl', 'mn\nxy\n')).toEqual({ frames: ['xy'], rejects: [0] })
    expect(framesFrom(unwrapper(), 'x\nabcdefgh')).toEqual({ frames: ['x'], rejects: [2] })
  })

  test('a gigabyte without a separator takes no memory', () => {
    const unwrapper = envelopes.delimited.unwrapper({}, { maximumFrame: 2 ** 20 })
    const chunk = new Uint8Array(2 ** 20).fill(65)
    let rejects = 0
    const before = process.memoryUsage().arrayBuffers
    for (let count = 0; count < 1024; count++) rejects += unwrapper.push(chunk).rejects.length
    expect(rejects).toBe(1)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 2 ** 20)
    expect(
      unwrapper.push(bytesOf('\nab\n')).frames.map((frames) => new TextDecoder().decode(frameAt(frames, 0))),
    ).toEqual(['ab'])
  })

  test('frames are ranges of the chunk, not copies', () => {
    const chunk = bytesOf('a\nb\n')
    const { frames } = envelopes.delimited.unwrapper({}).push(chunk)
    expect(frames).toEqual([{ bytes: chunk, bounds: [0, 1, 2, 3], position: 0 }])
    expect(frames[0]!.bytes).toBe(chunk)
  })

  test('a separator of nothing is refused', () => {
    expect(() => envelopes.delimited.unwrapper({ separator: '' })).toThrow('at least one byte')
  })
})

describe('delimited-csv', () => {
  test.each<[options: object, text: string, frames: string[], header?: string]>([
    [{}, 'x,y\r\n1,2\r\n3,4', ['1,2', '3,4'], 'x,y'],
    [{}, 'x,y\n1,2\n\n3,4\n', ['1,2', '3,4'], 'x,y'],
    [{ skipHeader: false }, '1,"a\r\nb"\r\n2,"""\n"\n', ['1,"a\r\nb"', '2,"""\n"']],
    [{ skipHeader: false, skipBlankLines: false }, '1\r\n\r\n2\r\n', ['1', '', '2']],
    [{ skipHeader: false, separator: ';' }, '1;"a;b";2', ['1', '"a;b"', '2']],
    [{ skipHeader: false, quote: "'" }, "1,'a\nb'\n2", ["1,'a\nb'", '2']],
  ])('%j %j', (options, text, frames, header) => {
    const expected = { frames, rejects: [], ...(header === undefined ? {} : { header }) }
    expect(framesFrom(envelopes['delimited-csv'].unwrapper(options), text)).toEqual(expected)
    expect(framesFrom(envelopes['delimited-csv'].unwrapper(options), ...text)).toEqual(expected)
  })

  test('a quote that is never closed costs one frame, not the stream', () => {
    const unwrapper = envelopes['delimited-csv'].unwrapper({ skipHeader: false }, { maximumFrame: 8 })
    expect(framesFrom(unwrapper, 'a\n"b\nccccccc\nd\ne\n')).toEqual({ frames: ['a', 'd', 'e'], rejects: [2] })
  })
})

describe('fixed', () => {
  test('an unfinished record at the end is refused', () => {
    expect(framesFrom(envelopes.fixed.unwrapper({ size: 2 }), 'ab', 'c', 'd', 'e')).toEqual({
      frames: ['ab', 'cd'],
      rejects: [4],
    })
  })

  test('records are filled up with zeros or cut off', () => {
    const wrapper = envelopes.fixed.wrapper({ size: 3 })
    const bytes = bytesOf('abcdefg')
    expect(wrapper.wrap({ bytes, bounds: [0, 2, 2, 7], position: 0 })).toEqual(bytesOf('ab\u0000cde'))
  })

  test.each([0, -1, 1.5, 2 ** 30])('a size of %d is refused', (size) => {
    expect(() => envelopes.fixed.unwrapper({ size })).toThrow('expected a size')
  })
})

test('null: a message is a frame, one that is too large is refused', () => {
  expect(framesFrom(envelopes.null.unwrapper({}, { maximumFrame: 3 }), 'ab', '', 'abcd', 'c')).toEqual({
    frames: ['ab', '', 'c'],
    rejects: [2],
  })
})
