// Relaxed JSON inside PrettyPFA: words need no quotes, and a replacement stands for its value.
import { type DocumentValue, NumberLexeme } from '../document.ts'
import { defaultLimits, setOwn } from '../place.ts'
import type { Cursor } from './cursor.ts'
import type { Replacements } from './scope.ts'

const words: Readonly<Record<string, DocumentValue>> = { true: true, false: false, null: null }

export function readData(cursor: Cursor, replacements: Replacements, depth = 0): DocumentValue {
  if (depth > defaultLimits.depth) {
    throw cursor.error(cursor.peek().start, `data is nested more than ${defaultLimits.depth} deep`)
  }
  if (cursor.accept('[')) return cursor.list(']', 'in the list', () => readData(cursor, replacements, depth + 1))
  if (cursor.accept('{')) {
    const object: Record<string, DocumentValue> = {}
    cursor.list('}', 'in the object', () => {
      const at = cursor.peek().start
      const key = cursor.key('a key')
      if (Object.hasOwn(object, key))
        throw cursor.error(at, `the key ${JSON.stringify(key)} stands twice in one object`)
      setOwn(object, key, readData(cursor, replacements, depth + 1))
    })
    return object
  }
  if (cursor.at('-') && cursor.peek(1).kind === 'number') {
    cursor.next()
    return new NumberLexeme(`-${cursor.next().text}`)
  }
  const token = cursor.peek()
  switch (token.kind) {
    case 'number':
      cursor.next()
      return new NumberLexeme(token.text)
    case 'string':
      cursor.next()
      return token.text
    case 'word':
      cursor.next()
      return Object.hasOwn(words, token.text) ? words[token.text]! : token.text
    case 'replacement':
      cursor.next()
      return replacements.value(cursor, token)
  }
  throw cursor.expected('data: an object, a list, a string, a number, true, false or null')
}
