// Annotations in the comments of a model's source: source text comes in, what it says of itself goes out.

/**
 * A whole-line comment `# pitot.input: SCHEMA`. Any word may stand in the place of `pitot`, because models written for
 * other systems have theirs there; so only the tags that mean something are taken for annotations. The colon may be missing.
 */
const annotation =
  /^[ \t]*(?:#|\/\/|%)[ \t]*[A-Za-z]\w*\.((?:input|output|recordsets|snapshots|schema|action|slot|module-attached)(?:\.[\w$-]+)?)(?:[ \t]*:[ \t]*|[ \t]+)(\S.*?)[ \t]*$/gm

/** Tags that may stand more than once. */
const repeatable: ReadonlySet<string> = new Set(['module-attached'])

export function readAnnotations(source: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {}
  for (const [, tag, value] of source.matchAll(annotation)) {
    if (repeatable.has(tag!)) found[tag!] = [...(found[tag!] ?? []), value!]
    else found[tag!] = value!
  }
  return found
}
