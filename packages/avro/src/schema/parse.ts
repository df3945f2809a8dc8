// Reads a schema: its JSON value or text goes in, an AvroType comes out, or an error that says where, what and what would be right.
import { AvroError, describeValue, oneOf, pointTo } from '../error.ts'
import {
  type AvroType,
  type Field,
  type NamedType,
  type PrimitiveKind,
  type PrimitiveType,
  primitiveKinds,
} from '../type.ts'
import { readDefault } from '../value/default.ts'
import { parseExact } from '../value/exact.ts'
import { readLogical } from './logical.ts'
import { NameTable, qualify, unknownName } from './name-table.ts'
import { didYouMean, nearestWord } from './nearest.ts'
import { branchName } from './union.ts'

export interface ParseOptions {
  /** Names shared with other schemas. Without it the schema stands alone. */
  readonly names?: NameTable
  /** Namespace around the schema; none by default. */
  readonly namespace?: string
  /** Pointer to the schema in the document that holds it, for errors. */
  readonly pointer?: string
  /** How deep schemas may nest; 100 by default. */
  readonly maximumDepth?: number
}

export function parseSchema(schema: unknown, options: ParseOptions = {}): AvroType {
  const names = options.names ?? new NameTable()
  const reader = new SchemaReader(names, options.maximumDepth ?? 100)
  const type = reader.read(schema, options.pointer ?? '', options.namespace ?? '', 0)
  // Where names may still be coming, the owner of the table says when the last schema has been read.
  if (!names.options.usedBeforeDefined && !names.options.definedAgain) names.finish()
  return type
}

/** The same from the text of the schema; a default of type long keeps all its digits. */
export function readSchema(text: string, options: ParseOptions = {}): AvroType {
  let schema: unknown
  try {
    schema = parseExact(text)
  } catch (error) {
    const hint = error instanceof Error ? error.message : String(error)
    throw new AvroError({ pointer: options.pointer ?? '', expected: 'a schema in JSON', found: 'other text', hint })
  }
  return parseSchema(schema, options)
}

const PRIMITIVES: ReadonlyMap<string, PrimitiveType> = new Map(primitiveKinds.map((kind) => [kind, { kind }]))
const COMPLEX: readonly string[] = ['array', 'map', 'record', 'enum', 'fixed']
const TYPE_WORDS: readonly string[] = [...PRIMITIVES.keys(), ...COMPLEX]
const NAME = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/
const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const NAME_RULE = 'letters, digits and _, not starting with a digit'
const ORDERS = ['ascending', 'descending', 'ignore'] as const

type Attributes = Readonly<Record<string, unknown>>

class SchemaReader {
  readonly #names: NameTable
  readonly #maximumDepth: number
  /** The same JavaScript object met again is the same type: resolved references share objects, and stay cheap so. */
  readonly #read = new Map<object, Map<string, AvroType>>()

  constructor(names: NameTable, maximumDepth: number) {
    this.#names = names
    this.#maximumDepth = maximumDepth
  }

  read(schema: unknown, pointer: string, namespace: string, depth: number): AvroType {
    if (depth > this.#maximumDepth) {
      const expected = `at most ${this.#maximumDepth} schemas inside each other`
      throw new AvroError({ pointer, expected, found: 'one more' })
    }
    if (typeof schema === 'string') return this.#readName(schema, pointer, namespace)
    if (typeof schema !== 'object' || schema === null)
      throw wrong(pointer, schema, 'a schema: a name, an object or an array')
    const around = hasOwnNamespace(schema) ? '' : namespace
    const known = this.#read.get(schema)?.get(around)
    if (known !== undefined) return known
    const type = Array.isArray(schema)
      ? this.#readUnion(schema, pointer, namespace, depth)
      : this.#readObject(schema as Attributes, pointer, namespace, depth)
    const byNamespace = this.#read.get(schema) ?? new Map<string, AvroType>()
    this.#read.set(schema, byNamespace.set(around, type))
    return type
  }

  /** `others`: words that could stand here besides names of types. */
  #readName(name: string, pointer: string, namespace: string, others: readonly string[] = []): AvroType {
    const type = PRIMITIVES.get(name)
    if (type !== undefined) return type
    if (COMPLEX.includes(name)) {
      const hint = `write an object around it: {"type": ${JSON.stringify(name)}, …}`
      throw new AvroError({ pointer, found: `the bare word "${name}"`, expected: 'a complete schema', hint })
    }
    if (!NAME.test(name)) {
      throw new AvroError({
        pointer,
        found: describeValue(name),
        expected: `the name of a type: ${oneOf(PRIMITIVES.keys())}, or of a defined type (${NAME_RULE}, parts joined by dots)`,
        ...didYouMean(name, TYPE_WORDS),
      })
    }
    const named = this.#names.use(name, namespace, pointer)
    if (named === undefined) {
      const known = [...PRIMITIVES.keys(), ...others, ...this.#names.names()]
      throw unknownName(name, pointer, known, `the name of a type (${oneOf(known)})`)
    }
    return named
  }

  #readUnion(schemas: readonly unknown[], pointer: string, namespace: string, depth: number): AvroType {
    if (schemas.length === 0) throw wrong(pointer, schemas, 'a union of at least one branch')
    const taken = new Set<string>()
    const branches = schemas.map((schema, index) => {
      const at = pointTo(pointer, index)
      const branch = this.read(schema, at, namespace, depth + 1)
      if (branch.kind === 'union') {
        throw new AvroError({ pointer: at, found: 'a union inside a union', expected: 'its branches themselves' })
      }
      const name = branchName(branch)
      if (taken.has(name)) {
        throw new AvroError({ pointer: at, found: `a second branch ${name}`, expected: 'each branch once' })
      }
      taken.add(name)
      return branch
    })
    return { kind: 'union', branches }
  }

  #readObject(schema: Attributes, pointer: string, namespace: string, depth: number): AvroType {
    const word = own(schema, 'type')
    const at = pointTo(pointer, 'type')
    if (word === undefined) throw withoutType(schema, pointer)
    if (typeof word !== 'string') {
      if (typeof word === 'object' && word !== null) return this.read(word, at, namespace, depth + 1)
      throw wrong(at, word, `a type: ${oneOf(TYPE_WORDS)}, a defined name, or a schema`)
    }
    switch (word) {
      case 'array':
        return { kind: 'array', items: this.#readMember(schema, 'items', pointer, namespace, depth) }
      case 'map':
        return { kind: 'map', values: this.#readMember(schema, 'values', pointer, namespace, depth) }
      case 'record':
      case 'error':
        return this.#readRecord(schema, pointer, namespace, depth)
      case 'enum':
        return this.#readEnum(schema, pointer, namespace)
      case 'fixed':
        return this.#readFixed(schema, pointer, namespace)
    }
    const type = this.#readName(word, at, namespace, COMPLEX)
    if (!PRIMITIVES.has(word)) return type
    const logical = readLogical(schema, word as PrimitiveKind)
    return logical.logicalType === undefined ? type : { kind: word as PrimitiveKind, ...logical }
  }

  #readMember(schema: Attributes, key: string, pointer: string, namespace: string, depth: number): AvroType {
    const member = own(schema, key)
    if (member === undefined) throw missing(schema, pointer, key, `the key ${JSON.stringify(key)} with a schema`)
    return this.read(member, pointTo(pointer, key), namespace, depth + 1)
  }

  #readRecord(schema: Attributes, pointer: string, namespace: string, depth: number): NamedType {
    const name = own(schema, 'name') === undefined ? this.#names.unnamed() : readFullName(schema, pointer, namespace)
    const fields: Field[] = []
    const list = own(schema, 'fields')
    const at = pointTo(pointer, 'fields')
    if (list === undefined) throw missing(schema, pointer, 'fields', 'the key "fields" with an array of fields')
    if (!Array.isArray(list)) throw wrong(at, list, 'an array of fields')
    const inside = namespaceOf(name)
    this.#names.define({ kind: 'record', name, fields, ...readDescription(schema, pointer, inside) }, pointer)
    const taken = new Set<string>()
    for (const [index, entry] of list.entries()) {
      const place = pointTo(at, index)
      const field = this.#readField(entry, place, inside, depth + 1)
      if (taken.has(field.name)) {
        const found = `a second field ${JSON.stringify(field.name)}`
        throw new AvroError({ pointer: pointTo(place, 'name'), found, expected: 'each field name once' })
      }
      taken.add(field.name)
      fields.push(field)
    }
    return this.#names.get(name)!
  }

  #readField(schema: unknown, pointer: string, namespace: string, depth: number): Field {
    if (!isAttributes(schema)) throw wrong(pointer, schema, 'a field: an object with "name" and "type"')
    const name = own(schema, 'name')
    if (name === undefined) throw missing(schema, pointer, 'name', 'the key "name" with the name of the field')
    if (typeof name !== 'string' || !FIELD_NAME.test(name))
      throw wrong(pointTo(pointer, 'name'), name, `a name: ${NAME_RULE}`)
    const type = this.#readMember(schema, 'type', pointer, namespace, depth)
    const aliases = readWords(schema, 'aliases', pointer, FIELD_NAME)
    const order = own(schema, 'order') as Field['order']
    if (order !== undefined && !ORDERS.includes(order)) throw wrong(pointTo(pointer, 'order'), order, oneOf(ORDERS))
    const field: Field = {
      name,
      type,
      ...(Object.hasOwn(schema, 'default') ? { default: schema.default } : {}),
      ...(aliases === undefined ? {} : { aliases }),
      ...(order === undefined ? {} : { order }),
      ...readDoc(schema),
    }
    // The default may be of a type whose definition is still being read.
    if ('default' in field) this.#names.later(() => readDefault(type, field.default, pointTo(pointer, 'default')))
    return field
  }

  #readEnum(schema: Attributes, pointer: string, namespace: string): NamedType {
    const name = readFullName(schema, pointer, namespace)
    const symbols = readWords(schema, 'symbols', pointer, FIELD_NAME)
    if (symbols === undefined) throw missing(schema, pointer, 'symbols', 'the key "symbols" with an array of names')
    if (symbols.length === 0) throw wrong(pointTo(pointer, 'symbols'), symbols, 'at least one symbol')
    const given = own(schema, 'default')
    if (given !== undefined && !symbols.includes(given as string)) {
      throw new AvroError({
        pointer: pointTo(pointer, 'default'),
        found: describeValue(given),
        expected: `one of the symbols (${oneOf(symbols)})`,
        ...didYouMean(String(given), symbols),
      })
    }
    const fallback = given === undefined ? {} : { default: given as string }
    const description = readDescription(schema, pointer, namespaceOf(name))
    this.#names.define({ kind: 'enum', name, symbols, ...fallback, ...description }, pointer)
    return this.#names.get(name)!
  }

  #readFixed(schema: Attributes, pointer: string, namespace: string): NamedType {
    const name = readFullName(schema, pointer, namespace)
    const size = own(schema, 'size')
    if (size === undefined) throw missing(schema, pointer, 'size', 'the key "size" with a number of bytes')
    if (!Number.isInteger(size) || (size as number) < 0 || (size as number) > 0x7fffffff) {
      throw wrong(pointTo(pointer, 'size'), size, 'a number of bytes from 0 to 2147483647')
    }
    const bytes = size as number
    const { aliases } = readDescription(schema, pointer, namespaceOf(name))
    const logical = readLogical(schema, 'fixed', bytes)
    this.#names.define({ kind: 'fixed', name, size: bytes, ...logical, ...(aliases ? { aliases } : {}) }, pointer)
    return this.#names.get(name)!
  }
}

/** Such a schema means the same in every namespace. */
function hasOwnNamespace(schema: object): boolean {
  const name = Object.hasOwn(schema, 'name') ? Reflect.get(schema, 'name') : undefined
  return typeof name === 'string' && (name.includes('.') || Object.hasOwn(schema, 'namespace'))
}

/** A name with dots is complete; else the schema's own namespace, or the enclosing one, stands before it. */
function readFullName(schema: Attributes, pointer: string, enclosing: string): string {
  const name = own(schema, 'name')
  if (name === undefined) throw missing(schema, pointer, 'name', 'the key "name" with the name of the type')
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw wrong(pointTo(pointer, 'name'), name, `a name: ${NAME_RULE}, parts joined by dots`)
  }
  const namespace = own(schema, 'namespace') ?? enclosing
  if (typeof namespace !== 'string' || (namespace !== '' && !NAME.test(namespace))) {
    throw wrong(pointTo(pointer, 'namespace'), namespace, `a namespace: ${NAME_RULE}, parts joined by dots`)
  }
  const full = qualify(name, namespace)
  if (TYPE_WORDS.includes(full)) throw wrong(pointTo(pointer, 'name'), name, 'a name that is no type of Avro itself')
  return full
}

function namespaceOf(fullName: string): string {
  return fullName.slice(0, Math.max(0, fullName.lastIndexOf('.')))
}

function readDescription(schema: Attributes, pointer: string, namespace: string): { aliases?: string[]; doc?: string } {
  const aliases = readWords(schema, 'aliases', pointer, NAME)?.map((alias) => qualify(alias, namespace))
  return { ...(aliases === undefined ? {} : { aliases }), ...readDoc(schema) }
}

function readDoc(schema: Attributes): { doc?: string } {
  const doc = own(schema, 'doc')
  return typeof doc === 'string' ? { doc } : {}
}

function readWords(schema: Attributes, key: string, pointer: string, pattern: RegExp): string[] | undefined {
  const words = own(schema, key)
  const at = pointTo(pointer, key)
  if (words === undefined) return undefined
  if (!Array.isArray(words)) throw wrong(at, words, 'an array of names')
  for (const [index, word] of words.entries()) {
    if (typeof word !== 'string' || !pattern.test(word)) throw wrong(pointTo(at, index), word, `a name: ${NAME_RULE}`)
    if (words.indexOf(word) !== index) throw wrong(pointTo(at, index), word, 'each name once')
  }
  return [...words]
}

function own(schema: Attributes, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key] : undefined
}

function isAttributes(schema: unknown): schema is Attributes {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
}

function wrong(pointer: string, value: unknown, expected: string): AvroError {
  return new AvroError({ pointer, found: describeValue(value), expected })
}

/** Points out the key that was probably meant. */
function missing(schema: Attributes, pointer: string, key: string, expected: string): AvroError {
  const near = nearestWord(key, Object.keys(schema))
  const hint = near === undefined ? {} : { hint: `is ${JSON.stringify(near)} meant to be ${JSON.stringify(key)}?` }
  return new AvroError({ pointer, found: describeValue(schema), expected, ...hint })
}

function withoutType(schema: Attributes, pointer: string): AvroError {
  if (!Object.hasOwn(schema, '$ref')) return missing(schema, pointer, 'type', 'a schema with the key "type"')
  const found = `a reference to the stored schema ${JSON.stringify(schema.$ref)}`
  return new AvroError({ pointer, found, expected: 'a schema', hint: 'resolve references before reading the schema' })
}
