// From file to file: the engine against a bare loop in the model's own language, in turns in the same run.
//   node --conditions=pitot-source bench/engine/files.ts [name …]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { works } from '../pfa/documents.ts'
import { type Contestant, inTurns, median, sleep } from '../turns.ts'
import { startEngine, startFileJob, text } from './engine.ts'

const times = { warm: 3000, turn: 2000, turns: 15 }
const data = mkdtempSync(join(tmpdir(), 'pitot-bench-'))
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A line of about 200 bytes. */
function record(id: number): string {
  return JSON.stringify({
    id,
    a: id * 0.5,
    b: (id % 97) / 7,
    c: id % 13,
    name: `record number ${id}`,
    note: 'x'.repeat(110),
  })
}

function inputFile(name: string, lines: readonly string[]): string {
  const path = join(data, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

const forest = works().find(({ name }) => name === 'c_forest')!
const repeated = Array.from({ length: 10 }, () => forest.lines).flat()
const forestInput = inputFile('forest.jsonl', repeated)
const plainInput = inputFile(
  'plain.jsonl',
  Array.from({ length: 100_000 }, (_, id) => record(id)),
)
const numbersInput = inputFile(
  'numbers.jsonl',
  Array.from({ length: 500_000 }, (_, id) => String(id * 0.25)),
)
const trivial = JSON.stringify({ input: 'double', output: 'double', action: [{ '+': ['input', 10] }] })
writeFileSync(join(data, 'forest.json'), forest.document)
writeFileSync(join(data, 'trivial.json'), trivial)

interface Comparison {
  readonly name: string
  readonly modelType: string
  readonly model: string
  readonly input: string
  readonly jets: number
  /** The command that does the same without an engine; undefined to compare with one jet. */
  readonly bare: readonly string[] | undefined
  readonly bar: number
  /** Records per second that are enough, whatever the ratio. */
  readonly enough?: number
}

const node = (document: string) => [
  process.execPath,
  '--conditions=pitot-source',
  here('bare.ts'),
  join(data, document),
]
const comparisons: readonly Comparison[] = [
  {
    name: 'forest',
    modelType: 'pfa+json',
    model: forest.document,
    input: forestInput,
    jets: 1,
    bare: node('forest.json'),
    bar: 0.85,
  },
  {
    name: 'two jets',
    modelType: 'pfa+json',
    model: forest.document,
    input: forestInput,
    jets: 2,
    bare: undefined,
    bar: 1.6,
  },
  {
    name: 'trivial',
    modelType: 'pfa+json',
    model: trivial,
    input: numbersInput,
    jets: 1,
    bare: node('trivial.json'),
    bar: 0.6,
    enough: 250_000,
  },
  {
    name: 'python',
    modelType: 'python3',
    model: text('model.py'),
    input: plainInput,
    jets: 1,
    bare: ['python3', here('bare.py'), here('model.py')],
    bar: 0.8,
  },
  {
    name: 'r',
    modelType: 'r',
    model: text('model.R'),
    input: plainInput,
    jets: 1,
    bare: ['Rscript', '--vanilla', here('bare.R'), here('model.R')],
    bar: 0.8,
  },
]

interface Started extends Contestant {
  stop(): Promise<void>
}

async function startBare(command: readonly string[], input: string): Promise<Started> {
  const child = spawn(command[0]!, [...command.slice(1), input, join(data, 'bare-out')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let records = 0
  child.stdout.on('data', (bytes: Buffer) => {
    records = Number(bytes.toString().trim().split('\n').at(-1))
  })
  await once(child, 'spawn')
  return {
    pid: child.pid!,
    lag: 0,
    records: async () => records,
    async stop() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

async function startJob(comparison: Comparison, jets: number): Promise<Started> {
  const folder = mkdtempSync(join(data, 'engine-'))
  const engine = await startEngine(folder)
  await startFileJob(engine, { ...comparison, jets, output: join(folder, 'out') })
  // Its jets are started before it is stopped.
  while ((await engine.outputRecords()) === 0) await sleep(50)
  return { pid: engine.pid, lag: 30, records: () => engine.outputRecords(), stop: () => engine.stop() }
}

async function compare(comparison: Comparison): Promise<void> {
  const { name, bare, input, bar, jets, enough = Number.POSITIVE_INFINITY } = comparison
  const started = [
    await startJob(comparison, jets),
    await (bare === undefined ? startJob(comparison, 1) : startBare(bare, input)),
  ]
  const [rates, others] = (await inTurns(started, times)) as [number[], number[]]
  for (const each of started) await each.stop()
  const ratios = rates.map((rate, turn) => rate / others[turn]!)
  const ratio = median(ratios)
  const shown = (rate: number) => `${Math.round(rate).toLocaleString('en')}/s`
  console.log(
    `${name}: engine with ${jets} ${shown(median(rates))}, ${bare === undefined ? 'one jet' : 'bare loop'} ${shown(median(others))}`,
  )
  console.log(`  ratios by turn: ${ratios.map((each) => each.toFixed(2)).join(' ')}`)
  console.log(`  ${ratio.toFixed(2)} (bar ${bar}) ${ratio >= bar || median(rates) >= enough ? 'met' : 'MISSED'}`)
}

const wanted = process.argv.slice(2)
try {
  for (const comparison of comparisons) {
    if (wanted.length === 0 || wanted.includes(comparison.name)) await compare(comparison)
  }
} finally {
  rmSync(data, { recursive: true, force: true })
}
