// Records from file to file through our streams, against the bare loop a user would write: prints ratios.
// `node --conditions=pitot-source bench/stream/files.ts [records]`
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseSchema } from '@pitot/avro'
import { countFrames, envelopes, type Frames } from '@pitot/codec'
import { decoderOf, encoderOf, InputStream, OutputStream, readDescriptor, transports } from '@pitot/stream'

const count = Number(process.argv[2] ?? 1_000_000)
const rounds = 5
const schema = {
  type: 'record',
  name: 'Reading',
  fields: [
    { name: 'sensor', type: 'string' },
    { name: 'count', type: 'int' },
    { name: 'temperature', type: 'double' },
    { name: 'pressure', type: 'double' },
    { name: 'active', type: 'boolean' },
    { name: 'tags', type: { type: 'array', items: 'string' } },
    { name: 'comment', type: 'string' },
  ],
}
const type = parseSchema(schema)
const context = { log: () => undefined, signal: new AbortController().signal, allowExec: [] }
const folder = mkdtempSync(join(tmpdir(), 'pitot-bench-'))
const path = (name: string) => join(folder, name)

const ndjson = { Encoding: 'json', Schema: schema }
const ocf = { Encoding: 'avro-binary', Envelope: 'ocf-block', Schema: schema }
const descriptor = (name: string, how: object, direction: 'input' | 'output') =>
  readDescriptor({ Transport: { Type: 'file', Path: path(name) }, Loop: false, ...how }, direction, transports)
    .descriptor

function record(index: number) {
  return {
    sensor: `sensor-${index % 100}`,
    count: index,
    temperature: 20 + (index % 1000) / 37,
    pressure: 1013.25 - (index % 777) / 13,
    active: index % 3 === 0,
    tags: ['north', `line-${index % 7}`],
    comment: 'nothing unusual was seen at this station today',
  }
}

/** Reads, cuts, decodes and checks, encodes, wraps, writes. Gives the number of records. */
async function through(from: string, to: string, how: object): Promise<number> {
  const input = await InputStream.open(descriptor(from, how, 'input'), { type, context })
  const output = await OutputStream.open(descriptor(to, how, 'output'), { type, context })
  const decoder = decoderOf(input.descriptor, type)
  const encoder = encoderOf(output.descriptor, type)
  const recode = (given: Frames) => {
    const records: unknown[] = []
    for (let index = 0; index < countFrames(given); index++) decoder.decode(given, index, records)
    return encoder.encode(records, output.room).frames
  }
  // One write at a time, while the next records are decoded: as an engine does it.
  let writing = Promise.resolve()
  for await (const piece of input) {
    if (piece.kind !== 'frames') throw new Error(`unexpected ${piece.kind}`)
    const frames = recode(piece.frames)
    await writing
    writing = output.write(frames)
  }
  await writing
  await Promise.all([input.close(), output.close()])
  return output.statistics.records
}

/** What a user would write instead: read, split, parse, stringify, write. */
async function bareLoop(from: string, to: string): Promise<number> {
  const out = createWriteStream(path(to))
  let rest = ''
  let records = 0
  for await (const chunk of createReadStream(path(from), { encoding: 'utf8', highWaterMark: 2 ** 20 })) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    const texts: string[] = []
    for (const line of lines) texts.push(JSON.stringify(JSON.parse(line)))
    records += texts.length
    if (texts.length > 0 && !out.write(`${texts.join('\n')}\n`))
      await new Promise((resume) => out.once('drain', resume))
  }
  await new Promise((resolve) => out.end(resolve))
  return records
}

async function write(name: string, how: object): Promise<void> {
  const output = await OutputStream.open(descriptor(name, how, 'output'), { type, context })
  const encoder = encoderOf(output.descriptor, type)
  for (let start = 0; start < count; start += 10_000) {
    const size = Math.min(10_000, count - start)
    await output.write(
      encoder.encode(
        Array.from({ length: size }, (_, index) => record(start + index)),
        output.room,
      ).frames,
    )
  }
  await output.close()
}

async function perSecond(work: () => Promise<number>): Promise<number> {
  const start = performance.now()
  const records = await work()
  if (records !== count) throw new Error(`${records} records instead of ${count}`)
  return records / ((performance.now() - start) / 1000)
}

/** Cutting alone: gigabytes per second of newline-delimited text, in pieces like those of a file, which end anywhere. */
function framing(): number {
  const text = Buffer.from(`${JSON.stringify(record(1))}\n`.repeat(50_000))
  const piece = 2 ** 17
  const pieces: Uint8Array[] = []
  for (let at = 0; at + piece <= text.length; at += piece) pieces.push(text.subarray(at, at + piece))
  const size = 2 ** 30
  const unwrapper = envelopes.delimited.unwrapper({})
  const start = performance.now()
  let [done, frames] = [0, 0]
  for (let index = 0; done < size; index++, done += piece) {
    for (const each of unwrapper.push(pieces[index % pieces.length]!).frames) frames += countFrames(each)
  }
  const seconds = (performance.now() - start) / 1000
  if (frames < size / 250) throw new Error(`${frames} frames are too few`)
  return done / 1e9 / seconds
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

try {
  await write('in.ndjson', ndjson)
  await write('in.avro', ocf)
  console.log(`${count} records, ${Math.round(statSync(path('in.ndjson')).size / count)} bytes each as JSON`)
  const ratios: { ndjson: number[]; ocf: number[]; framing: number[] } = { ndjson: [], ocf: [], framing: [] }
  for (let round = 1; round <= rounds; round++) {
    const bare = await perSecond(() => bareLoop('in.ndjson', 'bare.ndjson'))
    const ours = await perSecond(() => through('in.ndjson', 'out.ndjson', ndjson))
    const blocks = await perSecond(() => through('in.avro', 'out.avro', ocf))
    ratios.ndjson.push(ours / bare)
    ratios.ocf.push(blocks / ours)
    ratios.framing.push(framing())
    const shown = [bare, ours, blocks].map((rate) => Math.round(rate / 1000))
    console.log(`round ${round}: bare loop ${shown[0]}k/s, NDJSON ${shown[1]}k/s, ocf-block ${shown[2]}k/s`)
  }
  console.log(`NDJSON file to file with schema check, to the bare loop: ${median(ratios.ndjson).toFixed(2)}`)
  console.log(`avro-binary in ocf-block, to NDJSON: ${median(ratios.ocf).toFixed(2)}`)
  console.log(`framing alone, delimited: ${median(ratios.framing).toFixed(2)} GB/s`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
