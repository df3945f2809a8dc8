import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import type { FileOptions } from '../../src/transports/file/options.ts'
import { file } from '../../src/transports/file.ts'
import { bytesOf, contextFor, framesOf, joined, messagesOf, readBytes, textOf, transportContract } from './contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'pitot-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0
const fresh = (ending = 'jsonl') => join(folder, `${count++}.${ending}`)
const optionsFor = (path: string, more: Partial<FileOptions> = {}): FileOptions => ({
  Path: path,
  Follow: false,
  Compression: 'by-name',
  Append: false,
  ...more,
})
const read = async (path: string, more: Partial<FileOptions> = {}, context = {}) =>
  textOf(joined(await readBytes(await file.open!(optionsFor(path, more), contextFor(context)))))

const kinds = [
  ['jsonl', (bytes: Uint8Array) => bytes, (bytes: Uint8Array) => bytes],
  ['gz', gzipSync, gunzipSync],
  ['zst', zstdCompressSync, zstdDecompressSync],
] as const

describe.each(kinds)('file.%s', (ending, pack, unpack) => {
  transportContract({
    transport: file,
    input: async (messages) => {
      const path = fresh(ending)
      writeFileSync(path, pack(joined(messages)))
      return { options: optionsFor(path) }
    },
    output: async () => {
      const path = fresh(`folder/of/its/own/out.${ending}`)
      return {
        options: optionsFor(path),
        received: async () => {
          const bytes = readFileSync(path)
          return bytes.length === 0 ? [] : [unpack(bytes)]
        },
      }
    },
    resumes: true,
    brokenInput: async () => ({ options: optionsFor(fresh()), mentions: /cannot read .*: there is no such file/ }),
    brokenOutput: async () => ({
      options: optionsFor(`${folder}/0.jsonl/out`),
      mentions: /cannot write .*file, not a folder/,
    }),
  })

  test('SkipTo counts bytes of the data, whatever is on the disk', async () => {
    const path = fresh(ending)
    writeFileSync(path, pack(bytesOf('0123456789')))
    expect(await read(path, {}, { skipTo: 4 })).toBe('456789')
    expect(await read(path, {}, { skipTo: 4, from: { offset: 8 } })).toBe('89')
    expect(await read(path, {}, { skipTo: 10 })).toBe('')
    expect(await read(path, {}, { skipTo: 99 })).toBe('')
  })

  test('several megabytes come through unchanged, in large pieces', async () => {
    const path = fresh(ending)
    const bytes = new Uint8Array(5_300_001).map((_, index) => (index * 7919) >>> 5)
    writeFileSync(path, pack(bytes))
    const hash = createHash('sha256')
    let pieces = 0
    for await (const chunk of await file.open!(optionsFor(path), contextFor())) {
      expect(chunk.frames.position).toBeGreaterThanOrEqual(0)
      for (const message of messagesOf(chunk)) hash.update(message)
      pieces++
    }
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(pieces).toBeLessThanOrEqual(100)
  })
})

describe('file: compression', () => {
  test('parts one after the other are one file', async () => {
    for (const [ending, pack] of kinds) {
      const path = fresh(ending)
      writeFileSync(path, Buffer.concat([pack(bytesOf('one\n')), pack(bytesOf('two\n'))]))
      expect(await read(path)).toBe('one\ntwo\n')
    }
  })

  test('the word wins over the name', async () => {
    const [packed, plain] = [fresh('dat'), fresh('gz')]
    writeFileSync(packed, gzipSync('text'))
    writeFileSync(plain, 'text')
    expect(await read(packed, { Compression: 'gzip' })).toBe('text')
    expect(await read(plain, { Compression: 'none' })).toBe('text')
  })

  test.each(['gz', 'zst'])('a damaged .%s file fails with a sentence, after what was good', async (ending) => {
    const path = fresh(ending)
    const packed =
      ending === 'gz' ? gzipSync(Buffer.alloc(3_000_000, 'abc')) : zstdCompressSync(Buffer.alloc(3_000_000, 'abc'))
    writeFileSync(path, packed.subarray(0, packed.length - 9))
    await expect(read(path)).rejects.toThrow(/cannot decompress .*damaged, cut off/)
    writeFileSync(path, 'this was never packed')
    await expect(read(path)).rejects.toThrow(/cannot decompress .* after 0 bytes/)
  })
})

describe('file: output', () => {
  test('is emptied first, or added to', async () => {
    const path = fresh()
    for (const [append, expected] of [
      [false, 'one\n'],
      [true, 'one\none\n'],
      [false, 'one\n'],
    ] as const) {
      const sink = await file.create!(optionsFor(path, { Append: append }), contextFor())
      await sink.write(framesOf([bytesOf('one\n')]))
      await sink.close()
      expect(readFileSync(path, 'utf8')).toBe(expected)
    }
  })

  test('what was written is in the file before the stream is closed', async () => {
    const path = fresh()
    const sink = await file.create!(optionsFor(path), contextFor())
    await sink.write(framesOf([bytesOf('one\n')]))
    expect(readFileSync(path, 'utf8')).toBe('one\n')
    await sink.close()
  })

  test('folders that cannot be made are an error, also where the file system says that there is no parent', async () => {
    const making = file.create!(optionsFor('/proc/no/such/file'), contextFor())
    await expect(making).rejects.toThrow('cannot write /proc/no/such/file: there is no such file')
  })

  test('a write that fails half way leaves no half record', () => {
    // In a process of its own, whose files may not grow beyond 8 blocks of 512 bytes.
    const path = fresh()
    const script = `
      import { file } from ${JSON.stringify(new URL('../../dist/transports/file.js', import.meta.url).href)}
      process.on('SIGXFSZ', () => {})
      const options = ${JSON.stringify(optionsFor(path))}
      const context = { log() {}, signal: new AbortController().signal, allowExec: [] }
      const sink = await file.create(options, context)
      const frames = { bytes: new Uint8Array(3000).fill(97), bounds: [0, 3000], position: 0 }
      await sink.write(frames)
      await sink.write(frames).then(() => console.log('written'), (error) => console.log(error.message))
      await sink.close().catch(() => undefined)`
    const told = execFileSync(
      'sh',
      ['-c', 'ulimit -f 8; exec "$0" --input-type=module -e "$1"', process.execPath, script],
      { encoding: 'utf8' },
    )
    expect(told).toMatch(/cannot write .*(File too large|EFBIG)/i)
    expect(readFileSync(path).length).toBe(3000)
  })
})

describe('file: below the root folder', () => {
  const root = join(folder, 'root')
  const outside = join(folder, 'outside')
  mkdirSync(join(root, 'inner'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(root, 'inner/good.txt'), 'good')
  writeFileSync(join(outside, 'secret.txt'), 'secret')
  mkdirSync(`${root}-sibling`)
  writeFileSync(`${root}-sibling/secret.txt`, 'secret')
  symlinkSync(outside, join(root, 'folder-link'))
  symlinkSync(join(outside, 'secret.txt'), join(root, 'file-link'))
  symlinkSync(join(outside, 'new.txt'), join(root, 'link-to-nowhere'))
  symlinkSync('inner/good.txt', join(root, 'good-link'))
  symlinkSync('circle', join(root, 'circle'))

  test.each(['inner/good.txt', './inner/../inner/good.txt', 'good-link', join(root, 'inner/good.txt')])(
    '%s is read',
    async (path) => {
      expect(await read(path, {}, { fileRoot: root })).toBe('good')
    },
  )

  const forbidden = [
    '../outside/secret.txt',
    'inner/../../outside/secret.txt',
    join(outside, 'secret.txt'),
    `${root}-sibling/secret.txt`,
    'folder-link/secret.txt',
    'file-link',
    '/etc/passwd',
    '..',
    '.',
  ]
  test.each(forbidden)('%s is not read', async (path) => {
    await expect(read(path, {}, { fileRoot: root })).rejects.toThrow(/lies outside of|is a folder/)
  })

  test.each([
    ...forbidden,
    'link-to-nowhere',
    'folder-link/new.txt',
    'folder-link/new/file.txt',
    '../new.txt',
    'circle',
  ])('%s is not written', async (path) => {
    await expect(file.create!(optionsFor(path), contextFor({ fileRoot: root }))).rejects.toThrow(
      /lies outside of|is a folder/,
    )
    expect(readdirSync(outside)).toEqual(['secret.txt'])
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
  })

  test('a new file in a new folder is written', async () => {
    const sink = await file.create!(optionsFor('new/folder/file.txt'), contextFor({ fileRoot: root }))
    await sink.write(framesOf([bytesOf('new')]))
    await sink.close()
    expect(readFileSync(join(root, 'new/folder/file.txt'), 'utf8')).toBe('new')
  })
})

describe('file: Follow', () => {
  /** Reads until the texts seen are as expected. */
  async function following(path: string, expected: string, change: () => Promise<void>, more = {}) {
    const source = await file.open!(optionsFor(path, { Follow: true }), contextFor(more))
    const changing = change()
    let [text, parts] = ['', 0]
    for await (const chunk of source) {
      if (chunk.endOfPart) parts++
      text += messagesOf(chunk).map(textOf).join('')
      if (text.length >= expected.length) break
    }
    await changing
    await source.close()
    expect(text).toBe(expected)
    return parts
  }

  test('what is added comes', async () => {
    const path = fresh()
    writeFileSync(path, 'a\n')
    const parts = await following(path, 'a\nb\nc\n', async () => {
      await sleep(150)
      appendFileSync(path, 'b\n')
      await sleep(250)
      appendFileSync(path, 'c\n')
    })
    expect(parts).toBe(0)
  })

  test('a file that was rotated is read to its end, then the new one', async () => {
    const path = fresh()
    writeFileSync(path, 'a\n')
    const parts = await following(path, 'a\nb\nc\nd\n', async () => {
      await sleep(150)
      appendFileSync(path, 'b\n')
      renameSync(path, `${path}.1`)
      appendFileSync(`${path}.1`, 'c\n')
      await sleep(250)
      writeFileSync(path, 'd\n')
    })
    expect(parts).toBe(1)
  })

  test('a file that was cut is read from its start', async () => {
    const path = fresh()
    writeFileSync(path, 'aaaa\n')
    const parts = await following(path, 'aaaa\nb\n', async () => {
      await sleep(150)
      truncateSync(path, 0)
      appendFileSync(path, 'b\n')
    })
    expect(parts).toBe(1)
  })

  test('SkipTo holds for the first file only', async () => {
    const path = fresh()
    writeFileSync(path, 'a\nb\n')
    await following(
      path,
      'b\nc\n',
      async () => {
        await sleep(150)
        renameSync(path, `${path}.1`)
        writeFileSync(path, 'c\n')
      },
      { skipTo: 2 },
    )
  })

  test('many short additions come whole and in order', async () => {
    const path = fresh()
    writeFileSync(path, '')
    const lines = Array.from({ length: 2000 }, (_, index) => `line ${index} ${'x'.repeat(index % 300)}\n`)
    await following(path, lines.join(''), async () => {
      for (const [index, line] of lines.entries()) {
        appendFileSync(path, line)
        if (index % 50 === 0) await sleep(3)
      }
    })
  })

  test('closing ends the wait', async () => {
    const path = fresh()
    writeFileSync(path, '')
    const source = await file.open!(optionsFor(path, { Follow: true }), contextFor())
    const reading = readBytes(source)
    await sleep(30)
    await source.close()
    expect(await reading).toEqual([])
  })
})

test('a pipe is refused at once, not when its other end is opened', async () => {
  const path = fresh('pipe')
  execFileSync('sh', ['-c', 'mkfifo "$0"', path])
  await expect(read(path)).rejects.toThrow(/is a pipe or a socket/)
  await expect(file.create!(optionsFor(path), contextFor())).rejects.toThrow(/pipe that nobody reads/)
})

test.each([
  [{ Follow: true }, 'output', /Follow is for inputs/],
  [{ Append: true }, 'input', /Append is for outputs/],
  [{ Follow: true, Path: 'a.gz' }, 'input', /compressed file cannot be followed/],
  [{ Follow: true, Path: 'a.gz', Compression: 'none' }, 'input', undefined],
] as const)('rules: %j as an %s', (more, direction, sentence) => {
  const told = file.check!(optionsFor('a', more), direction)
  if (sentence === undefined) expect(told).toEqual([])
  else expect(told).toEqual([expect.stringMatching(sentence)])
})
