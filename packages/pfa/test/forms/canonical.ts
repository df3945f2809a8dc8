// A document in a form in which two documents that mean the same are equal: types by name, numbers by value and kind.
import { type DocumentObject, type DocumentValue, isList, isObject, NumberLexeme } from '../../src/forms/document.ts'

const generated = /^(?:Record|Enum|Fixed)_\d+$/

/** Lists only: a key called `constructor` or `__proto__` confuses comparisons of objects. */
export function canonical(root: DocumentValue): unknown {
  const definitions = new Map<string, DocumentObject>()
  const names = new Map<string, string>()
  const contents = new Map<string, unknown>()

  const collect = (value: DocumentValue): void => {
    if (isList(value)) value.forEach(collect)
    else if (isObject(value)) {
      if (definesType(value)) definitions.set(fullName(value), value)
      Object.values(value).forEach(collect)
    }
  }
  const nameOf = (full: string): string => {
    const definition = definitions.get(full)
    if (definition === undefined || names.has(full)) return names.get(full) ?? full
    names.set(full, full)
    const { name: _name, namespace: _namespace, ...rest } = definition
    const content = walk(rest)
    // A generated name is arbitrary: the type is known by what it holds.
    if (generated.test(full)) names.set(full, `generated ${JSON.stringify(content)}`)
    contents.set(names.get(full)!, content)
    return names.get(full)!
  }
  const walk = (value: DocumentValue): unknown => {
    if (isList(value)) return ['list', ...value.map(walk)]
    if (value instanceof NumberLexeme) return [/^-?\d+$/.test(value.text) ? 'whole' : 'fraction', Number(value.text)]
    if (typeof value === 'string') return nameOf(value)
    if (!isObject(value)) return value
    if (definesType(value)) return nameOf(fullName(value))
    const keys = Object.keys(value).filter((key) => key !== '@')
    return ['object', ...keys.sort().map((key) => [key, walk(value[key]!)])]
  }
  collect(root)
  return [walk(root), [...contents].sort(([left], [right]) => (left < right ? -1 : 1))]
}

function definesType(value: DocumentObject): boolean {
  return ['record', 'enum', 'fixed'].includes(value.type as string) && typeof value.name === 'string'
}

function fullName(type: DocumentObject): string {
  return typeof type.namespace === 'string' ? `${type.namespace}.${type.name}` : String(type.name)
}
