// EndMarker: the text of the descriptor goes in, a test for frames comes out. The marker itself is not scored.
import type { EncodingName } from './encodings.ts'

/** A frame is the marker when its bytes are; in JSON also when it is the marker as a JSON string. */
export function endMarkerTest(
  marker: string | null,
  encoding: EncodingName,
): (bytes: Uint8Array, start: number, end: number) => boolean {
  if (marker === null) return () => false
  const texts = encoding === 'json' ? [marker, JSON.stringify(marker)] : [marker]
  const patterns = texts.map((text) => new TextEncoder().encode(text))
  return (bytes, start, end) => patterns.some((pattern) => equal(pattern, bytes, start, end))
}

function equal(pattern: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start !== pattern.length) return false
  for (let index = 0; index < pattern.length; index++) if (bytes[start + index] !== pattern[index]) return false
  return true
}
