// What a caller gets who does not speak HTTP well enough to reach an operation.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

const answers: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the request head is larger than 32 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
}

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, sentence] = answers[error.code ?? ''] ?? [400, `the request cannot be read: ${error.message}`]
  const body = sentence.replace(/\s+/g, ' ')
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n` +
        `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroySoon()
}
