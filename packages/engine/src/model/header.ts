// Headers such as `attachment; filename="a.zip"`: a text comes in, its first word and its parameters go out.
// Published clients misplace quotes, leave them out, or write names that are not ASCII: all of that is understood.

export interface HeaderValue {
  /** What stands before the first semicolon, in lower case. */
  readonly word: string
  /** Names are in lower case, values are without quotes. */
  readonly parameters: ReadonlyMap<string, string>
}

export function readHeaderValue(text: string): HeaderValue {
  const [word = '', ...pieces] = split(asUtf8(text))
  const parameters = new Map<string, string>()
  for (const piece of pieces) {
    const equals = piece.indexOf('=')
    if (equals < 0) continue
    const name = piece.slice(0, equals).trim().toLowerCase()
    const value = piece.slice(equals + 1).trim()
    const extended = name.endsWith('*') ? readExtended(value) : undefined
    // `filename*` is the better spelling of the two where both are given (RFC 6266, 4.3).
    if (extended !== undefined) parameters.set(name.slice(0, -1), extended)
    else if (!parameters.has(name)) parameters.set(name, unquote(value))
  }
  return { word: unquote(word.trim()).toLowerCase(), parameters }
}

/** At semicolons outside of quotes; a quote that is never closed quotes nothing. */
function split(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') at = closingQuote(text, at) ?? at
    else if (text[at] === ';') {
      pieces.push(text.slice(start, at))
      start = at + 1
    }
  }
  pieces.push(text.slice(start))
  return pieces
}

function closingQuote(text: string, opening: number): number | undefined {
  for (let at = opening + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return undefined
}

/** A backslash protects a quote or a backslash and stands for itself elsewhere: file names of Windows have some. */
function unquote(text: string): string {
  return text.replace(/\\(["\\])|"/g, '$1')
}

/** `UTF-8''na%C3%AFve.zip` (RFC 8187); undefined when it is not so written. */
function readExtended(text: string): string | undefined {
  const [, charset, encoded] = /^"?([\w-]+)'[\w-]*'([^"]*)"?$/.exec(text) ?? []
  if (charset?.toLowerCase() !== 'utf-8') return undefined
  try {
    return decodeURIComponent(encoded!)
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** HTTP gives headers one character per byte; clients that send other than ASCII mean UTF-8. */
function asUtf8(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is that of one byte per character
  if (!/^[\u0000-\u00ff]*$/.test(text) || !/[\u0080-\u00ff]/.test(text)) return text
  try {
    return utf8.decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
