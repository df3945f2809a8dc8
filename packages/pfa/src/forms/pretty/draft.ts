// A document while it is being read: plain JSON with places noted beside it, and types that are written out at the end.
import type { Place } from '../../errors.ts'
import { type Document, type DocumentValue, isList, isObject } from '../document.ts'
import { lineAndColumn, setOwn } from '../place.ts'

/** A type where it is used. Which use declares a named type is known only when the whole document has been read. */
export class TypeUse {
  readonly type: DocumentValue

  constructor(type: DocumentValue) {
    this.type = type
  }
}

export type Draft = DocumentValue | TypeUse | readonly Draft[] | { readonly [key: string]: Draft }

/** An expression as read, with what its surroundings may make of it. */
export interface Operand {
  readonly value: Draft
  readonly offset: number
  /** `access`: can be assigned to. `block`: a body takes the expressions out of it. `if`: an else continues it. */
  readonly kind: 'plain' | 'access' | 'block' | 'if' | 'function'
}

/** Where objects and their members stand in the text. Kept beside the tree, because strings and numbers have no identity. */
export class Places {
  readonly #offsets = new Map<object, number>()
  readonly #members = new Map<object, Map<string, number>>()

  object(
    offset: number,
    members: Readonly<Record<string, Draft | undefined>>,
    at: Readonly<Record<string, number>> = {},
  ) {
    const object: Record<string, Draft> = {}
    for (const key of Object.keys(members)) {
      const value = members[key]
      if (value !== undefined) setOwn(object as Record<string, DocumentValue>, key, value as DocumentValue)
    }
    this.#offsets.set(object, offset)
    this.#members.set(object, new Map(Object.entries(at)))
    return object
  }

  /** An object whose members are expressions: `let`, `set`, `new`, `fill`. */
  members(offset: number, entries: readonly (readonly [key: string, operand: Operand])[]): Record<string, Draft> {
    const at = new Map(entries.map(([key, operand]) => [key, operand.offset]))
    const object: Record<string, Draft> = {}
    for (const [key, operand] of entries)
      setOwn(object as Record<string, DocumentValue>, key, operand.value as DocumentValue)
    this.#offsets.set(object, offset)
    this.#members.set(object, at)
    return object
  }

  list(offset: number, operands: readonly Operand[]): Draft[] {
    const list = operands.map((operand) => operand.value)
    this.#offsets.set(list, offset)
    this.#members.set(list, new Map(operands.map((operand, index) => [String(index), operand.offset])))
    return list
  }

  /** The place of the value itself, or of the nearest value around it that has one. */
  find(text: string, root: DocumentValue, pointer: string): Place | undefined {
    let value: DocumentValue = root
    let offset = 0
    for (const step of pointer.split('/').slice(1)) {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
      if ((!isObject(value) && !isList(value)) || !Object.hasOwn(value, key)) return undefined
      const member: DocumentValue = (value as Record<string, DocumentValue>)[key]!
      const own = typeof member === 'object' && member !== null ? this.#offsets.get(member) : undefined
      offset = this.#members.get(value)?.get(key) ?? own ?? offset
      value = member
    }
    return { ...lineAndColumn(text, offset), pointer }
  }
}

export class PrettyDocument implements Document {
  readonly root: DocumentValue
  readonly #text: string
  readonly #places: Places

  constructor(root: DocumentValue, text: string, places: Places) {
    this.root = root
    this.#text = text
    this.#places = places
  }

  place(pointer: string): Place | undefined {
    return this.#places.find(this.#text, this.root, pointer)
  }
}
