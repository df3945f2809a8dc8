// What a user would write instead of an engine: one process that reads a file again and again, scores each line and writes it.
//   node --conditions=pitot-source bench/engine/bare.ts document.json input output
// Prints the number of records written so far, a hundred times a second.
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { compile } from '@pitot/pfa'

const [document, input, output] = process.argv.slice(2)
const instance = compile(readFileSync(document!, 'utf8')).start()
const out = openSync(output!, 'w')
const chunk = Buffer.alloc(64 * 1024)
let records = 0
let told = performance.now()

for (;;) {
  const file = openSync(input!, 'r')
  let rest = ''
  for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
    const lines = (rest + chunk.toString('latin1', 0, size)).split('\n')
    rest = lines.pop()!
    const scores: string[] = []
    for (const line of lines) scores.push(JSON.stringify(instance.action(JSON.parse(line) as never)))
    writeSync(out, `${scores.join('\n')}\n`)
    records += lines.length
    if (performance.now() - told > 10) {
      told = performance.now()
      writeSync(1, `${records}\n`)
    }
  }
  closeSync(file)
}
