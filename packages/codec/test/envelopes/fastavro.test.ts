// Container files and JSON exchanged with fastavro, an implementation of Avro that is not ours.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileJson, parseSchema } from '@pitot/avro'
import { countFrames, encodings, envelopes } from '@pitot/codec'
import { describe, expect, test } from 'vitest'
import { findPython } from '../../../../test/servers/python.ts'
import { compressors, decompressors } from '../compressors.ts'

const found = findPython(['fastavro', 'cramjam', 'backports.zstd'])
if ('missing' in found && process.env.CI === 'true') throw new Error(found.missing)

const SCHEMA = {
  type: 'record',
  name: 'x.y.R',
  fields: [
    { name: 'id', type: 'long' },
    { name: 't', type: 'string' },
    { name: 'u', type: ['null', 'double', { type: 'array', items: 'int' }] },
    { name: 'm', type: { type: 'map', values: 'bytes' } },
    { name: 'e', type: { type: 'enum', name: 'E', symbols: ['a', 'b'] } },
    { name: 'f', type: { type: 'fixed', name: 'F', size: 3 } },
    { name: 'next', type: ['null', 'R'], default: null },
  ],
}
const TYPE = parseSchema(SCHEMA)
const json = compileJson(TYPE)
const LINES = Array.from({ length: 500 }, (_, index) => {
  const union = ['null', `{"double":${index * 1.5}}`, `{"array":[${index},-1]}`][index % 3]
  const inner = (next: string) =>
    `{"id":${(-2n) ** BigInt(index % 64)},"t":"${'é😀'.repeat(index % 40)}","u":${union},"m":{"k":"ÿ"},"e":"b","f":"xyz","next":${next}}`
  return inner(index % 2 ? 'null' : `{"x.y.R":${inner('null')}}`)
})

const SCRIPT = `
import fastavro, json, sys
folder, codec = sys.argv[1:]
schema = fastavro.parse_schema(json.load(open(folder + '/schema.json')))
records = list(fastavro.reader(open(folder + '/ours.avro', 'rb')))
given = list(fastavro.json_reader(open(folder + '/records.jsonl'), schema))
assert records == given, 'the file and the lines differ'
fastavro.writer(open(folder + '/theirs.avro', 'wb'), schema, given, codec=codec, sync_interval=2000)
`

describe.skipIf('missing' in found)(`fastavro${'missing' in found ? ` (skipped: ${found.missing})` : ''}`, () => {
  test.each([null, 'deflate', 'snappy', 'zstandard'] as const)('%s both ways', (compress) => {
    const folder = mkdtempSync(join(tmpdir(), 'pitot-fastavro-'))
    const records = LINES.map((line) => json.read(line))
    const wrapper = envelopes['ocf-block'].wrapper({ compress }, { type: TYPE, compressors })
    const encoder = encodings['avro-binary'].encoder(TYPE)
    const blocks = [0, 100, 200, 300, 400].map((at) => wrapper.wrap(encoder.encode(records.slice(at, at + 100)).frames))
    writeFileSync(join(folder, 'schema.json'), JSON.stringify(SCHEMA))
    writeFileSync(join(folder, 'ours.avro'), Buffer.concat([wrapper.start(), ...blocks]))
    writeFileSync(join(folder, 'records.jsonl'), records.map((record) => json.write(record)).join('\n'))
    execFileSync((found as { python: string }).python, ['-c', SCRIPT, folder, compress ?? 'null'])

    const unwrapper = envelopes['ocf-block'].unwrapper({}, { decompressors })
    const decoder = encodings['avro-binary'].decoder(TYPE)
    const back: unknown[] = []
    const { frames, rejects } = unwrapper.push(readFileSync(join(folder, 'theirs.avro')))
    expect(rejects).toEqual([])
    for (const each of frames)
      for (let index = 0; index < countFrames(each); index++) expect(decoder.decode(each, index, back)).toBeUndefined()
    expect(back.map((record) => json.write(record))).toEqual(records.map((record) => json.write(record)))
  })
})
