// What watching costs a running engine: throughput from file to file, with and without sensors, in turns in the same job.
//   node --conditions=pitot-source bench/sensors/run.ts [word of a name …]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultSensors } from '../../packages/engine/src/taps/default-sensors.ts'
import { type BenchEngine, startEngine, startFileJob } from '../engine/engine.ts'
import { sleep } from '../turns.ts'

/**
 * Many turns in one and the same job: two processes that run the same code differ by more than sensors cost, and so does one
 * from second to second.
 */
const rounds = 20
const times = { warm: 4000, settle: 100 }
/** A turn is longer than the sensors' interval: reports are part of what they cost. */
const seconds = 3
const interval = 2
const data = mkdtempSync(join(tmpdir(), 'pitot-bench-'))

function inputFile(name: string, line: (id: number) => unknown, count: number): string {
  const path = join(data, name)
  writeFileSync(path, `${Array.from({ length: count }, (_, id) => JSON.stringify(line(id))).join('\n')}\n`)
  return path
}

const numberFields = ['a', 'b', 'c', 'd', 'e', 'f']
const categoryFields = ['g', 'h', 'i', 'j']

function record(id: number): Record<string, number | string> {
  const numbers = numberFields.map((name, index) => [name, ((id * (index + 7)) % 10_007) / 8])
  const categories = categoryFields.map((name, index) => [name, `kind ${(id * id) % (5 + 20 * index)}`])
  return Object.fromEntries([...numbers, ...categories])
}

const recordType = {
  type: 'record',
  name: 'Ten',
  fields: Object.entries(record(1)).map(([name, value]) => ({
    name,
    type: typeof value === 'number' ? 'double' : 'string',
  })),
}

interface Comparison {
  readonly name: string
  readonly model: object
  readonly input: string
  readonly sensors: (engine: BenchEngine) => Promise<readonly object[]>
  /** Undefined where nothing is compared but the machine with itself. */
  readonly bar: number | undefined
}

const trivial = {
  model: { input: 'double', output: 'double', action: [{ '+': ['input', 10] }] },
  input: inputFile('numbers.jsonl', (id) => id * 0.25, 500_000),
}
const comparisons: readonly Comparison[] = [
  // How far a ratio may be off on this machine today.
  { ...trivial, name: 'no sensors in these turns either', sensors: async () => [], bar: undefined },
  { ...trivial, name: 'eight default sensors', sensors: async () => defaultSensors, bar: 0.97 },
  {
    name: 'profile and drift on ten fields',
    model: { input: recordType, output: 'double', action: [{ '+': ['input.a', 10] }] },
    input: inputFile('records.jsonl', record, 100_000),
    sensors: fieldSensors,
    bar: 0.9,
  },
]

async function fieldSensors(engine: BenchEngine): Promise<readonly object[]> {
  const stream = { Transport: { Type: 'file', Path: join(data, 'records.jsonl') }, Envelope: 'delimited' }
  const profiles = JSON.parse(
    await engine.post('/1/stream/profile', JSON.stringify({ ...stream, Encoding: 'json', Schema: recordType })),
  ) as Record<string, object>
  return Object.entries(profiles).flatMap(([path, Reference]) =>
    [{ Type: 'profile' }, { Type: 'drift', Reference }].map((Aggregate) => ({
      Tap: `manifold.0.field.${path}`,
      Report: { Interval: interval },
      Aggregate,
    })),
  )
}

async function attach(engine: BenchEngine, descriptors: readonly object[]): Promise<void> {
  for (const descriptor of descriptors) await engine.post('/1/control/sensor', JSON.stringify(descriptor))
}

async function detachAll(engine: BenchEngine): Promise<void> {
  const attached = JSON.parse(await engine.get('/1/control/sensor')) as { id: number }[]
  for (const { id } of attached) await engine.delete(`/1/control/sensor/${id}`)
}

/** What the job that runs does in one turn. */
interface Turn {
  /** Records per second. */
  readonly rate: number
  /** Seconds of processor time per record. */
  readonly engine: number
  readonly jet: number
}

async function takeTurn(engine: BenchEngine): Promise<Turn> {
  await sleep(times.settle)
  const sample = JSON.parse(await engine.post(`/1/job/sample/cpu?duration=${seconds}`)) as CpuSample
  const [jet] = sample.jets
  return {
    rate: sample.output_records / sample.duration,
    engine: (sample.user_time + sample.kernel_time) / sample.output_records,
    jet: (jet!.user_time + jet!.kernel_time) / jet!.output_records,
  }
}

interface CpuTimes {
  readonly output_records: number
  readonly user_time: number
  readonly kernel_time: number
}
type CpuSample = CpuTimes & { readonly duration: number; readonly jets: readonly CpuTimes[] }

/** Of all turns but the slowest and the fastest tenth. */
function mean(values: readonly number[]): number {
  const tenth = Math.floor(values.length / 10)
  const usual = values.toSorted((a, b) => a - b).slice(tenth, values.length - tenth)
  return usual.reduce((sum, value) => sum + value, 0) / usual.length
}

async function compare(engine: BenchEngine, { name, model, input, sensors, bar }: Comparison): Promise<void> {
  const descriptors = await sensors(engine)
  await detachAll(engine)
  const job = { modelType: 'pfa+json', model: JSON.stringify(model), input, output: join(data, 'out'), jets: 1 }
  await startFileJob(engine, job)
  await sleep(times.warm)
  const alone = [await takeTurn(engine)]
  const watched: Turn[] = []
  for (let round = 0; round < rounds; round++) {
    await attach(engine, descriptors)
    watched.push(await takeTurn(engine))
    await detachAll(engine)
    alone.push(await takeTurn(engine))
  }
  await engine.reset()
  const ratioOf = (what: keyof Turn) => mean(watched.map((turn) => turn[what])) / mean(alone.map((turn) => turn[what]))
  const rateOf = (turns: readonly Turn[]) => Math.round(mean(turns.map(({ rate }) => rate))).toLocaleString('en')
  const [ratio, jet, host] = [ratioOf('rate'), ratioOf('jet'), ratioOf('engine')]
  console.log(`no sensors: 1.00 (${rateOf(alone)}/s)`)
  const verdict = bar === undefined ? '' : `, bar ${bar.toFixed(2)} ${ratio >= bar ? 'met' : 'MISSED'}`
  console.log(`${name}: ${ratio.toFixed(2)} (${rateOf(watched)}/s)${verdict}`)
  // On a machine that does other things besides, this tells more.
  console.log(`processor time per record: ${jet.toFixed(2)} in the jet, ${host.toFixed(2)} in the engine`)
}

const wanted = process.argv.slice(2)
const engine = await startEngine(data)
try {
  for (const comparison of comparisons) {
    if (wanted.length === 0 || wanted.some((word) => comparison.name.includes(word))) await compare(engine, comparison)
  }
} finally {
  await engine.stop()
  rmSync(data, { recursive: true, force: true })
}
