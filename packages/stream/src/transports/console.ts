// console: records are shown to whoever watches the fleet, as notifications.
import { countFrames, frameAt } from '@pitot/codec'
import type { Transport } from '../transport.ts'
import { sinkFrom } from './sink.ts'

export const console: Transport<object> = {
  type: 'console',
  fields: {},
  preservesBoundaries: () => true,
  seekable: false,
  /** Where nobody listens nothing is shown: that is no failure. */
  create: async (_options, { outputs }) =>
    sinkFrom('console', {
      async write(frames) {
        const records = Array.from(
          { length: countFrames(frames) },
          (_, index) => new Uint8Array(frameAt(frames, index)),
        )
        if (records.length > 0) outputs?.console(records)
      },
    }),
}
