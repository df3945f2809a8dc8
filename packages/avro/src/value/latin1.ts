// Bytes as Avro's JSON writes them, one character up to U+00FF for each byte.

/** Undefined when a character is no byte. */
export function bytesOf(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length)
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0xff) return undefined
    bytes[index] = unit
  }
  return bytes
}

const CHUNK = 4096

export function textOf(bytes: Uint8Array): string {
  if (bytes.length <= CHUNK) return String.fromCharCode.apply(null, bytes as unknown as number[])
  let text = ''
  for (let start = 0; start < bytes.length; start += CHUNK) text += textOf(bytes.subarray(start, start + CHUNK))
  return text
}
