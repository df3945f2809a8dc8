// The inside of a jet and a jet as a process, without an engine around them, against a bare loop: records per second.
//   node --conditions=pitot-source bench/engine/jet.ts [trivial|forest]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Frames } from '@pitot/codec'
import { compileInput, compileOutput, type Jet, SharedStateTable, startJet } from '@pitot/jet'
import { compile } from '@pitot/pfa'
import { nodeRunner } from '../../packages/engine/src/jets/runners/node.ts'
import { works } from '../pfa/documents.ts'

const BATCH = 2000
const stream = (schema: unknown) => ({ encoding: 'json', options: {}, schema, room: 1 })
const forest = works().find(({ name }) => name === 'c_forest')!
const cases: Record<string, { document: string; lines: readonly string[] }> = {
  trivial: {
    document: JSON.stringify({ input: 'double', output: 'double', action: [{ '+': ['input', 10] }] }),
    lines: Array.from({ length: 100_000 }, (_, id) => String(id * 0.25)),
  },
  forest: { document: forest.document, lines: forest.lines },
}

function batchesOf(lines: readonly string[]): Frames[] {
  const batches: Frames[] = []
  for (let from = 0; from < lines.length; from += BATCH) {
    const bounds: number[] = []
    let at = 0
    for (const line of lines.slice(from, from + BATCH)) {
      bounds.push(at, at + line.length)
      at += line.length + 1
    }
    batches.push({ bytes: Buffer.from(`${lines.slice(from, from + BATCH).join('\n')}\n`), bounds, position: 0 })
  }
  return batches
}

async function rate(work: () => number | Promise<number>): Promise<number> {
  const warm = performance.now()
  while (performance.now() - warm < 1500) await work()
  let best = 0
  for (let round = 0; round < 4; round++) {
    const start = performance.now()
    let records = 0
    while (performance.now() - start < 700) records += await work()
    best = Math.max(best, records / ((performance.now() - start) / 1000))
  }
  return Math.round(best)
}

async function process(document: string): Promise<{ jet: Jet; close: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'pitot-bench-'))
  writeFileSync(join(folder, 'model.pfa.json'), document)
  const jet = await startJet({
    ...{ runner: nodeRunner({ network: false }), sandbox: '1', folder, memory: 2 ** 30, timeout: 30, network: false },
    ...{ isolation: 'none' as const, state: new SharedStateTable(), console: () => {}, log: () => {} },
  })
  const load = { language: 'pfa-json', name: 'model', file: 'model.pfa.json', sandbox: '1', timeout: 30 }
  await jet.load({ ...load, slots: [], attached: [] })
  for (const slot of [0, 1]) await jet.attach({ slot, stream: stream(null) })
  await jet.begin()
  const close = async () => {
    await jet.kill()
    rmSync(folder, { recursive: true })
  }
  return { jet, close }
}

for (const [name, { document, lines }] of Object.entries(cases)) {
  if (globalThis.process.argv.length > 2 && !globalThis.process.argv.includes(name)) continue
  const batches = batchesOf(lines)
  const texts = batches.map((batch) => batch.bytes)
  const program = compile(document)
  const bareInstance = program.start()
  const bare = await rate(() => {
    for (const bytes of texts) {
      const split = (bytes as Buffer).toString('latin1').split('\n')
      split.pop()
      const scores: string[] = []
      for (const line of split) scores.push(JSON.stringify(bareInstance.action(JSON.parse(line))))
      Buffer.from(`${scores.join('\n')}\n`)
    }
    return lines.length
  })
  const input = compileInput(stream(null), program.input)
  const output = compileOutput(stream(null), program.output, { slot: 1, isTrusted: true })
  const { run } = program.start()
  const seconds = { decode: 0, checkInput: 0, model: 0, checkOutput: 0, encode: 0 }
  const inside = await rate(() => {
    for (const batch of batches) {
      const { records, indexes, seconds: first } = input.decode(batch)
      const start = performance.now()
      const results: unknown[] = []
      for (let at = 0; at < records.length; at++) results.push(run(records[at]))
      seconds.model += (performance.now() - start) / 1000
      const last = output.encode(results, indexes).seconds
      seconds.decode += first.decode
      seconds.checkInput += first.checkInput
      seconds.checkOutput += last.checkOutput
      seconds.encode += last.encode
    }
    return lines.length
  })
  const { jet, close } = await process(document)
  const before = jet.usage()
  let scored = 0
  const outside = await rate(async () => {
    const pending: Promise<unknown>[] = []
    for (const frames of batches) {
      pending.push(jet.score({ slot: 0, frames, first: 1, isRecordset: false }))
      if (pending.length >= 2) await pending[pending.length - 2]
    }
    await Promise.all(pending)
    scored += lines.length
    return lines.length
  })
  const after = jet.usage()
  const cpu = ((after.user + after.kernel - before.user - before.kernel) / scored) * 1e9
  await close()
  const total = Object.values(seconds).reduce((sum, each) => sum + each, 0)
  const shares = Object.entries(seconds).map(([step, each]) => `${step} ${Math.round((100 * each) / total)}%`)
  console.log(
    `${name}: bare ${bare}/s, passes ${inside}/s (${(inside / bare).toFixed(2)}), jet ${outside}/s (${(outside / bare).toFixed(2)})`,
  )
  console.log(`  ${shares.join(', ')}; ${Math.round(cpu)} ns of processor time per record in the jet`)
}
