// What a document means, for comparing two of them: its syntax tree without places, types by what they hold.
import { type DocumentObject, type DocumentValue, isList, isObject, NumberLexeme } from '../../src/forms/document.ts'
import { parseDocument } from '../../src/parse/document.ts'
import { canonical } from '../forms/canonical.ts'

const primitives = new Set<unknown>(['int', 'long', 'float', 'double', 'string', 'boolean', 'null'])

/** Throws when the document has no syntax tree. */
export function meaning(root: DocumentValue): unknown {
  const tree = parseDocument({ root, place: () => undefined })
  const definitions = new Map<string, DocumentObject>()
  collect(tree, definitions)
  const pools = tree.pools.map((pool) => ({ init: { at: '', json: {} }, ...pool }))
  const name = isObject(root) && root.name !== undefined ? tree.name : ''
  return strip({ ...tree, name, pools }, definitions)
}

function strip(value: unknown, definitions: ReadonlyMap<string, DocumentObject>): unknown {
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, strip(item, definitions)]))
  if (value instanceof NumberLexeme) return canonical(value)
  if (value instanceof Uint8Array) return ['bytes', ...value]
  if (Array.isArray(value)) return value.map((item) => strip(item, definitions))
  if (typeof value !== 'object' || value === null) return value
  const node = value as Record<string, unknown>
  if ('schema' in node) return schema(node.schema as DocumentValue, definitions, '', new Set())
  if ('json' in node) return canonical(node.json as DocumentValue)
  if (node.form === 'value') {
    const literal = primitiveLiteral(node, definitions)
    if (literal !== undefined) return literal
  }
  const pairs = Object.entries(node).filter(([key]) => key !== 'at')
  return Object.fromEntries(pairs.map(([key, item]) => [`:${key}`, strip(item, definitions)]))
}

/** {"type": "int", "value": 3} is 3. */
function primitiveLiteral(node: Record<string, unknown>, definitions: ReadonlyMap<string, DocumentObject>): unknown {
  const type = schema((node.type as { schema: DocumentValue }).schema, definitions, '', new Set())
  const json = (node.value as { json: DocumentValue }).json
  if (!primitives.has(type)) return undefined
  const value = json instanceof NumberLexeme ? Number(json.text) : json
  return { ':form': 'literal', ':type': type, ':value': value }
}

/** The schema with every named type written out once per path, whichever use declares it in the document. */
function schema(
  type: DocumentValue,
  definitions: ReadonlyMap<string, DocumentObject>,
  space: string,
  open: Set<string>,
): unknown {
  if (typeof type === 'string') {
    const name = definitions.has(`${space}.${type}`) ? `${space}.${type}` : type
    const definition = definitions.get(name)
    return definition === undefined ? type : schema(definition, definitions, space, open)
  }
  if (isList(type)) return ['union', ...type.map((branch) => schema(branch, definitions, space, open))]
  if (!isObject(type)) return type
  const { '@': _locator, ...rest } = type
  if (Object.keys(rest).length === 1 && rest.type !== undefined) return schema(rest.type, definitions, space, open)
  const name = fullName(type, space)
  if (name !== undefined && open.has(name)) return `again ${name}`
  const inner = name === undefined ? space : name.split('.').slice(0, -1).join('.')
  if (name !== undefined) open.add(name)
  const { name: _name, namespace: _namespace, ...attributes } = rest
  const parts = Object.entries(attributes).map(([key, value]) => {
    if (key === 'items' || key === 'values') return [key, schema(value, definitions, inner, open)]
    if (key !== 'fields') return [key, canonical(value)]
    return [
      key,
      (value as DocumentObject[]).map((field) => ({
        ...fieldAttributes(field),
        type: schema(field.type!, definitions, inner, open),
      })),
    ]
  })
  if (name !== undefined) open.delete(name)
  return { name, parts: parts.sort(([left], [right]) => (String(left) < String(right) ? -1 : 1)) }
}

function fieldAttributes(field: DocumentObject): object {
  return { ...(canonical({ ...field, type: null, '@': null }) as object) }
}

function fullName(type: DocumentObject, space: string): string | undefined {
  if (!['record', 'enum', 'fixed'].includes(type.type as string)) return undefined
  const name = String(type.name)
  if (name.includes('.')) return name
  const namespace = (type.namespace as string | undefined) ?? space
  return namespace === '' ? name : `${namespace}.${name}`
}

function collect(value: unknown, definitions: Map<string, DocumentObject>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, definitions)
  else if (typeof value === 'object' && value !== null && !(value instanceof Map)) {
    const node = value as Record<string, unknown>
    if ('schema' in node) collectTypes(node.schema as DocumentValue, '', definitions)
    else for (const item of Object.values(node)) collect(item, definitions)
  }
}

function collectTypes(type: DocumentValue, space: string, definitions: Map<string, DocumentObject>): void {
  if (isList(type)) for (const branch of type) collectTypes(branch, space, definitions)
  if (!isObject(type)) return
  const name = fullName(type, space)
  if (name !== undefined && !definitions.has(name))
    definitions.set(name, { ...type, ...(space && !type.namespace ? { namespace: space } : {}) })
  const inner = name === undefined ? space : name.split('.').slice(0, -1).join('.')
  for (const part of [type.items, type.values, isObject(type.type ?? null) ? type.type : undefined]) {
    if (part !== undefined) collectTypes(part, inner, definitions)
  }
  if (isList(type.fields ?? null))
    for (const field of type.fields as DocumentObject[]) collectTypes(field.type!, inner, definitions)
}
