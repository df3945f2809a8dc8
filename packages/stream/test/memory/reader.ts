// Reads a stream of JSON records, decodes and encodes them into nothing, and prints how much memory that takes.
import { parseSchema } from '@pitot/avro'
import { decoderOf, encoderOf, InputStream, OutputStream, readDescriptor, transports } from '@pitot/stream'

/** The descriptor of the stream, then the numbers of bytes after which to look. */
const [given, ...marks] = process.argv.slice(2).map((text) => JSON.parse(text)) as [object, ...number[]]
const schema = {
  type: 'record',
  name: 'R',
  fields: [
    { name: 'n', type: 'long' },
    { name: 'text', type: 'string' },
  ],
}
const type = parseSchema(schema)
const context = { log: () => undefined, signal: new AbortController().signal, allowExec: [] }
const how = { Encoding: 'json', Schema: schema }
const source = readDescriptor({ ...given, ...how }, 'input', transports).descriptor
const input = await InputStream.open(source, { type, context })
const sink = readDescriptor({ Transport: 'discard', ...how }, 'output', transports).descriptor
const output = await OutputStream.open(sink, { type, context })
const decoder = decoderOf(source, type)
const encoder = encoderOf(sink, type)

for await (const piece of input) {
  if (piece.kind !== 'frames') throw new Error(`unexpected ${piece.kind}`)
  const records: unknown[] = []
  for (let index = 0; index < piece.frames.bounds.length / 2; index++) decoder.decode(piece.frames, index, records)
  await output.write(encoder.encode(records, output.room).frames)
  while (marks.length > 0 && input.statistics.bytes >= marks[0]!) {
    marks.shift()
    console.log(JSON.stringify({ bytes: input.statistics.bytes, memory: process.memoryUsage.rss() }))
  }
  if (marks.length === 0) break
}
await input.close()
await output.close()
