// Fields of records, by their paths: a schema comes in, the paths that can be watched go out; a path comes in, a function
// that reads it from a record goes out.
import type { Reading } from './reading.ts'

/**
 * `customer.age`; an index stands for an item of an array. `bare` makes a plain value or object of what stands for one in the
 * records of this place.
 */
export function fieldReader(path: string, bare: (value: unknown) => unknown = itself): (record: unknown) => Reading {
  const parts = path.split('.')
  if (parts.length === 1) return (record) => bare(step(bare(record), path)) as Reading
  return (record) => {
    let value = bare(record)
    for (const part of parts) value = bare(step(value, part))
    return value as Reading
  }
}

function itself(value: unknown): unknown {
  return value
}

/** Null for what is not there. */
function step(value: unknown, part: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return null
  return (value as Record<string, unknown>)[part] ?? null
}

const watchable = new Set<unknown>(['boolean', 'int', 'long', 'float', 'double', 'string', 'enum'])
const deepest = 8
const mostPaths = 1000
/** A schema that refers to itself many times has more places than can be looked at. */
const mostVisits = 20_000

/**
 * The paths of all fields of an Avro schema that have a number, a text, a truth value or a symbol, or may have one. A schema
 * that is no record has none: there is no name to call its value by.
 */
export function fieldPaths(schema: unknown): string[] {
  const finder = new FieldFinder()
  finder.visit(schema, [], 0)
  return [...finder.paths]
}

/** The paths of all numbers, texts and truth values in one record, for records without a schema. */
export function recordPaths(record: unknown): string[] {
  const paths: string[] = []
  const visit = (value: unknown, path: string, depth: number): void => {
    if (paths.length >= mostPaths || depth > deepest) return
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const [name, member] of Object.entries(value))
        visit(member, path === '' ? name : `${path}.${name}`, depth + 1)
    } else if (path !== '' && ['number', 'bigint', 'string', 'boolean'].includes(typeof value)) paths.push(path)
  }
  visit(record, '', 0)
  return paths
}

interface SchemaObject {
  readonly type?: unknown
  readonly name?: unknown
  readonly fields?: unknown
}

class FieldFinder {
  readonly paths = new Set<string>()
  readonly #named = new Map<unknown, SchemaObject>()
  #visits = 0

  visit(schema: unknown, path: readonly string[], depth: number): void {
    if (depth > deepest || ++this.#visits > mostVisits) return
    if (Array.isArray(schema)) this.#visitUnion(schema, path, depth)
    else if (typeof schema === 'string') this.#visitWord(schema, path, depth)
    else if (typeof schema === 'object' && schema !== null) this.#visitObject(schema, path, depth)
  }

  #visitUnion(branches: readonly unknown[], path: readonly string[], depth: number): void {
    const others = branches.filter((branch) => branch !== 'null')
    if (others.length === 1) this.visit(others[0], path, depth + 1)
    else if (others.length > 0 && others.every((branch) => watchable.has(wordOf(branch)))) this.#add(path)
  }

  #visitWord(word: string, path: readonly string[], depth: number): void {
    const known = this.#named.get(word)
    if (known !== undefined) this.visit(known, path, depth + 1)
    else if (watchable.has(word)) this.#add(path)
  }

  #visitObject(schema: SchemaObject, path: readonly string[], depth: number): void {
    switch (schema.type) {
      case 'record':
      case 'error':
        this.#named.set(schema.name, schema)
        if (Array.isArray(schema.fields)) this.#visitFields(schema.fields, path, depth)
        break
      case 'enum':
        this.#named.set(schema.name, schema)
        this.#add(path)
        break
      case 'array':
      case 'map':
      case 'fixed':
        break
      default:
        this.visit(schema.type, path, depth + 1)
    }
  }

  #visitFields(fields: readonly (SchemaObject | null)[], path: readonly string[], depth: number): void {
    for (const field of fields)
      if (typeof field?.name === 'string') this.visit(field.type, [...path, field.name], depth + 1)
  }

  #add(path: readonly string[]): void {
    if (path.length > 0 && this.paths.size < mostPaths) this.paths.add(path.join('.'))
  }
}

function wordOf(schema: unknown): unknown {
  return typeof schema === 'string' ? schema : (schema as SchemaObject | null)?.type
}
