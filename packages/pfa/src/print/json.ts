// A document's value comes in, JSON text goes out: what fits stands on one line, everything else is indented.
import { type DocumentValue, isList, isObject } from '../forms/document.ts'
import { defaultLimits } from '../forms/place.ts'
import { checkDepth, inline, type Scalar, scalarText } from './inline.ts'

const width = 120

export function printJson(value: DocumentValue): string {
  const lines: string[] = []
  write(value, '', '', '', 0, lines)
  return `${lines.join('\n')}\n`
}

function write(
  value: DocumentValue,
  indent: string,
  before: string,
  after: string,
  depth: number,
  lines: string[],
): void {
  checkDepth(depth, defaultLimits)
  const short = inline(value, width - indent.length - before.length - after.length, JSON.stringify)
  if (short !== undefined) {
    lines.push(indent + before + short + after)
  } else if (isList(value)) {
    lines.push(`${indent}${before}[`)
    value.forEach((item, index) => {
      write(item, `${indent}  `, '', index < value.length - 1 ? ',' : '', depth + 1, lines)
    })
    lines.push(`${indent}]${after}`)
  } else if (isObject(value)) {
    lines.push(`${indent}${before}{`)
    const keys = Object.keys(value)
    keys.forEach((key, index) => {
      const comma = index < keys.length - 1 ? ',' : ''
      write(value[key]!, `${indent}  `, `${JSON.stringify(key)}: `, comma, depth + 1, lines)
    })
    lines.push(`${indent}}${after}`)
  } else {
    lines.push(indent + before + scalarText(value as Scalar, JSON.stringify) + after)
  }
}
