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
  let high = bytes.length - 1
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
    const { position, reason } = jsonTrouble((error as Error).message, text)
    const before = text.slice(0, position)
    const line = before.split('\n').length
    const column = position - before.lastIndexOf('\n')
    throw failure('bad-json', { what, line, column, reason })
  }
}

/** Most messages of the JavaScript engine name the offset; those about an unexpected token do not, so it is looked for. */
function jsonTrouble(message: string, text: string): { position: number; reason: string } {
  if (endsTooEarly(message)) return { position: text.length, reason: 'the text ends too early' }
  const named = namedPlace(message)
  if (named === undefined) {
    const position = firstBadCharacter(text)
    return { position, reason: `unexpected token '${String.fromCodePoint(text.codePointAt(position)!)}'` }
  }
  const plain = message.replace(/( in JSON)? at position \d+.*$/, '')
  return { position: named, reason: plain.charAt(0).toLowerCase() + plain.slice(1) }
}

function endsTooEarly(message: string): boolean {
  return message === 'Unexpected end of JSON input'
}

/** Only at the end of the message: before it there may be a piece of the document. */
function namedPlace(message: string): number | undefined {
  const position = / at position (\d+) \(line \d+ column \d+\)$/.exec(message)?.[1]
  return position === undefined ? undefined : Number(position)
}

/** Only for the message, so it may be slow: the longest beginning that could still become JSON, found by halving. */
function firstBadCharacter(text: string): number {
  const couldGoOn = (length: number) => {
    try {
      JSON.parse(text.slice(0, length))
      return true
    } catch (error) {
      const { message } = error as Error
      return endsTooEarly(message) || namedPlace(message) === length
    }
  }
  let low = 0
  let high = text.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (couldGoOn(middle)) low = middle
    else high = middle - 1
  }
  return low
}
