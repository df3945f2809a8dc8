// A document's value comes in, YAML 1.2 text goes out: block style, with the flow style for what fits on a line.
import { type DocumentValue, isList, isObject } from '../forms/document.ts'
import { yamlLimits } from '../forms/place.ts'
import { checkDepth, inline, type Scalar, scalarText } from './inline.ts'

const width = 100
/** YAML allows a key before ':' to have 1024 characters; a longer one is written after '?'. */
const longestImplicitKey = 1000

export function printYaml(value: DocumentValue): string {
  const lines: string[] = []
  if (isBlock(value)) writeBlock(value, '', '', true, 0, lines)
  else lines.push(inline(value, Number.POSITIVE_INFINITY, quoteYaml)!)
  return `${lines.join('\n')}\n`
}

/** `head` is what stands on the line already, `indent` the space before the lines that follow it. */
function write(value: DocumentValue, head: string, indent: string, compact: boolean, depth: number, lines: string[]) {
  const block = isBlock(value)
  if (typeof value === 'string' && isLiteral(value)) return writeLiteral(value, head, indent, lines)
  if (!block && !isList(value) && !isObject(value)) return lines.push(head + scalarText(value as Scalar, quoteYaml))
  const short = inline(value, Math.max(width - head.length, 2), quoteYaml)
  if (short !== undefined) return lines.push(head + short)
  return writeBlock(value, head, indent, compact, depth, lines)
}

/** Compact: the first entry stands on the line of the dash before it. */
function writeBlock(
  value: DocumentValue,
  head: string,
  indent: string,
  compact: boolean,
  depth: number,
  lines: string[],
): void {
  checkDepth(depth, yamlLimits)
  if (!compact) lines.push(head.trimEnd())
  let lead = compact ? head : indent
  const nested = `${indent}  `
  if (isList(value)) {
    for (const item of value) {
      write(item, `${lead}- `, nested, true, depth + 1, lines)
      lead = indent
    }
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) {
      const name = quoteYaml(key)
      if (name.length > longestImplicitKey) {
        lines.push(`${lead}? ${name}`)
        write(value[key]!, `${indent}: `, nested, true, depth + 1, lines)
      } else {
        write(value[key]!, `${lead}${name}: `, nested, false, depth + 1, lines)
      }
      lead = indent
    }
  }
}

function isBlock(value: DocumentValue): boolean {
  return isList(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0
}

/** Text of several lines that a literal block can hold as it is; anything doubtful is quoted instead. */
function isLiteral(text: string): boolean {
  return text.includes('\n') && /^\S/.test(text) && !/\n\n$|[^\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff]/.test(text)
}

function writeLiteral(text: string, head: string, indent: string, lines: string[]): void {
  const ends = text.endsWith('\n')
  lines.push(`${head}|${ends ? '' : '-'}`)
  for (const line of (ends ? text.slice(0, -1) : text).split('\n')) lines.push(line === '' ? '' : indent + line)
}

const plainWord = /^[A-Za-z_](?:[A-Za-z0-9_.()/+*%' -]*[A-Za-z0-9_.()/+*%'-])?$/
/** Operators of PFA that begin with no indicator of YAML. */
const plainOperators: ReadonlySet<string> = new Set(['+', '/', '//', '==', '<', '<=', '^'])
/** Words that some reader of YAML, of this version or of the one before, takes for something other than a string. */
const reservedWords = /^(?:true|false|null|yes|no|on|off|y|n)$/i
// Lone halves of a surrogate pair are escaped by JSON.stringify already.
const unprintable = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g

function quoteYaml(text: string): string {
  if ((plainWord.test(text) && !reservedWords.test(text)) || plainOperators.has(text)) return text
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(text).replace(unprintable, escaped)
}
