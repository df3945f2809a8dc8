// The library module `fixed`: named bytes of one length, into and out of plain bytes.
import type { LibraryModule } from './library.ts'

export const fixed: LibraryModule = {
  'fixed.toBytes': () => (x: Uint8Array) => x,
  'fixed.fromBytes': () => (original: Uint8Array, replacement: Uint8Array) => {
    const result = original.slice()
    result.set(replacement.subarray(0, original.length))
    return result
  },
}
