// The few Avro values that a container file is made of: numbers and texts go in, bytes in a sink come out.
import { type ByteSink, compileBinary } from '@pitot/avro'

const long = compileBinary({ kind: 'long' })
const string = compileBinary({ kind: 'string' })

export function writeLong(sink: ByteSink, value: number): void {
  long.write(value, sink)
}

/** One entry of the header's map; a text has the same bytes as `bytes` would. */
export function writeText(sink: ByteSink, key: string, value: string): void {
  string.write(key, sink)
  string.write(value, sink)
}
