// Text and JSON out of request bodies: bytes come in, a text or an error that names the place goes out.
import { failure } from '@pitot/api'

const decoder = new TextDecoder('utf-8', { fatal: true })

export function decodeText(bytes: Uint8Array, what: string): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw failure('not-utf8', { what, offset: firstBadByte(bytes) })
  }
}

/** Only for the message, so it may be slow: the longest prefix that is still valid, found by halving. */
function firstBadByte(bytes: Uint8Array): number {
  const valid = (length: number) => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true })
      return true
    } catch {
      return false
    }
  }
  let low = 0
  let high = bytes.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (valid(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** The JSON value of a text; the error names line and column. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    const position = placeOf(message, text)
    const before = text.slice(0, position)
    const line = before.split('\n').length
    const column = position - before.lastIndexOf('\n')
    throw failure('bad-json', { what, line, column, reason: reasonOf(message) })
  }
}

/** The engine's messages name the offset, except where the text simply ends. */
function placeOf(message: string, text: string): number {
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? text.length : Number(position)
}

function reasonOf(message: string): string {
  if (message.includes('end of JSON input')) return 'the text ends too early'
  const plain = message.replace(/ in JSON at position.*$/, '').replace(/,? *("|\.\.\.).*is not valid JSON$/, '')
  return plain.charAt(0).toLowerCase() + plain.slice(1)
}
