// The rates of the reference implementation on this machine: Titus from PyPI in a temporary environment of its own.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { works } from './documents.ts'

const script = `
import collections, inspect, json, sys, time
# Titus asks for a function that newer versions of Python no longer have.
ArgSpec = collections.namedtuple("ArgSpec", ["args", "varargs", "keywords", "defaults"])
inspect.getargspec = lambda f: ArgSpec(*inspect.getfullargspec(f)[:4])
from titus.genpy import PFAEngine
rates = {}
for name, document, inputs in json.load(open(sys.argv[1])):
    engine, = PFAEngine.fromJson(json.loads(document))
    records = [json.loads(line) for line in inputs]
    done, start = 0, time.time()
    while time.time() - start < 2:
        for record in records[:500]:
            engine.action(record)
        done += len(records[:500])
    rates[name] = done / (time.time() - start)
print(json.dumps(rates))
`

/** Records per second by document, or why there are none. */
export async function titusRates(): Promise<Readonly<Record<string, number>> | { readonly reason: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'pitot-titus-'))
  try {
    const run = (command: string, args: readonly string[], timeout: number) =>
      spawnSync(command, args, { encoding: 'utf8', timeout })
    if (run('python3', ['-m', 'venv', folder], 60_000).status !== 0)
      return { reason: 'python3 -m venv does not work here' }
    if (run(join(folder, 'bin', 'pip'), ['install', '-q', 'titus2', 'numpy<2'], 120_000).status !== 0) {
      return { reason: 'titus2 could not be installed from PyPI' }
    }
    const work = join(folder, 'work.json')
    writeFileSync(work, JSON.stringify(works().map(({ name, document, lines }) => [name, document, lines])))
    const result = run(join(folder, 'bin', 'python'), ['-c', script, work], 180_000)
    if (result.status !== 0) return { reason: `Titus failed: ${result.stderr.trim().split('\n').at(-1)}` }
    return JSON.parse(result.stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
