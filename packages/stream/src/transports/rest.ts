// REST: an input takes the bodies of requests, an output waits to be fetched. The queues are in `rest/`.
import { nullable, oneOf } from '../field.ts'
import { StreamFailure, type Transport } from '../transport.ts'
import { RestInput } from './rest/input.ts'
import { RestOutput } from './rest/output.ts'

/**
 * chunked: all requests make one stream of bytes, a record may begin in one and end in the next.
 * simple: one request is one record.
 * automatic: each request stands for itself; it is one record, or a line is one when it is not.
 */
export type RestMode = 'chunked' | 'simple' | 'automatic'

export interface RestOptions {
  readonly Mode: RestMode | null
}

export const rest: Transport<RestOptions> = {
  type: 'REST',
  fields: { Mode: nullable(oneOf('chunked', 'simple', 'automatic')) },
  settle: ({ Mode }, { encoding, envelope }) => ({ Mode: Mode ?? usualMode(encoding, envelope) }),
  preservesBoundaries: ({ Mode }) => Mode !== 'chunked',
  seekable: false,
  async open({ Mode }, { rest: queues, signal }) {
    if (queues === undefined) throw outsideOfJob('comes with requests to')
    const queue = new RestInput(Mode ?? 'automatic', { signal, controlSign: queues.controlSign })
    queues.attachInput(queue)
    return queue
  },
  async create({ Mode }, { rest: queues, signal }) {
    if (queues === undefined) throw outsideOfJob('is fetched from')
    const queue = new RestOutput(Mode ?? 'automatic', { signal })
    queues.attachOutput(queue)
    return queue
  },
}

/** Whoever names an envelope means a stream of bytes. A text of lines, or JSON laid out over several, explains itself. */
function usualMode(encoding: string, envelope: string | undefined): RestMode {
  if (envelope !== undefined) return envelope === 'null' ? 'simple' : 'chunked'
  if (encoding === 'csv') return 'chunked'
  return encoding === 'json' ? 'automatic' : 'simple'
}

function outsideOfJob(verb: string): StreamFailure {
  return new StreamFailure(`a REST stream ${verb} a running job: there is nothing to open without one`)
}
