// Profiles of the fields of a stream, for drift sensors to compare with: taken from a sample of it, kept in Model Manage, and
// found there by name.
import { compileInput, FieldWatches } from '@pitot/jet'
import { createAggregate, fieldPaths, recordPaths, type SensorProgram } from '@pitot/sensor'
import { type InputOptions, readFrames, StreamFailure } from '@pitot/stream'
import type { Registry } from '../registry.ts'
import { codecOf, type ReadSlot } from '../slots/input.ts'

/** As a profile sensor reports it, with its sketch. */
interface FieldProfile {
  readonly count: number
  readonly missing: number
  readonly distinct: number
  readonly sketch: object
}

type Profiles = Readonly<Record<string, FieldProfile>>

/** Every record of the sample is looked at. */
const program: SensorProgram = {
  filter: null,
  aggregate: { type: 'profile', sketch: true, maxRate: Number.POSITIVE_INFINITY },
  maxReads: null,
}
const slot = 0

/**
 * By path: of one field, or of all that have a number, a text, a truth value or a symbol. Records without a type have the
 * fields of the first of them. Rejects with a `StreamFailure` when there is nothing to look at.
 */
export async function profileStream(
  read: ReadSlot,
  options: InputOptions,
  count: number,
  field: string | undefined,
): Promise<Profiles> {
  const codec = codecOf(read)
  const input = compileInput(codec)
  const watches = new FieldWatches()
  let paths: readonly string[] | undefined
  let seen = 0
  await readFrames(read.descriptor, options, (frames) => {
    const records = input.decode(frames).records.slice(0, count - seen)
    if (records.length > 0 && paths === undefined) {
      paths = field !== undefined ? [field] : codec.schema === null ? recordPaths(records[0]) : fieldPaths(codec.schema)
      for (const [watch, path] of paths.entries()) watches.set({ watch, slot, path, program })
    }
    watches.of(slot)?.(records)
    seen += records.length
    return seen < count
  })
  if (paths === undefined) throw new StreamFailure('it gave no records to take a profile of')
  return profilesOf(paths, watches, field)
}

function profilesOf(paths: readonly string[], watches: FieldWatches, field: string | undefined): Profiles {
  const partials = watches.take([...paths.keys()])
  const profiles = paths.map((path, watch) => {
    const aggregate = createAggregate(program.aggregate)
    aggregate.merge(partials[watch])
    return [path, aggregate.takeResult() as FieldProfile] as const
  })
  const filled = profiles.filter(([, { count, missing }]) => count > missing)
  if (filled.length > 0) return Object.fromEntries(filled)
  throw new StreamFailure(
    field === undefined ? 'its records have no fields with values' : `none of its records has a value at '${field}'`,
  )
}

/** That of a field that was asked for is stored under the name, those of all fields under `name.path`. */
export async function storeProfiles(
  registry: Pick<Registry, 'storeSensor'>,
  name: string,
  profiles: Profiles,
  field: string | undefined,
): Promise<void> {
  for (const [path, profile] of Object.entries(profiles))
    await registry.storeSensor(field === undefined ? `${name}.${path}` : name, profile)
}

/** For a sensor of `manifold.<slot>.field.<path>`, what is stored as `name.path` comes before what is stored as `name`. */
export async function findProfile(registry: Pick<Registry, 'sensor'>, name: string, tap: string): Promise<unknown> {
  const path = /\.field\.(.+)$/.exec(tap)?.[1]
  const ofField = path === undefined ? undefined : await registry.sensor(`${name}.${path}`)
  return ofField ?? (await registry.sensor(name))
}
