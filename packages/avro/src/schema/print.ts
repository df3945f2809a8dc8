// Writes a schema: a type goes in, its JSON value comes out, each named type in full once and by name after that.
import type { AvroType, Field, Logical, NamedType } from '../type.ts'

export function printSchema(type: AvroType): unknown {
  return print(type, '', new Set())
}

/** The order of keys is that of the Avro specification's examples. */
function print(type: AvroType, namespace: string, written: Set<string>): unknown {
  switch (type.kind) {
    case 'array':
      return { type: 'array', items: print(type.items, namespace, written) }
    case 'map':
      return { type: 'map', values: print(type.values, namespace, written) }
    case 'union':
      return type.branches.map((branch) => print(branch, namespace, written))
    case 'record':
    case 'enum':
    case 'fixed':
      if (written.has(type.name)) return type.name
      written.add(type.name)
      return printNamed(type, namespace, written)
    default:
      return type.logicalType === undefined ? type.kind : { type: type.kind, ...logicalOf(type) }
  }
}

function printNamed(type: NamedType, enclosing: string, written: Set<string>): unknown {
  const namespace = type.name.slice(0, Math.max(0, type.name.lastIndexOf('.')))
  const head = {
    type: type.kind,
    name: type.name,
    // Without dots and without this key the name would fall into the namespace around it.
    ...(namespace === '' && enclosing !== '' ? { namespace: '' } : {}),
    ...('doc' in type ? { doc: type.doc } : {}),
    ...(type.aliases === undefined ? {} : { aliases: type.aliases }),
  }
  switch (type.kind) {
    case 'record':
      return { ...head, fields: type.fields.map((field) => printField(field, namespace, written)) }
    case 'enum':
      return { ...head, symbols: type.symbols, ...(type.default === undefined ? {} : { default: type.default }) }
    case 'fixed':
      return { ...head, size: type.size, ...logicalOf(type) }
  }
}

function printField(field: Field, namespace: string, written: Set<string>): unknown {
  const { name, type, ...rest } = field
  return { name, type: print(type, namespace, written), ...rest }
}

function logicalOf({ logicalType, precision, scale }: Logical): Logical {
  return {
    ...(logicalType === undefined ? {} : { logicalType }),
    ...(precision === undefined ? {} : { precision }),
    ...(scale === undefined ? {} : { scale }),
  }
}
