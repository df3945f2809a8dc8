// EndMarker: the text of the descriptor goes in, a test for frames comes out. The marker itself is not scored.
import type { EncodingName } from './encodings.ts'

/** A frame is the marker when its bytes are; in JSON also when it is the marker as a JSON string. */
export function endMarkerTest(
  marker: string | null,
  encoding: EncodingName,
): (bytes: Uint8Array, start: number, end: number) => boolean {
  if (marker === null) return () => false
  const encoder = new TextEncoder()
  const bare = encoder.encode(marker)
  if (encoding !== 'json') return (bytes, start, end) => equal(bare, bytes, start, end)
  const quoted = encoder.encode(JSON.stringify(marker))
  return (bytes, start, end) => equal(bare, bytes, start, end) || equal(quoted, bytes, start, end)
}

function equal(pattern: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== pattern.length) return false
  for (let index = 0; index < pattern.length; index++) if (bytes[start + index] !== pattern[index]) return false
  return true
}
