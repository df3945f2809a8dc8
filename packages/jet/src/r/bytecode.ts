// Compiled code of R functions, which is read past: a reader that stands on it goes in, and stands behind it afterwards.
import { KIND } from './layout.ts'
import type { RReader } from './read.ts'

/** First comes how many expressions are referred to, then the code. */
export function skipBytecode(reader: RReader): void {
  reader.int()
  skipCode(reader)
}

function skipCode(reader: RReader): void {
  reader.item()
  for (let rest = reader.int(); rest > 0; rest--) skipConstant(reader)
}

function skipConstant(reader: RReader): void {
  const kind = reader.int()
  if (kind === KIND.bytecode) skipCode(reader)
  else if (isExpression(kind)) skipExpression(reader, kind)
  else reader.item()
}

function isExpression(kind: number): boolean {
  return (
    kind === KIND.language ||
    kind === KIND.pairs ||
    kind === KIND.bytecodeDefinition ||
    kind === KIND.bytecodeReference ||
    kind === KIND.attributedLanguage ||
    kind === KIND.attributedPairs
  )
}

/** Expressions are written as pairs, with numbers for those that occur again. */
function skipExpression(reader: RReader, first: number): void {
  let kind = first
  // The last member of a pair is the rest of the list: many of them, so no recursion.
  while (isExpression(kind)) {
    if (kind === KIND.bytecodeReference) {
      reader.int()
      return
    }
    if (kind === KIND.bytecodeDefinition) {
      reader.int()
      kind = reader.int()
    }
    if (kind === KIND.attributedLanguage || kind === KIND.attributedPairs) reader.item()
    reader.item()
    skipExpression(reader, reader.int())
    kind = reader.int()
  }
  // What is no expression is an item of its own, behind a number that says so.
  reader.item()
}
