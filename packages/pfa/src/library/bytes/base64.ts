// Base 64: bytes come in and text goes out, or the other way. The browsers' own `toBase64` is too new to rely on.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const VALUES = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

/** With padding. Reads the first `length` bytes. */
export function toBase64(bytes: Uint8Array, length = bytes.length): string {
  let text = ''
  let i = 0
  for (; i + 2 < length; i += 3) {
    const triple = (bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!
    text += digit(triple >> 18) + digit(triple >> 12) + digit(triple >> 6) + digit(triple)
  }
  if (length - i === 1) return `${text}${digit(bytes[i]! >> 2)}${digit(bytes[i]! << 4)}==`
  if (length - i === 0) return text
  const pair = (bytes[i]! << 8) | bytes[i + 1]!
  return `${text}${digit(pair >> 10)}${digit(pair >> 4)}${digit(pair << 2)}=`
}

function digit(bits: number): string {
  return ALPHABET[bits & 63]!
}

/** Undefined where the text is no base 64: other characters, a length that cannot be, missing padding. */
export function fromBase64(text: string): Uint8Array | undefined {
  const digits = text.replace(/=+$/, '').length
  const missing = -digits & 3
  if (missing === 3 || text.length - digits < missing) return undefined
  const bytes = new Uint8Array(Math.floor((digits * 3) / 4))
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < digits; i++) {
    const value = VALUES[text.charCodeAt(i)] ?? -1
    if (value < 0) return undefined
    held = ((held << 6) | value) & 0xffffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = held >> bits
    }
  }
  return bytes
}
