// An engine that is only there to be killed: starts a jet whose model leaves processes behind, says so, and waits.
// Arguments: isolation, folder, runners, seconds of the sleep by which its processes are recognised.
import { join } from 'node:path'
import { SharedStateTable, startJet } from '../../src/index.ts'

const [isolation, folder, runners, seconds] = process.argv.slice(2) as ['none' | 'auto', string, string, string]
const logged: string[] = []
const jet = await startJet({
  runner: {
    name: 'test',
    command: process.execPath,
    arguments: [join(runners, 'runner.mjs')],
    environment: {},
    readable: [runners],
    isolation: [],
  },
  sandbox: '1',
  folder,
  memory: 2 ** 29,
  timeout: 1000,
  network: false,
  isolation,
  state: new SharedStateTable(),
  console: () => undefined,
  log: (level, message) => logged.push(`${level}: ${message}`),
})
const scored = (text: string) =>
  jet.score({
    slot: 0,
    frames: { bytes: Buffer.from(text), bounds: [0, text.length], position: 0 },
    first: 1,
    isRecordset: false,
  })
await scored(`daemon ${seconds}`)
void scored(`bare ${seconds}`).then(() => scored('hang'))
process.stdout.write(`${JSON.stringify({ pid: jet.pid, isolation: jet.isolation, logged })}\n`)
