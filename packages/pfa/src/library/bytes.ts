// The library module `bytes`: bytes and text, and parts of bytes.
import { fromBase64, toBase64 } from './bytes/base64.ts'
import { type Codec, codecs } from './bytes/codecs.ts'
import type { Implementation, LibraryModule } from './library.ts'
import { sliceEnd, sliceStart } from './range.ts'

function tester(codec: Codec): Implementation {
  return (site) => {
    if (site.params[0]?.kind === 'string') return (x: string) => codec.encode(x) !== undefined
    return (x: Uint8Array) => codec.decode(x) !== undefined
  }
}

function decoder(codec: Codec, code: number): Implementation {
  return (site) => (x: Uint8Array) => {
    const text = codec.decode(x)
    if (text === undefined) throw site.error(code)
    return text
  }
}

function encoder(codec: Codec, code: number): Implementation {
  return (site) => (s: string) => {
    const bytes = codec.encode(s)
    if (bytes === undefined) throw site.error(code)
    return bytes
  }
}

export const bytes: LibraryModule = {
  'bytes.len': () => (x: Uint8Array) => x.length,
  'bytes.subseq': () => (x: Uint8Array, start: number, end: number) => {
    const from = sliceStart(x.length, start)
    return x.slice(from, sliceEnd(x.length, from, end))
  },
  'bytes.subseqto': () => (x: Uint8Array, start: number, end: number, replacement: Uint8Array) => {
    const from = sliceStart(x.length, start)
    const to = sliceEnd(x.length, from, end)
    const result = new Uint8Array(x.length - (to - from) + replacement.length)
    result.set(x.subarray(0, from))
    result.set(replacement, from)
    result.set(x.subarray(to), from + replacement.length)
    return result
  },
  'bytes.isAscii': tester(codecs.Ascii),
  'bytes.isLatin1': tester(codecs.Latin1),
  'bytes.isUtf8': tester(codecs.Utf8),
  'bytes.isUtf16': tester(codecs.Utf16),
  'bytes.isUtf16be': tester(codecs.Utf16be),
  'bytes.isUtf16le': tester(codecs.Utf16le),
  'bytes.decodeAscii': decoder(codecs.Ascii, 16090),
  'bytes.decodeLatin1': decoder(codecs.Latin1, 16100),
  'bytes.decodeUtf8': decoder(codecs.Utf8, 16110),
  'bytes.decodeUtf16': decoder(codecs.Utf16, 16120),
  'bytes.decodeUtf16be': decoder(codecs.Utf16be, 16130),
  'bytes.decodeUtf16le': decoder(codecs.Utf16le, 16140),
  'bytes.encodeAscii': encoder(codecs.Ascii, 16150),
  'bytes.encodeLatin1': encoder(codecs.Latin1, 16160),
  'bytes.encodeUtf8': encoder(codecs.Utf8, 16170),
  'bytes.encodeUtf16': encoder(codecs.Utf16, 16180),
  'bytes.encodeUtf16be': encoder(codecs.Utf16be, 16190),
  'bytes.encodeUtf16le': encoder(codecs.Utf16le, 16200),
  'bytes.toBase64': () => (x: Uint8Array) => toBase64(x),
  'bytes.fromBase64': (site) => (s: string) => {
    const result = fromBase64(s)
    if (result === undefined) throw site.error(16220)
    return result
  },
}
