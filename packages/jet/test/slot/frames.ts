// Texts or bytes as frames, for tests.
import type { Frames } from '@pitot/codec'

export function framesOf(...parts: readonly (string | Uint8Array)[]): Frames {
  const pieces = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))
  const bounds: number[] = []
  let at = 0
  for (const piece of pieces) {
    bounds.push(at, at + piece.length)
    at += piece.length
  }
  return { bytes: Buffer.concat(pieces), bounds, position: 0 }
}

export function textsOf(frames: Frames): string[] {
  const texts: string[] = []
  for (let at = 0; at < frames.bounds.length; at += 2) {
    texts.push(Buffer.from(frames.bytes.subarray(frames.bounds[at], frames.bounds[at + 1])).toString())
  }
  return texts
}
