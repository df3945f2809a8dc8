// What a caller gets who does not speak HTTP well enough to reach an operation.

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

const answers: Readonly<Record<string, readonly [status: number, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the request head is larger than 32 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
}

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, sentence] = answers[error.code ?? ''] ?? [400, `the request cannot be read: ${error.message}`]
  writePlainAnswer(socket, status, sentence.replace(/\s+/g, ' '))
}

/** A whole answer on a bare connection, which is closed behind it. */
export function writePlainAnswer(socket: Duplex, status: number, sentence: string): void {
  if (!socket.writable) return void socket.destroy()
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: text/plain; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(sentence)}\r\nconnection: close\r\n\r\n${sentence}`,
  )
}
