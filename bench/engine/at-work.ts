// What an engine costs when it has nothing to do, and how soon it answers when it has more than enough.
//   node --conditions=pitot-source bench/engine/at-work.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleep } from '../turns.ts'
import { startEngine, startFileJob } from './engine.ts'

/** Enough that the slowest of a hundred is no single accident. */
const rounds = 500
const data = mkdtempSync(join(tmpdir(), 'pitot-bench-'))
const input = join(data, 'numbers.jsonl')
writeFileSync(input, Array.from({ length: 500_000 }, (_, id) => `${id * 0.25}\n`).join(''))
const model = JSON.stringify({ input: 'double', output: 'double', action: [{ '+': ['input', 10] }] })
const stream = JSON.stringify({ Transport: { Type: 'file', Path: input }, Envelope: 'delimited', Encoding: 'json' })

// The first start makes a certificate, which is kept.
await (await startEngine(data)).stop()
const engine = await startEngine(data)
try {
  await sleep(2000)
  const idle = engine.residentMemory() / 1e6
  console.log(`idle: ${idle.toFixed(0)} MB resident (bar 120) ${idle < 120 ? 'met' : 'MISSED'}`)
  await startFileJob(engine, { modelType: 'pfa+json', model, input, output: join(data, 'out'), jets: 2 })
  await sleep(2000)
  const questions = {
    status: () => engine.get('/1/job/status'),
    metrics: () => engine.get('/metrics'),
    'stream sample': () => engine.post('/1/stream/sample?n=10', stream),
  }
  for (const [name, ask] of Object.entries(questions)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const start = performance.now()
      await ask()
      times.push(performance.now() - start)
    }
    times.sort((a, b) => a - b)
    const p99 = times[Math.floor(rounds * 0.99)]!
    console.log(
      `${name} at full load: median ${times[Math.floor(rounds / 2)]!.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms (bar 100) ${p99 < 100 ? 'met' : 'MISSED'}`,
    )
  }
} finally {
  await engine.stop()
  rmSync(data, { recursive: true, force: true })
}
