// Avro schemas come in, types as PrettyPFA writes them go out; the types section declares every named type once.
import { primitiveNames } from '@pitot/avro'
import { type DocumentObject, type DocumentValue, isList, isObject, NumberLexeme } from '../../forms/document.ts'
import { mapParts } from '../../forms/pretty/types.ts'
import { printingError } from './problem.ts'
import { bracketed, dataText, isIdentifier, keyText, quote } from './text.ts'

const namedKinds: ReadonlySet<unknown> = new Set(['record', 'enum', 'fixed'])
const typeName = /^[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)*$/

/** Attributes that the short notation can say; a schema with others is written as it is. */
const sayable: Readonly<Record<string, readonly string[]>> = {
  record: ['type', 'name', 'namespace', 'fields'],
  enum: ['type', 'name', 'namespace', 'symbols'],
  fixed: ['type', 'name', 'namespace', 'size'],
  array: ['type', 'items'],
  map: ['type', 'values'],
}

export class TypePrinter {
  /** Definitions by full name, their parts already named, in the order in which they were met. */
  readonly #definitions = new Map<string, DocumentObject>()

  /** The type with named types taken out into the types section and mentioned by their full names. */
  resolve(type: DocumentValue, namespace = ''): DocumentValue {
    if (typeof type === 'string') return this.#reference(type, namespace)
    if (isList(type)) return type.map((branch) => this.resolve(branch, namespace))
    if (!isObject(type)) throw printingError('a type', type)
    if (!namedKinds.has(type.type)) {
      const keys = Object.keys(type).filter((key) => key !== '@')
      // {"type": "int"} is int.
      if (keys.length === 1 && type.type !== undefined) return this.resolve(type.type, namespace)
      return mapParts(type, (part) => this.resolve(part, namespace))
    }
    const name = fullName(type, namespace)
    const space = name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : ''
    const known = this.#definitions.get(name)
    if (known === undefined) this.#definitions.set(name, type)
    const definition = { ...mapParts(type, (part) => this.resolve(part, space)), ...splitName(name) }
    if (known === undefined) this.#definitions.set(name, definition)
    // A different definition of the same name stays where it is: the compiler says what is wrong with it.
    else if (dataText(known) !== dataText(definition)) return definition
    return name
  }

  /** Inside a namespace a plain name means the type of that namespace, if there is one. */
  #reference(name: string, namespace: string): string {
    if (primitiveNames.has(name) || name.includes('.') || namespace === '') return name
    return this.#definitions.has(`${namespace}.${name}`) ? `${namespace}.${name}` : name
  }

  text(type: DocumentValue): string {
    return shortText(this.resolve(type))
  }

  isEnum(type: DocumentValue): boolean {
    return typeof type === 'string' && this.#definitions.get(type)?.type === 'enum'
  }

  /** The lines of the types section, of all types met so far. */
  definitions(): string[] {
    return [...this.#definitions.values()].map(shortText)
  }
}

function shortText(type: DocumentValue): string {
  if (typeof type === 'string') {
    if (!typeName.test(type)) throw printingError('the name of a type', type)
    return type
  }
  if (isList(type)) return bracketed('union(', type.map(shortText), ')')
  if (!isObject(type)) throw printingError('a type', type)
  const keys = Object.keys(type).filter((key) => key !== '@')
  const known = typeof type.type === 'string' && Object.hasOwn(sayable, type.type) ? sayable[type.type]! : []
  return (keys.every((key) => known.includes(key)) ? constructorText(type) : undefined) ?? dataText(type)
}

function constructorText(type: DocumentObject): string | undefined {
  const name = typeof type.name === 'string' ? fullName(type, '') : ''
  if (namedKinds.has(type.type) && !typeName.test(name)) throw printingError('the name of a type', name)
  switch (type.type) {
    case 'array':
      return type.items === undefined ? undefined : bracketed('array(', [shortText(type.items)], ')')
    case 'map':
      return type.values === undefined ? undefined : bracketed('map(', [shortText(type.values)], ')')
    case 'record':
      return recordText(name, type)
    case 'enum':
      return isList(type.symbols!) && type.symbols.every((symbol) => typeof symbol === 'string')
        ? `enum(${bracketed('[', type.symbols.map(symbolText), ']')}, ${name})`
        : undefined
    case 'fixed': {
      const size = type.size instanceof NumberLexeme ? type.size.text : String(type.size)
      return /^\d+$/.test(size) ? `fixed(${size}, ${name})` : undefined
    }
  }
  return undefined
}

function recordText(name: string, type: DocumentObject): string | undefined {
  if (!isList(type.fields!)) return undefined
  const fields: string[] = []
  for (const field of type.fields) {
    if (!isObject(field) || typeof field.name !== 'string' || field.type === undefined) return undefined
    if (Object.keys(field).some((key) => key !== 'name' && key !== 'type' && key !== '@')) return undefined
    fields.push(`${keyText(field.name)}: ${shortText(field.type)}`)
  }
  return bracketed('record(', [name, ...fields], ')')
}

function symbolText(symbol: unknown): string {
  return isIdentifier(String(symbol)) ? String(symbol) : quote(String(symbol))
}

function fullName(type: DocumentObject, namespace: string): string {
  const name = String(type.name)
  if (name.includes('.')) return name
  const space = typeof type.namespace === 'string' ? type.namespace : namespace
  return space === '' ? name : `${space}.${name}`
}

function splitName(name: string): { name: string; namespace?: string } {
  const dot = name.lastIndexOf('.')
  return dot < 0 ? { name } : { name: name.slice(dot + 1), namespace: name.slice(0, dot) }
}
