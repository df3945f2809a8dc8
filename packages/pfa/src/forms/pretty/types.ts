// Types as PrettyPFA writes them come in, Avro schemas go out; each named type is declared where it is first used.
import { type DocumentObject, type DocumentValue, isList, isObject, NumberLexeme } from '../document.ts'
import { defaultLimits } from '../place.ts'
import type { Cursor } from './cursor.ts'
import { readData } from './data.ts'
import { type Draft, TypeUse } from './draft.ts'
import type { Replacements } from './scope.ts'

interface Alias {
  readonly cursor: Cursor
  type?: DocumentValue
  reading: boolean
}

export class TypeTable {
  readonly #replacements: Replacements
  readonly #aliases = new Map<string, Alias>()
  readonly #named = new Map<string, DocumentObject>()
  /** Names of types that stand in the text: a generated name must not be one of them. */
  readonly #taken: ReadonlySet<string>
  readonly #generated = new Map<string, number>()
  #depth = 0

  constructor(replacements: Replacements, taken: ReadonlySet<string>) {
    this.#replacements = replacements
    this.#taken = taken
  }

  /** `name = type` of the types section; read when the name is used, so that the order does not matter. */
  alias(name: string, cursor: Cursor): void {
    if (this.#aliases.has(name)) throw cursor.error(cursor.peek().start, `the type ${name} is defined twice`)
    this.#aliases.set(name, { cursor, reading: false })
  }

  readAliases(): void {
    for (const name of this.#aliases.keys()) this.#resolve(name)
  }

  use(cursor: Cursor): TypeUse {
    return new TypeUse(this.read(cursor))
  }

  named(name: string): TypeUse {
    return new TypeUse(this.#resolve(name))
  }

  read(cursor: Cursor): DocumentValue {
    this.#depth += 1
    if (this.#depth > 300) throw cursor.error(cursor.peek().start, 'types are nested more than 300 deep')
    const type = this.#read(cursor)
    this.#depth -= 1
    return type
  }

  #read(cursor: Cursor): DocumentValue {
    const token = cursor.peek()
    if (token.kind === 'replacement') return this.#register(this.#replacements.value(cursor, cursor.next()))
    // What the short notation cannot say (defaults, docs, aliases of fields) is written as the Avro schema itself.
    if (cursor.at('{')) return this.#register(readData(cursor, this.#replacements))
    if (token.kind !== 'word' && token.kind !== 'quoted') {
      throw cursor.expected('a type: its name, array(...), map(...), union(...), record(...), enum(...) or fixed(...)')
    }
    cursor.next()
    if (!cursor.at('(')) return this.#resolve(token.text)
    const construct = Object.hasOwn(constructors, token.text) ? constructors[token.text] : undefined
    if (construct === undefined) {
      throw cursor.expected('array, map, union, record, enum or fixed before the parenthesis', token)
    }
    cursor.next()
    return this.#register(construct(this, cursor, token.start))
  }

  #resolve(name: string): DocumentValue {
    const alias = this.#aliases.get(name)
    // A type that mentions itself is mentioned by name.
    if (alias === undefined || alias.reading) return name
    if (alias.type === undefined) {
      alias.reading = true
      alias.type = this.read(alias.cursor)
      if (!alias.cursor.atEnd) throw alias.cursor.expected("';' after the type")
      alias.reading = false
    }
    return alias.type
  }

  #register(type: DocumentValue): DocumentValue {
    if (isList(type)) {
      for (const branch of type) this.#register(branch)
    } else if (isObject(type)) {
      const name = fullName(type)
      if (name !== undefined && !this.#named.has(name)) this.#named.set(name, type)
      for (const part of partsOf(type)) this.#register(part)
    }
    return type
  }

  generateName(kind: string): string {
    const number = (this.#generated.get(kind) ?? 0) + 1
    this.#generated.set(kind, number)
    const name = `${kind}_${number}`
    return this.#taken.has(name) ? this.generateName(kind) : name
  }

  nameOf(cursor: Cursor, what: string): string {
    const token = cursor.peek()
    if (token.kind === 'word' || token.kind === 'quoted') return cursor.next().text
    const value = token.kind === 'replacement' ? this.#replacements.value(cursor, cursor.next()) : undefined
    if (typeof value === 'string') return value
    throw cursor.expected(what, token)
  }

  /** Writes types into the draft, in place: the first use of a named type declares it, the later ones name it. */
  writeOut(draft: Draft): DocumentValue {
    return this.#write(draft, new Set(), 0)
  }

  #write(draft: Draft, declared: Set<string>, depth: number): DocumentValue {
    if (draft instanceof TypeUse) return this.#declare(draft.type, declared)
    if (typeof draft !== 'object' || draft === null || draft instanceof NumberLexeme) return draft
    if (depth > defaultLimits.depth) throw new RangeError('nested too deep')
    const container = draft as Record<string, Draft>
    for (const key of Object.keys(container)) {
      const member = container[key]!
      if (typeof member !== 'object' || member === null) continue
      const written = this.#write(member, declared, depth + 1)
      if (written !== member) container[key] = written
    }
    return draft as DocumentValue
  }

  #declare(type: DocumentValue, declared: Set<string>): DocumentValue {
    if (typeof type === 'string') {
      const definition = this.#named.get(type)
      return definition === undefined || declared.has(type) ? type : this.#declare(definition, declared)
    }
    if (isList(type)) return type.map((branch) => this.#declare(branch, declared))
    if (!isObject(type)) return type
    const name = fullName(type)
    if (name !== undefined) {
      // A second, different definition stays in the document: the compiler says what is wrong with it.
      if (declared.has(name)) return sameType(type, this.#named.get(name)) ? name : type
      declared.add(name)
    }
    return mapParts(type, (part) => this.#declare(part, declared))
  }
}

type Constructor = (types: TypeTable, cursor: Cursor, at: number) => DocumentValue

const constructors: Readonly<Record<string, Constructor>> = {
  array: (types, cursor) => ({ type: 'array', items: single(types, cursor, 'array') }),
  map: (types, cursor) => ({ type: 'map', values: single(types, cursor, 'map') }),
  union: (types, cursor, at) => {
    const branches = cursor.list(')', 'in the union', () => types.read(cursor))
    if (branches.length < 1) throw cursor.error(at, 'a union names at least one type')
    return branches
  },
  fixed: (types, cursor) => {
    const size = cursor.peek()
    if (size.kind !== 'number' || !/^\d+$/.test(size.text))
      throw cursor.expected('the size of the fixed type, a whole number')
    cursor.next()
    return { type: 'fixed', ...optionalName(types, cursor, 'Fixed'), size: new NumberLexeme(size.text) }
  },
  enum: (types, cursor) => {
    cursor.expect('[', 'before the symbols of the enum')
    const symbols = cursor.list(']', 'in the symbols of the enum', () => {
      const token = cursor.peek()
      if (token.kind !== 'word' && token.kind !== 'string' && token.kind !== 'quoted')
        throw cursor.expected('a symbol of the enum')
      return cursor.next().text
    })
    return { type: 'enum', ...optionalName(types, cursor, 'Enum'), symbols }
  },
  record: (types, cursor) => {
    let name: string | undefined
    const fields: DocumentValue[] = []
    cursor.list(')', 'in the record', () => {
      if (cursor.atKey()) {
        fields.push({ name: cursor.key('a field'), type: types.read(cursor) })
      } else {
        if (name !== undefined) throw cursor.expected("a field ('name: type'): the record has a name already")
        name = types.nameOf(cursor, "the record's name, or a field ('name: type')")
      }
    })
    return { type: 'record', ...split(name ?? types.generateName('Record')), fields }
  },
}

function single(types: TypeTable, cursor: Cursor, kind: string): DocumentValue {
  const type = types.read(cursor)
  cursor.expect(')', `after the type in the ${kind}`)
  return type
}

function optionalName(types: TypeTable, cursor: Cursor, kind: string): { name: string; namespace?: string } {
  const name = cursor.accept(',') ? types.nameOf(cursor, 'the name of the type') : types.generateName(kind)
  cursor.expect(')', 'after the name of the type')
  return split(name)
}

function split(name: string): { name: string; namespace?: string } {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? { name } : { namespace: name.slice(0, dot), name: name.slice(dot + 1) }
}

const namedKinds: ReadonlySet<unknown> = new Set(['record', 'enum', 'fixed'])

/** Namespace and name of a schema that defines a named type. */
function fullName(type: DocumentObject): string | undefined {
  if (!namedKinds.has(type.type) || typeof type.name !== 'string') return undefined
  return typeof type.namespace === 'string' && !type.name.includes('.') ? `${type.namespace}.${type.name}` : type.name
}

function partsOf(type: DocumentObject): DocumentValue[] {
  const parts: DocumentValue[] = []
  mapParts(type, (part) => {
    parts.push(part)
    return part
  })
  return parts
}

/** The schema with the schemas directly inside it changed. */
export function mapParts(type: DocumentObject, change: (part: DocumentValue) => DocumentValue): DocumentObject {
  if (type.type === 'array' && type.items !== undefined) return { ...type, items: change(type.items) }
  if (type.type === 'map' && type.values !== undefined) return { ...type, values: change(type.values) }
  if (type.type === 'record' && type.fields !== undefined && isList(type.fields)) {
    const fields = type.fields.map((field) => {
      return isObject(field) && field.type !== undefined ? { ...field, type: change(field.type) } : field
    })
    return { ...type, fields }
  }
  if (isObject(type.type!) || isList(type.type!)) return { ...type, type: change(type.type) }
  return type
}

function sameType(left: DocumentValue, right: DocumentValue | undefined): boolean {
  const text = (value: DocumentValue | undefined) =>
    JSON.stringify(value, (_key, part) => (part instanceof NumberLexeme ? part.text : part))
  return left === right || text(left) === text(right)
}
