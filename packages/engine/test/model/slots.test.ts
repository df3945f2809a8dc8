// The schemas that a model names, from wherever they are.
import { failure } from '@pitot/api'
import { describe, expect, test } from 'vitest'
import { readAnnotations } from '../../src/model/annotations.ts'
import { resolveModelSlots, schemaLookup } from '../../src/model/slots.ts'

const stored: Readonly<Record<string, unknown>> = {
  car: { type: 'record', name: 'Car', fields: [{ name: 'speed', type: { $ref: 'speed' } }] },
  speed: 'double',
  pair: { type: 'array', items: 'urn:fastscore:schema:car' },
  loop: { type: 'array', items: { $ref: 'loop' } },
  bad: { type: 'arry', items: 'int' },
  dangling: { $ref: 'nowhere' },
  long: { type: 'array', items: 'long' },
}
const registry = { schema: async (name: string) => stored[name] }
const unreachable = {
  schema: async (name: string) => {
    throw failure('registry-unavailable', { what: `schema '${name}'`, reason: 'no Connect' })
  },
}

function resolve(input: string, sent: Record<string, unknown> = {}, from: Pick<typeof registry, 'schema'> = registry) {
  const annotations = readAnnotations('python3', `x = 1\n# pitot.input: ${input}\n`)
  return resolveModelSlots(annotations, schemaLookup(new Map(Object.entries(sent)), from))
}

const car = { type: 'record', name: 'Car', fields: [{ name: 'speed', type: 'double' }] }

describe('schemas', () => {
  test.each<[string, string, Record<string, unknown>, unknown]>([
    ['a stored one with references', 'car', {}, car],
    ['references in another spelling', 'pair', {}, { type: 'array', items: car }],
    ['one that came with the model', 'mine', { mine: ['null', 'int'] }, ['null', 'int']],
    ['what came with the model is first', 'car', { car: 'int' }, 'int'],
    ['also inside of stored ones', 'car', { speed: 'int' }, { ...car, fields: [{ name: 'speed', type: 'int' }] }],
    ['a primitive', 'double', {}, 'double'],
    ['a stored one with the name of a primitive', 'long', {}, { type: 'array', items: 'long' }],
    ['by urn', 'urn:pitot:schema:speed', {}, 'double'],
    ['written out', '{"type": "map", "values": {"$ref": "speed"}}', {}, { type: 'map', values: 'double' }],
  ])('%s', async (_title, name, sent, expected) => {
    const slots = await resolve(name, sent)
    expect(slots[0]).toEqual({ slot: 0, schema: expected, recordsets: false, action: 'action' })
    expect(slots[1]).toEqual({ slot: 1, recordsets: false, action: 'action' })
  })

  test('primitives need no Model Manage', async () => {
    expect((await resolve('int', {}, unreachable))[0]?.schema).toBe('int')
  })

  test('a slot that is not used has no schema', async () => {
    const annotations = readAnnotations('python3', '# pitot.input: nowhere\n# pitot.slot.0: unused')
    expect(await resolveModelSlots(annotations, schemaLookup(new Map(), registry))).toMatchObject([
      { slot: 0, action: null },
      { slot: 1 },
    ])
  })
})

test.each([
  ['missing', 'model-schema-not-found', /^schema 'missing' not found; line 2 of the model names it/],
  ['dangling', 'model-schema-not-found', /^schema 'nowhere' not found; line 2/],
  ['loop', 'bad-model-schema', /^line 2 of the model, schema 'loop': .*circle/],
  ['bad', 'bad-model-schema', /^line 2 of the model, schema 'bad': .*did you mean "array"/],
  ['{"type": "record"}', 'bad-model-schema', /^line 2 of the model: /],
])('%s is refused as %s', async (name, code, sentence) => {
  await expect(resolve(name)).rejects.toMatchObject({ code, status: 400, message: expect.stringMatching(sentence) })
})

test('when Model Manage cannot be asked, that is said', async () => {
  await expect(resolve('car', {}, unreachable)).rejects.toMatchObject({ code: 'registry-unavailable', status: 400 })
})
