// UTF-8 to text: a range of bytes goes in, the string or, for invalid bytes, undefined comes out.

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type Slice = (this: Uint8Array, start: number, end: number) => string

/** Node's own decoder has no set-up cost; a browser has only `TextDecoder`. It writes U+FFFD for invalid bytes. */
const nativeSlice = (globalThis as { Buffer?: { prototype: { utf8Slice?: Slice } } }).Buffer?.prototype.utf8Slice

/** Below this many bytes putting ASCII characters together is faster than any decoder. */
const SHORT = nativeSlice === undefined ? 40 : 16

export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (end - start < SHORT) {
    const text = decodeAscii(bytes, start, end)
    if (text !== undefined) return text
  } else if (nativeSlice !== undefined) {
    const text = nativeSlice.call(bytes, start, end)
    if (!text.includes('\ufffd')) return text
  }
  try {
    return decoder.decode(bytes.subarray(start, end))
  } catch {
    return undefined
  }
}

/** Eight, four and single characters at a time, since every step makes a string. Undefined when one is not ASCII. */
function decodeAscii(bytes: Uint8Array, start: number, end: number): string | undefined {
  let text = ''
  let at = start
  for (; at + 8 <= end; at += 8) {
    const [a, b, c, d] = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!]
    const [e, f, g, h] = [bytes[at + 4]!, bytes[at + 5]!, bytes[at + 6]!, bytes[at + 7]!]
    if ((a | b | c | d | e | f | g | h) >= 0x80) return undefined
    text += String.fromCharCode(a, b, c, d, e, f, g, h)
  }
  if (at + 4 <= end) {
    const [a, b, c, d] = [bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!]
    if ((a | b | c | d) >= 0x80) return undefined
    text += String.fromCharCode(a, b, c, d)
    at += 4
  }
  for (; at < end; at++) {
    if (bytes[at]! >= 0x80) return undefined
    text += String.fromCharCode(bytes[at]!)
  }
  return text
}
