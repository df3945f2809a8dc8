// What watching costs where the records are: a trivial model over batches of JSON records in process, alone and watched.
// Prints how fast each is beside the first; the turns are short and taken in rotation, so that all see the same machine.
//   node --conditions=pitot-source bench/sensors/parts.ts
import { fieldReader, Profile, readSensorDescriptor, type SensorProgram, SensorRun } from '@pitot/sensor'
import { Sensors, Taps } from '@pitot/service'

const fieldNames = Array.from({ length: 10 }, (_, index) => `field${index}`)
const batchSize = 256
const lines = Array.from({ length: batchSize }, () => {
  const values = fieldNames.map((name, index) => [
    name,
    index < 5 ? Math.random() * 100 : `c${Math.floor(Math.random() * 20)}`,
  ])
  return JSON.stringify(Object.fromEntries(values))
})

type Batch = () => void

/** Parses, scores and writes a batch; `look` sees the parsed records. */
function scoring(look: (records: readonly unknown[]) => void): Batch {
  const written: string[] = new Array(batchSize)
  return () => {
    const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    look(records)
    for (const [index, record] of records.entries()) {
      record.score = (record.field0 as number) ** 2
      written[index] = JSON.stringify(record)
    }
  }
}

function tapped(taps: Taps, slots: readonly number[]): () => void {
  const events = slots.flatMap((slot) =>
    ['records.count', 'records.size', 'records.rejected.by.schema', 'records.rejected.by.encoding'].map((name) =>
      taps.event<number>(`manifold.${slot}.${name}`),
    ),
  )
  return () => {
    for (const tap of events) tap.watch?.(batchSize)
  }
}

async function withDefaultSensors(): Promise<Batch> {
  const taps = new Taps()
  const push = tapped(taps, [0, 1])
  const sensors = new Sensors({ taps })
  for (const Tap of taps.names().filter((name) => name.startsWith('manifold')))
    await sensors.attach({ Tap, Aggregate: 'sum', Report: { Interval: 2 } })
  return scoring(push)
}

function watchingFields(): Batch {
  const profile = new Map(fieldNames.map((name) => [name, new Profile()]))
  for (const line of lines) for (const [name, value] of Object.entries(JSON.parse(line))) profile.get(name)!.add(value)
  const programOf = (Aggregate: object): SensorProgram => {
    const { filter, aggregate } = readSensorDescriptor({ Tap: 'field', Aggregate })
    return { filter, aggregate, maxReads: null }
  }
  const watched = fieldNames.flatMap((name) => {
    const aggregates = [{ Type: 'profile' }, { Type: 'drift', Reference: profile.get(name)!.toJSON() }]
    const now = () => ownTime(watchedFields)
    return aggregates.map((aggregate) => ({
      read: fieldReader(name),
      run: new SensorRun(programOf(aggregate), Math.random, now),
    }))
  })
  return scoring((records) => {
    for (const { read, run } of watched) run.addAll(records, read)
  })
}

const watchedFields = 'profile and drift on ten fields'
const times = new Map<string, number>()
let turnStart = 0

/** Time that one case has had: for itself it is alone on the machine. */
function ownTime(name: string): number {
  return (times.get(name) ?? 0) + performance.now() - turnStart
}

const cases: Readonly<Record<string, Batch>> = {
  'no taps': scoring(() => undefined),
  'taps that nobody watches': scoring(tapped(new Taps(), [0, 1])),
  'eight default sensors': await withDefaultSensors(),
  [watchedFields]: watchingFields(),
}

const turns = 200
const batches = 20
for (let turn = 0; turn < turns; turn++) {
  for (const [name, batch] of Object.entries(cases)) {
    turnStart = performance.now()
    for (let round = 0; round < batches; round++) batch()
    times.set(name, ownTime(name))
  }
}
const rate = (name: string) => (turns * batches * batchSize * 1000) / times.get(name)!
for (const name of Object.keys(cases)) {
  const records = Math.round(rate(name)).toLocaleString('en').padStart(9)
  process.stdout.write(`${name.padEnd(32)} ${records} records/s  ${(rate(name) / rate('no taps')).toFixed(2)}\n`)
}
process.exit()
