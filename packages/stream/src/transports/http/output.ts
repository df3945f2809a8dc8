// Frames go out as POSTs: a batch in each, or a record in each; again until the server has taken them.
import { once } from 'node:events'
import { countFrames } from '@pitot/codec'
import type { Sink, StreamContext } from '../../transport.ts'
import { BackOff } from '../back-off.ts'
import { sinkFrom } from '../sink.ts'
import type { HttpOptions } from './options.ts'
import { Connections, RequestFailure } from './request.ts'

/** Written means that the server has said yes. When an answer is lost on its way, the same is sent twice. */
export async function writeHttp(options: HttpOptions, context: StreamContext): Promise<Sink> {
  const connections = new Connections(options, true)
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, context.signal])

  async function post(body: Uint8Array): Promise<void> {
    const headers = { 'Content-Type': options.ContentType, 'Content-Length': String(body.length) }
    const backOff = new BackOff(options.RetryTime, signal)
    for (;;) {
      try {
        const response = await connections.request({ method: 'POST', headers, body }, signal)
        // What is in the answer does not matter, but it has to be read before the connection can be used again.
        response.resume()
        if (!response.readableEnded) await once(response, 'close')
        return
      } catch (error) {
        if (!(error instanceof RequestFailure) || !error.passing || !(await backOff.again(error.retryAfter)))
          throw error
        context.log('warn', `${error.message}; trying again`)
      }
    }
  }

  return sinkFrom(`the stream to ${new URL(options.Url).origin}`, {
    async write({ bytes, bounds, position }) {
      const count = countFrames({ bytes, bounds, position })
      for (let index = 0; index < count; index++) {
        const [start, end] = [bounds[2 * index]!, bounds[2 * index + 1]!]
        // A batch without a byte says nothing; an empty record is one.
        if (end > start || options.Post === 'records') await post(bytes.subarray(start, end))
      }
    },
    async close() {
      stop.abort()
      connections.close()
    },
  })
}
