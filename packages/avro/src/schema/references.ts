// Brings in stored schemas: a schema with references and a way to look them up go in, the schema without references comes out.
import { AvroError, describeValue, pointTo } from '../error.ts'
import { primitiveKinds } from '../type.ts'

/** Gives the stored schema (its JSON value) under a name, or undefined when there is none. */
export type Lookup = (name: string) => Promise<unknown>

/** The names that are types by themselves, and never those of schemas. */
export const primitiveNames: ReadonlySet<string> = new Set(primitiveKinds)
/** `urn:<vendor>:schema:NAME`, whoever the vendor is. */
const URN = /^urn:[^:]+:schema:(.+)$/s

/**
 * A reference is `{"$ref": NAME}`, `{"$ref": "urn:<vendor>:schema:NAME"}` or the URN as a string, wherever a schema may
 * stand, in stored schemas too. A string that is a whole schema and no primitive's name is the name of a stored schema.
 *
 * A stored schema is read once, and all places that refer to it share one object: `parseSchema` takes them as one type.
 * What goes out may therefore be large when printed as it is; print the parsed type instead.
 */
export async function resolveReferences(schema: unknown, lookup: Lookup, pointer = ''): Promise<unknown> {
  return new Resolver(lookup).whole(schema, pointer, [], 0)
}

const MAXIMUM_DEPTH = 100

class Resolver {
  readonly #lookup: Lookup
  readonly #resolved = new Map<string, unknown>()
  /** What `#alone` has given for each object, so that shared objects stay shared. */
  readonly #standing = new Map<object, unknown>()

  constructor(lookup: Lookup) {
    this.#lookup = lookup
  }

  /** `path`: the stored schemas we are inside of, outermost first. */
  async whole(schema: unknown, pointer: string, path: readonly string[], depth: number): Promise<unknown> {
    if (typeof schema === 'string' && !primitiveNames.has(schema)) return this.#stored(schema, pointer, path, depth)
    return this.#inside(schema, pointer, path, depth)
  }

  async #stored(reference: string, pointer: string, path: readonly string[], depth: number): Promise<unknown> {
    const name = URN.exec(reference)?.[1] ?? reference
    if (path.includes(name)) {
      const circle = [...path.slice(path.indexOf(name)), name].map((word) => JSON.stringify(word)).join(' -> ')
      throw new AvroError({
        pointer,
        found: `a circle of references: ${circle}`,
        expected: 'references that come to an end',
      })
    }
    if (this.#resolved.has(name)) return this.#resolved.get(name)
    const schema = await this.#lookup(name)
    if (schema === undefined) {
      const found = `schema ${JSON.stringify(name)} not found`
      throw new AvroError({ pointer, found, expected: 'the name of a stored schema' })
    }
    const resolved = this.#alone(await this.whole(schema, pointer, [...path, name], depth + 1))
    this.#resolved.set(name, resolved)
    return resolved
  }

  async #inside(schema: unknown, pointer: string, path: readonly string[], depth: number): Promise<unknown> {
    if (depth > MAXIMUM_DEPTH) {
      throw new AvroError({
        pointer,
        found: 'one more',
        expected: `at most ${MAXIMUM_DEPTH} schemas inside each other`,
      })
    }
    if (typeof schema === 'string') return URN.test(schema) ? this.#stored(schema, pointer, path, depth) : schema
    if (typeof schema !== 'object' || schema === null) return schema
    const next = (member: unknown, key: string | number) => this.#inside(member, pointTo(pointer, key), path, depth + 1)
    if (Array.isArray(schema)) {
      const branches: unknown[] = []
      for (const [index, branch] of schema.entries()) branches.push(await next(branch, index))
      return branches
    }
    if (Object.hasOwn(schema, '$ref')) return this.#reference(schema as { $ref: unknown }, pointer, path, depth)
    const copy: Record<string, unknown> = { ...schema }
    for (const key of ['type', 'items', 'values']) {
      if (Object.hasOwn(schema, key)) copy[key] = await next(copy[key], key)
    }
    if (Array.isArray(copy.fields))
      copy.fields = await this.#fields(copy.fields, pointTo(pointer, 'fields'), path, depth)
    return copy
  }

  async #fields(list: readonly unknown[], pointer: string, path: readonly string[], depth: number): Promise<unknown[]> {
    const fields: unknown[] = []
    for (const [index, field] of list.entries()) {
      if (typeof field !== 'object' || field === null || !Object.hasOwn(field, 'type')) fields.push(field)
      else {
        const at = pointTo(pointTo(pointer, index), 'type')
        fields.push({ ...field, type: await this.#inside(Reflect.get(field, 'type'), at, path, depth + 1) })
      }
    }
    return fields
  }

  #reference(schema: { $ref: unknown }, pointer: string, path: readonly string[], depth: number): Promise<unknown> {
    const others = Object.keys(schema).filter((key) => key !== '$ref')
    if (typeof schema.$ref !== 'string' || schema.$ref === '') {
      const expected = 'the name of a stored schema'
      throw new AvroError({ pointer: pointTo(pointer, '$ref'), found: describeValue(schema.$ref), expected })
    }
    if (others.length > 0) {
      const found = `${JSON.stringify(others[0])} beside it`
      throw new AvroError({ pointer, found, expected: 'the key "$ref" alone' })
    }
    return this.#stored(schema.$ref, pointer, path, depth)
  }

  /** A stored schema means the same wherever it is used: the namespace around the reference does not reach into it. */
  #alone(schema: unknown): unknown {
    if (typeof schema !== 'object' || schema === null) return schema
    const known = this.#standing.get(schema)
    if (known !== undefined) return known
    const standing = this.#makeAlone(schema)
    this.#standing.set(schema, standing).set(standing, standing)
    return standing
  }

  #makeAlone(schema: object): object {
    if (Array.isArray(schema)) return schema.map((branch) => this.#alone(branch))
    if (Object.hasOwn(schema, 'name')) return Object.hasOwn(schema, 'namespace') ? schema : { ...schema, namespace: '' }
    const copy: Record<string, unknown> = { ...schema }
    for (const key of ['type', 'items', 'values']) if (Object.hasOwn(schema, key)) copy[key] = this.#alone(copy[key])
    return copy
  }
}
