// The key of a value in a set that is kept as a map: a type comes in, once; a function from its values to base 64 of their
// Avro binary goes out.
import { type AvroType, ByteSink, compileBinary } from '@pitot/avro'
import { toBase64 } from '../bytes/base64.ts'

export function setKey(type: AvroType): (value: unknown) => string {
  const { write } = compileBinary(type)
  const sink = new ByteSink(256)
  return (value) => {
    sink.clear()
    write(value, sink)
    return toBase64(sink.bytes, sink.length)
  }
}
