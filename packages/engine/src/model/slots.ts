// The slots of a model with their schemas: what its annotations say and a way to look schemas up come in, whole schemas go out.
import { failure, PitotError } from '@pitot/api'
import { AvroError, type Lookup, parseSchema, primitiveNames, printSchema, resolveReferences } from '@pitot/avro'
import type { ModelSlot } from '@pitot/jet'
import type { Registry } from '../registry.ts'
import type { AnnotatedSlot, Annotations } from './annotations.ts'

/** Looks among the schemas that came with a model first, then in Model Manage, then among the primitive types. */
export function schemaLookup(sent: ReadonlyMap<string, unknown>, registry: Pick<Registry, 'schema'>): Lookup {
  return async (name) => {
    if (sent.has(name)) return sent.get(name)
    if (!primitiveNames.has(name)) return registry.schema(name)
    // A model that names a primitive type needs no Model Manage: many models do, and run where there is none.
    return (await registry.schema(name).catch(() => undefined)) ?? name
  }
}

/** Rejects with `model-schema-not-found`, `bad-model-schema`, or the reason why a schema cannot be looked up. */
export function resolveModelSlots(annotations: Annotations, lookup: Lookup): Promise<ModelSlot[]> {
  return Promise.all(annotations.slots.map((slot) => resolveSlot(slot, lookup)))
}

async function resolveSlot(annotated: AnnotatedSlot, lookup: Lookup): Promise<ModelSlot> {
  const { slot, recordsets, action, schema, schemaLine } = annotated
  if (schema === undefined || action === null) return { slot, recordsets, action }
  const where = schemaLine === undefined ? 'the model' : `line ${schemaLine} of the model`
  return { slot, schema: await wholeSchema(schema, where, lookup), recordsets, action }
}

async function wholeSchema(schema: unknown, where: string, lookup: Lookup): Promise<unknown> {
  const found: Lookup = async (name) => {
    const stored = await lookup(name)
    if (stored === undefined) throw failure('model-schema-not-found', { name, where })
    return stored
  }
  try {
    // A primitive's name may be that of a stored schema too: it is asked for like any other.
    const start = typeof schema === 'string' && primitiveNames.has(schema) ? await found(schema) : schema
    return printSchema(parseSchema(await resolveReferences(start, found)))
  } catch (error) {
    if (error instanceof PitotError || !(error instanceof AvroError)) throw error
    const named = typeof schema === 'string' ? `, schema '${schema}'` : ''
    throw failure('bad-model-schema', { where: `${where}${named}`, reason: error.message })
  }
}
