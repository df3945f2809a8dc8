// A record for people to look at: bytes come in; text goes out, or base64 where they are none.

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function recordText(record: Uint8Array): { readonly text: string; readonly isBase64: boolean } {
  try {
    return { text: decoder.decode(record), isBase64: false }
  } catch {
    return { text: base64(record), isBase64: true }
  }
}

export function base64(record: Uint8Array): string {
  return Buffer.from(record.buffer, record.byteOffset, record.byteLength).toString('base64')
}
