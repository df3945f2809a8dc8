// The body of one request comes in, the bounds of its records go out: one record, or one on each line.

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * A body is one record when it is one JSON value, however it is laid out. Otherwise each line is one. The first line
 * tells, as a rule: no JSON value goes on after a line that is a whole value, so long bodies are not parsed twice.
 */
export function splitBody(bytes: Uint8Array): number[] {
  const lines = linesOf(bytes)
  if (lines.length <= 2 || isJson(bytes, lines[0]!, lines[1]!)) return lines
  const [start, end] = [lines[0]!, lines.at(-1)!]
  return isJson(bytes, start, end) ? [start, end] : lines
}

/** Lines that are not blank, without their ends. */
function linesOf(bytes: Uint8Array): number[] {
  const bounds: number[] = []
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start)
    const next = found === -1 ? bytes.length : found
    const end = next > start && bytes[next - 1] === CARRIAGE_RETURN ? next - 1 : next
    if (!isBlank(bytes, start, end)) bounds.push(start, end)
    start = next + 1
  }
  return bounds
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start
  while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++
  return at === end
}

function isJson(bytes: Uint8Array, start: number, end: number): boolean {
  try {
    JSON.parse(decoder.decode(bytes.subarray(start, end)))
    return true
  } catch {
    return false
  }
}

const decoder = new TextDecoder()
