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

const watchable = new Set(['boolean', 'int', 'long', 'float', 'double', 'string', 'enum'])
const deepest = 8
const mostPaths = 1000

/**
 * The paths of all fields of an Avro schema that have a number, a text, a truth value or a symbol, or may have one. A schema
 * that is no record has none: there is no name to call its value by.
 */
export function fieldPaths(schema: unknown): string[] {
  const paths: string[] = []
  const named = new Map<string, unknown>()
  const visit = (type: unknown, path: string, depth: number): void => {
    if (paths.length >= mostPaths || depth > deepest) return
    if (Array.isArray(type)) {
      const branches = type.filter((branch) => branch !== 'null')
      if (branches.length === 1) visit(branches[0], path, depth)
      else if (branches.length > 0 && branches.every((branch) => watchable.has(wordOf(branch)))) paths.push(path)
      return
    }
    if (typeof type === 'string') {
      if (named.has(type)) visit(named.get(type), path, depth)
      else if (watchable.has(type) && path !== '') paths.push(path)
      return
    }
    const { type: word, name, fields } = (type ?? {}) as { type?: unknown; name?: string; fields?: unknown }
    if (name !== undefined && (word === 'record' || word === 'enum' || word === 'error')) named.set(name, type)
    if (Array.isArray(fields)) {
      for (const field of fields as { name?: unknown; type?: unknown }[])
        if (typeof field?.name === 'string')
          visit(field.type, path === '' ? field.name : `${path}.${field.name}`, depth + 1)
    } else if (word === 'enum') {
      if (path !== '') paths.push(path)
    } else if (typeof word === 'string' ? word !== 'array' && word !== 'map' && word !== 'fixed' : word !== undefined)
      visit(word, path, depth)
  }
  visit(schema, '', 0)
  return [...new Set(paths)]
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

function wordOf(type: unknown): string {
  return typeof type === 'string' ? type : String((type as { type?: unknown } | null)?.type)
}
