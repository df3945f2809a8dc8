// The descriptor of release 1.1: lower-case fields and a `connect` section. It comes in, today's form goes out.
import { type Remarks, shown } from './problems.ts'
import { isObject, type Json } from './section.ts'

const topFields = ['type', 'name', 'description', 'loop', 'schema', 'connect']
const connectFields: Readonly<Record<string, string>> = {
  path: 'Path',
  url: 'Url',
  'bootstrap-servers': 'BootstrapServers',
  topic: 'Topic',
}
/** Has no meaning any more: positions are committed when the output is durable. */
const forgotten = ['commit']
const types = ['file', 'kafka', 'http', 'discard']

export function isOldForm(given: Json): boolean {
  return typeof given.type === 'string' && !('Transport' in given) && !('transport' in given)
}

export function fromOldForm(given: Json, remarks: Remarks): Json {
  remarks.warning('', 'this is the form of release 1.1; it is read as today’s')
  for (const name of Object.keys(given)) if (!topFields.includes(name)) remarks.unknownField('', name, topFields)
  const { type, description, loop, schema, connect = {} } = given
  if (!types.includes(type as string)) remarks.notAllowed('/type', type, `one of ${types.join(', ')}`, types)
  const transport: Record<string, unknown> = { Type: type }
  if (isObject(connect)) {
    for (const [name, value] of Object.entries(connect)) {
      if (Object.hasOwn(connectFields, name)) transport[connectFields[name]!] = value
      else if (!forgotten.includes(name)) remarks.unknownField('/connect', name, Object.keys(connectFields))
    }
  } else {
    remarks.problem('/connect', `connect must be an object, but is ${shown(connect)}`)
  }
  return {
    Transport: transport,
    ...(description !== undefined && { Description: description }),
    ...(loop !== undefined && { Loop: loop }),
    // There was no encoding: data with a schema was JSON, other data was opaque.
    ...(schema !== undefined && { Schema: schema, Encoding: 'json' }),
  }
}
