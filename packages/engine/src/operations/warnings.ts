// What was accepted but should be written otherwise: sentences come in, a header `Warning` (RFC 7234) goes out.

/** So that no proxy refuses the reply for its headers. */
const longestHeader = 4096

export function warningHeaders(sentences: readonly string[]): { headers?: Readonly<Record<string, string>> } {
  if (sentences.length === 0) return {}
  const values: string[] = []
  let length = 0
  for (const sentence of sentences) {
    const value = `299 pitot "${quotable(sentence)}"`
    length += value.length + 2
    if (length > longestHeader) break
    values.push(value)
  }
  return { headers: { warning: values.join(', ') } }
}

/** Headers are ASCII on one line. */
function quotable(sentence: string): string {
  return sentence
    .slice(0, longestHeader / 4)
    .replace(/[^\x20-\x7e]/g, '?')
    .replace(/["\\]/g, '\\$&')
}
