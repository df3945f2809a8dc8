// The library module `s`: everything about strings. Positions are in code points.
import { characters, length, offset, position, slice } from '../runtime/strings.ts'
import type { LibraryModule } from './library.ts'
import { sliceEnd, sliceStart } from './range.ts'
import { format } from './string/format.ts'

/** An empty original stands before, between and after all characters. */
function replaceAll(text: string, original: string, replacement: string): string {
  if (original !== '') return text.split(original).join(replacement)
  return ['', ...characters(text), ''].join(replacement)
}

function replaceAt(text: string, at: number, original: string, replacement: string): string {
  return at < 0 ? text : text.slice(0, at) + replacement + text.slice(at + original.length)
}

function count(haystack: string, needle: string): number {
  if (needle === '') return 0
  let found = 0
  for (let at = haystack.indexOf(needle); at >= 0; at = haystack.indexOf(needle, at + needle.length)) found++
  return found
}

/** The UTF-16 offset after the characters at the beginning that are among `chars`. */
function stripStart(text: string, chars: ReadonlySet<string>): number {
  let at = 0
  for (const character of text) {
    if (!chars.has(character)) break
    at += character.length
  }
  return at
}

/** The UTF-16 offset where the characters at the end begin that are among `chars`. */
function stripEnd(text: string, chars: ReadonlySet<string>, from: number): number {
  const kept = characters(text.slice(from))
  let end = text.length
  while (kept.length > 0 && chars.has(kept[kept.length - 1]!)) end -= kept.pop()!.length
  return end
}

function translate(text: string, oldCharacters: string, newCharacters: string): string {
  const from = characters(oldCharacters)
  const to = characters(newCharacters)
  let result = ''
  for (const character of text) {
    const place = from.indexOf(character)
    if (place < 0) result += character
    else if (place < to.length) result += to[place]
  }
  return result
}

export const string: LibraryModule = {
  ...format,
  's.len': () => length,
  's.substr': () => (s: string, start: number, end: number) => {
    const size = length(s)
    const from = sliceStart(size, start)
    return slice(s, from, sliceEnd(size, from, end))
  },
  's.substrto': () => (s: string, start: number, end: number, replacement: string) => {
    const size = length(s)
    const from = sliceStart(size, start)
    const to = sliceEnd(size, from, end)
    return s.slice(0, offset(s, from)) + replacement + s.slice(offset(s, to))
  },
  's.contains': () => (haystack: string, needle: string) => haystack.includes(needle),
  's.count': () => count,
  's.index': () => (haystack: string, needle: string) => {
    const at = haystack.indexOf(needle)
    return at < 0 ? -1 : position(haystack, at)
  },
  's.rindex': () => (haystack: string, needle: string) => {
    const at = haystack.lastIndexOf(needle)
    return at < 0 ? -1 : position(haystack, at)
  },
  's.startswith': () => (haystack: string, needle: string) => haystack.startsWith(needle),
  's.endswith': () => (haystack: string, needle: string) => haystack.endsWith(needle),
  's.join': () => (array: readonly string[], separator: string) => array.join(separator),
  's.split': () => (s: string, separator: string) => (separator === '' ? [] : s.split(separator)),
  's.concat': () => (x: string, y: string) => x + y,
  's.repeat': () => (s: string, n: number) => (n > 0 ? s.repeat(n) : ''),
  's.lower': () => (s: string) => s.toLowerCase(),
  's.upper': () => (s: string) => s.toUpperCase(),
  's.lstrip': () => (s: string, chars: string) => s.slice(stripStart(s, new Set(chars))),
  's.rstrip': () => (s: string, chars: string) => s.slice(0, stripEnd(s, new Set(chars), 0)),
  's.strip': () => (s: string, chars: string) => {
    const set = new Set(chars)
    const start = stripStart(s, set)
    return s.slice(start, stripEnd(s, set, start))
  },
  's.replaceall': () => replaceAll,
  's.replacefirst': () => (s: string, original: string, replacement: string) =>
    replaceAt(s, s.indexOf(original), original, replacement),
  's.replacelast': () => (s: string, original: string, replacement: string) =>
    replaceAt(s, s.lastIndexOf(original), original, replacement),
  's.translate': () => translate,
}
