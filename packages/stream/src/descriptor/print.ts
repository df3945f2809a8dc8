// The resolved form of a descriptor: what the reader understood, with every field written out.
import type { Batching, Descriptor } from './descriptor.ts'

export function printDescriptor(descriptor: Descriptor): Record<string, unknown> {
  const section = (name: string, options: Readonly<Record<string, unknown>>) =>
    name === 'null' ? null : Object.keys(options).length === 0 ? name : { Type: name, ...options }
  return {
    Version: descriptor.version,
    Description: descriptor.description,
    Transport: { Type: descriptor.transport.type, ...descriptor.transportOptions },
    Loop: descriptor.loop,
    EndMarker: descriptor.endMarker,
    SkipTo: descriptor.skipTo,
    SkipToRecord: descriptor.skipToRecord,
    Envelope: section(descriptor.envelope, descriptor.envelopeOptions),
    Encoding: section(descriptor.encoding, descriptor.encodingOptions),
    Schema: descriptor.schema,
    Batching: printBatching(descriptor.batching),
    LingerTime: descriptor.lingerTime,
    OnError: descriptor.onError,
    DeadLetter: descriptor.deadLetter,
    Delivery: descriptor.delivery,
    Order: descriptor.order,
  }
}

function printBatching(batching: Batching | null) {
  return batching && { Watermark: batching.watermark, NagleTime: batching.nagleTime }
}
