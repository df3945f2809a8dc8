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
const types: ReadonlyMap<string, string> = new Map([
  ['file', 'file'],
  ['kafka', 'kafka'],
  ['http', 'HTTP'],
  ['discard', 'discard'],
])

/** Where the fields of today stand in the old form. */
const places: Readonly<Record<string, string>> = {
  '/Description': '/description',
  '/Loop': '/loop',
  '/Schema': '/schema',
  '/Encoding': '',
  '/Transport': '/connect',
  '/Transport/Type': '/type',
  '/Transport/Path': '/connect/path',
  '/Transport/Url': '/connect/url',
  '/Transport/BootstrapServers': '/connect/bootstrap-servers',
  '/Transport/Topic': '/connect/topic',
}

export function isOldForm(given: Json): boolean {
  return typeof given.type === 'string' && !('Transport' in given) && !('transport' in given)
}

/** Undefined when something is wrong with it already. */
export function fromOldForm(given: Json, remarks: Remarks): Json | undefined {
  remarks.warning('', 'this is the form of release 1.1; it is read as today’s')
  for (const name of Object.keys(given)) if (!topFields.includes(name)) remarks.unknownField('', name, topFields)
  const { type, description, loop, schema, connect = {} } = given
  const known = [...types.keys()]
  const transport: Record<string, unknown> = { Type: types.get(type as string) }
  if (transport.Type === undefined) remarks.notAllowed('/type', type, `one of ${known.join(', ')}`, known)
  if (isObject(connect)) {
    for (const [name, value] of Object.entries(connect)) {
      if (Object.hasOwn(connectFields, name)) transport[connectFields[name]!] = value
      else if (!forgotten.includes(name)) remarks.unknownField('/connect', name, Object.keys(connectFields))
    }
  } else {
    remarks.problem('/connect', `connect must be an object, but is ${shown(connect)}`)
  }
  if (remarks.problems.length > 0) return undefined
  remarks.translate(places)
  return {
    Transport: transport,
    ...(description !== undefined && { Description: description }),
    ...(loop !== undefined && { Loop: loop }),
    // There was no encoding: data with a schema was JSON, other data was opaque.
    ...(schema !== undefined && { Schema: schema, Encoding: 'json' }),
  }
}
