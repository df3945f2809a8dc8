// discard: whatever is written is gone.
import type { Transport } from '../transport.ts'
import { sinkFrom } from './sink.ts'

export const discard: Transport<object> = {
  type: 'discard',
  fields: {},
  preservesBoundaries: () => true,
  seekable: false,
  create: async () => sinkFrom('discard', { write: async () => undefined }),
}
