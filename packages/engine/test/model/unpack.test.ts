// Archives: what they hold arrives, what could do harm is refused with the names of attachment and entry.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/service-options.ts'
import { type ArchiveLimits, archiveLimits } from '../../src/model/limits.ts'
import type { Attachment, ModelPackage } from '../../src/model/package.ts'
import { prepareFolder, unpackAttachments } from '../../src/model/unpack.ts'
import { makeTar, makeTarGz, makeZip, type TarEntry, type ZipEntry } from './archives.ts'

let root: string
let folder: string
beforeEach(() => {
  root = temporaryFolder()
  folder = join(root, 'deep', 'folder')
  mkdirSync(folder, { recursive: true })
})

function attach(bytes: Uint8Array, name = 'a.zip'): Attachment {
  const file = join(root, `kept-${name}`)
  writeFileSync(file, bytes)
  return { name, type: bytes[0] === 0x1f ? 'gzip' : 'zip', file, size: bytes.length }
}

function unpack(archives: Record<string, Uint8Array>, limits: ArchiveLimits = archiveLimits, language = 'python3') {
  const attachments = Object.entries(archives).map(([name, bytes]) => attach(bytes, name))
  return unpackAttachments({ language, attachments }, folder, limits)
}

/** Contents by path; folders end in a slash. */
function filesIn(where: string): Record<string, string> {
  const found = readdirSync(where, { recursive: true, withFileTypes: true }).map((entry): [string, string] => {
    const path = join(entry.parentPath, entry.name)
    const name = path.slice(where.length + 1)
    return entry.isDirectory() ? [`${name}/`, ''] : [name, readFileSync(path, 'latin1')]
  })
  return Object.fromEntries(found)
}

describe('what is unpacked', () => {
  const tar = (entries: readonly TarEntry[]) => makeTarGz(entries)
  const zip = (entries: readonly ZipEntry[]) => makeZip(entries)
  test.each<[string, Uint8Array, Record<string, string>]>([
    ['a zip', zip([{ name: 'a.txt', content: 'A' }]), { 'a.txt': 'A' }],
    ['a stored zip', zip([{ name: 'a.txt', content: 'A', isStored: true }]), { 'a.txt': 'A' }],
    ['an empty zip', zip([]), {}],
    [
      'folders of a zip',
      zip([{ name: 'd/' }, { name: 'd/e/f', content: 'F' }]),
      { 'd/': '', 'd/e/': '', 'd/e/f': 'F' },
    ],
    ['backslashes of Windows', zip([{ name: 'd\\f', content: 'F' }]), { 'd/': '', 'd/f': 'F' }],
    ['a folder by its mode', zip([{ name: 'd', mode: 0o040755 }]), { 'd/': '' }],
    ['a tar', tar([{ name: 'a.txt', content: 'A' }]), { 'a.txt': 'A' }],
    ['an empty tar', tar([]), {}],
    ['an empty file', tar([{ name: 'empty' }]), { empty: '' }],
    [
      'folders of a tar',
      tar([
        { name: './', type: '5' },
        { name: './d/', type: '5' },
        { name: './d/f', content: 'F' },
      ]),
      { 'd/': '', 'd/f': 'F' },
    ],
    [
      'a folder named twice',
      tar([
        { name: 'd/', type: '5' },
        { name: 'd', type: '5' },
      ]),
      { 'd/': '' },
    ],
    ['names that are not ASCII', tar([{ name: 'é€.txt', content: 'x' }]), { 'é€.txt': 'x' }],
    [
      'two gzip members',
      Buffer.concat([
        gzipSync(makeTar([{ name: 'a', content: 'A' }]).subarray(0, 700)),
        gzipSync(makeTar([{ name: 'a', content: 'A' }]).subarray(700)),
      ]),
      { a: 'A' },
    ],
  ])('%s', async (_title, bytes, expected) => {
    await unpack({ 'x.archive': bytes })
    expect(filesIn(folder)).toEqual(expected)
  })

  test('what the usual tools write, long names included', async () => {
    const source = join(root, 'source')
    const long = `${'long-'.repeat(30)}name.txt`
    mkdirSync(join(source, 'd'), { recursive: true })
    writeFileSync(join(source, 'd', long), 'L')
    writeFileSync(join(source, 'script.sh'), '#!/bin/sh\n', { mode: 0o755 })
    const made = join(root, 'made.tar.gz')
    execFileSync('tar', ['czf', made, '-C', source, '.'])
    await unpack({ 'made.tar.gz': readFileSync(made) })
    expect(filesIn(folder)).toEqual({ 'd/': '', [`d/${long}`]: 'L', 'script.sh': '#!/bin/sh\n' })
    expect(statSync(join(folder, 'script.sh')).mode & 0o7777).toBe(0o755)
  })

  test.each([
    [0o644, 0o644],
    [0o600, 0o644],
    [0o666, 0o644],
    [0o4755, 0o755],
    [0o2777, 0o755],
    [0o000, 0o644],
  ])('mode %o becomes %o', async (mode, expected) => {
    await unpack({ zip: makeZip([{ name: 'z', mode: 0o100000 | mode }]), tar: makeTarGz([{ name: 't', mode }]) })
    for (const name of ['z', 't']) expect(statSync(join(folder, name)).mode & 0o7777).toBe(expected)
  })

  test('two attachments share folders', async () => {
    await unpack({ one: makeZip([{ name: 'd/a', content: 'A' }]), two: makeTarGz([{ name: 'd/b', content: 'B' }]) })
    expect(filesIn(folder)).toEqual({ 'd/': '', 'd/a': 'A', 'd/b': 'B' })
  })

  test('many files, large and small, come out of both kinds as they went in', async () => {
    const content = fc.oneof(fc.constant(''), fc.string({ maxLength: 2000 }), fc.constant('x'.repeat(200_000)))
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}(\.[a-z])?$/), content, { maxKeys: 40, noNullPrototype: true }),
        async (files) => {
          const entries = Object.entries(files).map(([name, text]) => ({ name, content: Buffer.from(text) }))
          for (const bytes of [makeZip(entries), makeTarGz(entries)]) {
            folder = join(root, `run-${Math.random()}`)
            mkdirSync(folder)
            await unpack({ x: bytes })
            expect(filesIn(folder)).toEqual(
              Object.fromEntries(entries.map(({ name, content: text }) => [name, text.toString('latin1')])),
            )
          }
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('what is refused', () => {
  /** Names that neither kind of archive may hold. */
  const names: readonly (readonly [name: string, sentence: RegExp])[] = [
    ['../evil', /its entry '..\/evil' has '..' in its name/],
    ['d/../../evil', /has '..' in its name/],
    ['..', /has '..' in its name/],
    ['/etc/evil', /its entry '\/etc\/evil' has an absolute name/],
    ['C:/evil', /has an absolute name/],
    ['c:evil', /has an absolute name/],
    ['a\nb', /has a control character/],
    ['model.py', /has the name of the model's own source, 'model.py'/],
    ['MODEL.PY', /has the name of the model's own source/],
    ['./model.py', /has the name of the model's own source/],
    ['model.py/x', /has the name of the model's own source/],
    ['.', /has no name/],
    ['x'.repeat(256), /a part longer than 255 bytes/],
  ]
  const symbolic = 0o120777
  test.each<[string, Uint8Array, RegExp]>([
    ...names.flatMap(([name, sentence]): [string, Uint8Array, RegExp][] => [
      [`${JSON.stringify(name.slice(0, 20))} in a zip`, makeZip([{ name, content: 'x' }]), sentence],
      ...(Buffer.byteLength(name) > 100
        ? []
        : [
            [`${JSON.stringify(name)} in a tar`, makeTarGz([{ name, content: 'x' }]), sentence] as [
              string,
              Uint8Array,
              RegExp,
            ],
          ]),
    ]),
    ['a folder above', makeTarGz([{ name: '../d/', type: '5' }]), /'..\/d\/' has '..'/],
    ['a backslash in a tar', makeTarGz([{ name: 'a\\b' }]), /has a backslash in its name/],
    ['a long path', makeZip([{ name: `${'d/'.repeat(600)}x` }]), /longer than 1024 bytes/],
    ['bytes that are no UTF-8', makeZip([{ name: Buffer.from([0x61, 0xff]) }]), /not valid UTF-8/],
    [
      'a symbolic link in a zip',
      makeZip([{ name: 'l', content: '/etc/passwd', mode: symbolic }]),
      /its entry 'l' is a symbolic link/,
    ],
    ['a device in a zip', makeZip([{ name: 'l', mode: 0o020666 }]), /is a device/],
    ['a fifo in a zip', makeZip([{ name: 'l', mode: 0o010666 }]), /is a fifo/],
    ['a socket in a zip', makeZip([{ name: 'l', mode: 0o140666 }]), /is a socket/],
    [
      'a symbolic link',
      makeTarGz([{ name: 'l', type: '2', link: '/etc/passwd' }, { name: 'l/x' }]),
      /its entry 'l' is a symbolic link/,
    ],
    ['a hard link', makeTarGz([{ name: 'a' }, { name: 'l', type: '1', link: 'a' }]), /its entry 'l' is a hard link/],
    ['a character device', makeTarGz([{ name: 'n', type: '3' }]), /is a device/],
    ['a block device', makeTarGz([{ name: 'n', type: '4' }]), /is a device/],
    ['a fifo', makeTarGz([{ name: 'n', type: '6' }]), /is a fifo/],
    ['a sparse file', makeTarGz([{ name: 'n', type: 'S' }]), /its entry 'n' is of type/],
    ['a file twice', makeTarGz([{ name: 'a' }, { name: './a' }]), /its entry '.\/a' is there twice/],
    ['names that differ by case', makeZip([{ name: 'Data' }, { name: 'data' }]), /'data' cannot be told from 'Data'/],
    ['folders that differ by case', makeZip([{ name: 'D/a' }, { name: 'd/b' }]), /'d\/b' cannot be told from 'D'/],
    ['names that differ by normal form', makeTarGz([{ name: 'é' }, { name: 'e\u0301' }]), /cannot be told from/],
    ['sharp s', makeTarGz([{ name: 'ß' }, { name: 'SS' }]), /cannot be told from 'ß'/],
    ['a file that is a folder', makeTarGz([{ name: 'a' }, { name: 'a/b' }]), /its entry 'a\/b' is there twice/],
    ['a folder that is a file', makeTarGz([{ name: 'a/b' }, { name: 'a' }]), /its entry 'a' is there twice/],
    ['an encrypted zip', makeZip([{ name: 's', content: 'x', isEncrypted: true }]), /its entry 's' is encrypted/],
    ['another method', makeZip([{ name: 's', content: 'x', method: 12 }]), /is packed by method 12/],
    [
      'a wrong checksum',
      makeZip([{ name: 's', content: 'x', crc: 7 }]),
      /its entry 's' is damaged: its checksum does not match/,
    ],
    ['a size that is too small', makeZip([{ name: 's', content: 'xyz', size: 1 }]), /its entry 's' is damaged/],
    ['a size that is too large', makeZip([{ name: 's', content: 'xyz', size: 9 }]), /its entry 's' is damaged/],
    ['a zip that is cut off', makeZip([{ name: 's', content: 'x' }]).subarray(0, -10), /it is not a zip archive/],
    [
      'a zip with a damaged directory',
      damaged(makeZip([{ name: 's', content: 'x' }]), 'PK\x01\x02'),
      /its directory is damaged/,
    ],
    [
      'a zip with a damaged entry',
      damaged(makeZip([{ name: 's', content: 'x' }]), 'PK\x03\x04'),
      /its entry 's' is damaged/,
    ],
    ['not a tar inside', gzipSync('hello'), /not a sound tar archive/],
    ['gzip inside gzip', gzipSync(makeTarGz([{ name: 'a' }])), /it is compressed twice/],
    ['noise inside', gzipSync(Buffer.alloc(2048, 'hello')), /not a sound tar archive/],
    [
      'a tar that is cut off',
      gzipSync(makeTar([{ name: 'a', content: 'x'.repeat(5000) }]).subarray(0, 3000)),
      /not a sound tar archive/,
    ],
    [
      'a wrong checksum of a tar',
      makeTarGz([{ name: 'a' }, { name: 'b', hasBadChecksum: true }]),
      /not a sound tar archive: .*checksum/,
    ],
    [
      'a gzip that is cut off',
      makeTarGz([{ name: 'a', content: 'x'.repeat(5000) }]).subarray(0, -12),
      /not a sound gzip file/,
    ],
    ['a gzip with a wrong checksum', flipped(makeTarGz([{ name: 'a', content: 'x' }]), -6), /not a sound gzip file/],
  ])('%s', async (_title, bytes, sentence) => {
    await expect(unpack({ 'x.archive': bytes })).rejects.toMatchObject({
      code: 'bad-attachment',
      message: expect.stringMatching(/^attachment 'x.archive' is refused: /),
    })
    folder = join(root, 'again')
    mkdirSync(folder)
    await expect(unpack({ 'x.archive': bytes })).rejects.toThrow(sentence)
    expect(existsSync(join(root, 'evil')) || existsSync(join(root, 'deep', 'evil'))).toBe(false)
  })

  test('one attachment does not overwrite another', async () => {
    const archives = { one: makeZip([{ name: 'd/a', content: 'A' }]), two: makeTarGz([{ name: 'd/a', content: 'B' }]) }
    await expect(unpack(archives)).rejects.toThrow(
      "attachment 'two' is refused: its entry 'd/a' is also an entry of attachment 'one'; nothing is overwritten",
    )
    expect(filesIn(folder)).toEqual({ 'd/': '', 'd/a': 'A' })
  })

  test("the source's name is taken only in the model's own language", async () => {
    await unpack({ zip: makeZip([{ name: 'model.py' }, { name: 'd/model.R' }]) }, archiveLimits, 'r')
    expect(Object.keys(filesIn(folder)).sort()).toEqual(['d/', 'd/model.R', 'model.py'])
  })
})

describe('bombs', () => {
  const limits: ArchiveLimits = { entries: 10, bytes: 10_000, ratio: 20, freeBytes: 1000 }
  const zeros = Buffer.alloc(9000)
  const noise = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 7919) % 251))
  const many = Array.from({ length: 11 }, (_, index) => ({ name: `f${index}` }))
  test.each<[string, Record<string, Uint8Array>, RegExp]>([
    ['ratio of a zip', { a: makeZip([{ name: 'z', content: zeros }]) }, /its entry 'z' grows to more than 20 times/],
    [
      'ratio of a tar',
      { a: makeTarGz([{ name: 'z', content: zeros }]) },
      /(its entry 'z'|it) grows to more than 20 times/,
    ],
    ['what comes after the end of a tar', { a: gzipSync(Buffer.alloc(100_000)) }, /it grows to more than 20 times/],
    ['a zip that lies about its size', { a: makeZip([{ name: 'z', content: zeros, size: 3 }]) }, /is damaged|grows/],
    [
      'total size',
      { a: makeZip([{ name: 'z', content: Buffer.concat(Array(4).fill(noise)), isStored: true }]) },
      /larger than 10000 bytes together/,
    ],
    [
      'total size of several',
      Object.fromEntries(
        Array.from({ length: 4 }, (_, n) => [`a${n}`, makeZip([{ name: `z${n}`, content: noise, isStored: true }])]),
      ),
      /attachment 'a3' .* larger than 10000 bytes together/,
    ],
  ])('%s', async (_title, archives, sentence) => {
    await expect(unpack(archives, limits)).rejects.toThrow(sentence)
  })

  test.each<[string, Record<string, Uint8Array>, RegExp]>([
    ['entries of a zip', { a: makeZip(many) }, /its entry 'f10' is one too many: at most 10/],
    ['entries of a tar', { a: makeTarGz(many) }, /its entry 'f10' is one too many/],
    ['folders count', { a: makeZip([{ name: 'a/b/c/d/e/f/g/h/i/j/k' }]) }, /is one too many/],
    [
      'entries of several',
      { a: makeZip(many.slice(0, 6)), b: makeTarGz(many.map(({ name }) => ({ name: `g${name}` }))) },
      /attachment 'b' .* one too many/,
    ],
  ])('%s', async (_title, archives, sentence) => {
    await expect(unpack(archives, { ...limits, freeBytes: 2 ** 20 })).rejects.toThrow(sentence)
  })

  test('a small archive beside a large one is none', async () => {
    await unpack(
      {
        a: makeZip([{ name: 'a', content: noise, isStored: true }]),
        b: makeZip([{ name: 'b', content: 'b'.repeat(500) }]),
      },
      limits,
    )
    expect(Object.keys(filesIn(folder))).toHaveLength(2)
  })

  test('what is allowed by the limits is unpacked', async () => {
    await unpack({ a: makeZip(many.slice(0, 10)) }, limits)
    expect(Object.keys(filesIn(folder))).toHaveLength(10)
  })
})

describe('folders of jets', () => {
  function packed(archives: Record<string, Uint8Array>, language = 'python3'): ModelPackage {
    const attachments = Object.entries(archives).map(([name, bytes]) => attach(bytes, name))
    return {
      name: 'm',
      language,
      contentType: '',
      source: Buffer.from('source'),
      attachments,
      schemas: new Map(),
      dispose: async () => undefined,
    }
  }

  test.each([
    ['python', 'model.py'],
    ['python3', 'model.py'],
    ['r', 'model.R'],
    ['javascript', 'model.mjs'],
    ['typescript', 'model.ts'],
    ['pfa-json', 'model.pfa.json'],
    ['pfa-yaml', 'model.pfa.yaml'],
    ['pfa-pretty', 'model.ppfa'],
  ])('the source of %s is %s', async (language, file) => {
    await prepareFolder(packed({}, language), join(root, 'template'), join(root, 'jet'))
    expect(filesIn(join(root, 'jet'))).toEqual({ [file]: 'source' })
  })

  test('every jet has its own copy, and the archives are read once', async () => {
    const model = packed({ 'a.zip': makeZip([{ name: 'd/a', content: 'A', mode: 0o100755 }]) })
    const jets = Array.from({ length: 4 }, (_, index) => join(root, `jet-${index}`))
    await Promise.all(jets.map((jet) => prepareFolder(model, join(root, 'template'), jet)))
    writeFileSync(model.attachments[0]!.file, 'gone')
    writeFileSync(join(jets[0]!, 'd', 'a'), 'changed')
    await prepareFolder(model, join(root, 'template'), join(root, 'late'))
    for (const jet of [...jets.slice(1), join(root, 'late')]) {
      expect(filesIn(jet)).toEqual({ 'd/': '', 'd/a': 'A', 'model.py': 'source' })
      expect(statSync(join(jet, 'd', 'a')).mode & 0o777).toBe(0o755)
    }
  })

  test('nothing is left of a model that is refused, and the next one gets its place', async () => {
    const bad = packed({ 'a.zip': makeZip([{ name: '../x' }]) })
    await expect(prepareFolder(bad, join(root, 'template'), join(root, 'jet'))).rejects.toThrow("'../x'")
    expect(readdirSync(root).filter((name) => name.startsWith('template') || name === 'jet')).toEqual([])
    await prepareFolder(packed({}), join(root, 'template'), join(root, 'jet'))
    expect(filesIn(join(root, 'jet'))).toEqual({ 'model.py': 'source' })
  })

  test('a folder that is there already is not touched', async () => {
    mkdirSync(join(root, 'jet'))
    writeFileSync(join(root, 'jet', 'model.py'), 'mine')
    await expect(prepareFolder(packed({}), join(root, 'template'), join(root, 'jet'))).rejects.toThrow(/exist/i)
    expect(filesIn(join(root, 'jet'))).toEqual({ 'model.py': 'mine' })
  })
})

function damaged(bytes: Buffer, mark: string): Buffer {
  return flipped(bytes, bytes.lastIndexOf(mark))
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const index = at < 0 ? copy.length + at : at
  copy[index] = copy[index]! ^ 0xff
  return copy
}
