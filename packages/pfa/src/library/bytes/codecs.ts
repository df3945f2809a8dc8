// Characters as bytes, strictly: undefined goes out where bytes are no text of the encoding, or text has no bytes in it.

export interface Codec {
  encode(text: string): Uint8Array | undefined
  decode(bytes: Uint8Array): string | undefined
}

/** Every byte is one character below `limit`. */
function singleByte(limit: number): Codec {
  return {
    encode(text) {
      const bytes = new Uint8Array(text.length)
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i)
        if (unit >= limit) return undefined
        bytes[i] = unit
      }
      return bytes
    },
    decode(bytes) {
      for (let i = 0; i < bytes.length; i++) if (bytes[i]! >= limit) return undefined
      return fromUnits(bytes)
    },
  }
}

/** UTF-16 units as text, in pieces: a call takes only so many arguments. */
function fromUnits(units: Uint8Array | Uint16Array): string {
  let text = ''
  for (let i = 0; i < units.length; i += 4096) text += String.fromCharCode(...units.subarray(i, i + 4096))
  return text
}

const utf8Encoder = new TextEncoder()
const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }) // ignored means kept, as a character

const utf8: Codec = {
  encode: (text) => (text.isWellFormed() ? utf8Encoder.encode(text) : undefined),
  decode(bytes) {
    try {
      return utf8Decoder.decode(bytes)
    } catch {
      return undefined
    }
  },
}

function encodeUtf16(text: string, littleEndian: boolean, mark: boolean): Uint8Array | undefined {
  if (!text.isWellFormed()) return undefined
  const units = mark ? `\ufeff${text}` : text
  const view = new DataView(new ArrayBuffer(units.length * 2))
  for (let i = 0; i < units.length; i++) view.setUint16(2 * i, units.charCodeAt(i), littleEndian)
  return new Uint8Array(view.buffer)
}

function decodeUtf16(bytes: Uint8Array, littleEndian: boolean): string | undefined {
  if (bytes.length % 2 === 1) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const units = new Uint16Array(bytes.length / 2)
  for (let i = 0; i < units.length; i++) units[i] = view.getUint16(2 * i, littleEndian)
  const text = fromUnits(units)
  return text.isWellFormed() ? text : undefined
}

/** A mark tells the order of the bytes; without one they are little endian. */
const utf16: Codec = {
  encode: (text) => encodeUtf16(text, true, true),
  decode(bytes) {
    if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes.subarray(2), false)
    if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes.subarray(2), true)
    return decodeUtf16(bytes, true)
  },
}

function utf16Of(littleEndian: boolean): Codec {
  return {
    encode: (text) => encodeUtf16(text, littleEndian, false),
    decode: (bytes) => decodeUtf16(bytes, littleEndian),
  }
}

/** By the names they have in `bytes.decode...`. */
export const codecs = {
  Ascii: singleByte(128),
  Latin1: singleByte(256),
  Utf8: utf8,
  Utf16: utf16,
  Utf16be: utf16Of(false),
  Utf16le: utf16Of(true),
} satisfies Record<string, Codec>
