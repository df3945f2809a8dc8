// The five documents of the benchmark, in process on one core: records per second with decoded inputs and through
// actionJson, beside the reference implementation Titus where it can be installed.
//   node --conditions=pitot-source bench/pfa/run.ts [--no-titus]
import { compile, type Program } from '@pitot/pfa'
import { type Work, works } from './documents.ts'
import { titusRates } from './titus.ts'

/** How many times as fast as Titus each must be, with decoded inputs. */
const bars: Readonly<Record<string, number>> = { a_arith: 50, b_linreg: 50, c_forest: 300, d_kmeans: 100, e_moving: 30 }

/** Every result is kept for a moment, so that none can be optimised away as unused. */
const kept: unknown[] = new Array(64).fill(undefined)

/** Runs whole passes over the inputs for about a second, after a warm-up, and takes the best of three. */
function recordsPerSecond(inputs: readonly unknown[], score: (input: never) => unknown): number {
  const pass = () => {
    for (let i = 0; i < inputs.length; i++) kept[i & 63] = score(inputs[i] as never)
  }
  const warmUntil = performance.now() + 300
  while (performance.now() < warmUntil) pass()
  let best = 0
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    let records = 0
    do {
      pass()
      records += inputs.length
    } while (performance.now() - start < 400)
    best = Math.max(best, (records / (performance.now() - start)) * 1000)
  }
  return best
}

function measure(work: Work): { compileMs: number; decoded: number; text: number } {
  const start = performance.now()
  const program: Program = compile(work.document)
  const compileMs = performance.now() - start
  const inputs = work.lines.map((line) => JSON.parse(line))
  const instance = program.start()
  const other = program.start()
  return {
    compileMs,
    decoded: recordsPerSecond(inputs, instance.action),
    text: recordsPerSecond(work.lines, (line: string) => other.actionJson(line)),
  }
}

const count = (value: number): string => Math.round(value).toLocaleString('en').padStart(12)
const titus = process.argv.includes('--no-titus') ? { reason: 'not asked for' } : await titusRates()
if ('reason' in titus) process.stdout.write(`Titus skipped: ${titus.reason}; ratios are against recorded rates\n`)
const rates = 'reason' in titus ? recorded() : titus

function recorded(): Readonly<Record<string, number>> {
  return { a_arith: 267450, b_linreg: 37913, c_forest: 268, d_kmeans: 6487, e_moving: 75944 }
}

process.stdout.write('document      compile ms   decoded/s      json/s     Titus/s    ratio  bar\n')
for (const work of works()) {
  const { compileMs, decoded, text } = measure(work)
  const reference = rates[work.name] ?? Number.NaN
  const ratio = decoded / reference
  const bar = bars[work.name] ?? 0
  process.stdout.write(
    `${work.name.padEnd(12)} ${compileMs.toFixed(1).padStart(10)} ${count(decoded)} ${count(text)} ${count(reference)} ${ratio.toFixed(0).padStart(6)}x ${bar} ${ratio >= bar ? 'met' : 'MISSED'}\n`,
  )
}
