// All figures of the streams in one run: files against a bare loop, Kafka against the bare client.
//   node --conditions=pitot-source bench/stream/run.ts
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

for (const part of ['files.ts', 'kafka.ts']) {
  const script = fileURLToPath(new URL(part, import.meta.url))
  const { status } = spawnSync(process.execPath, ['--conditions=pitot-source', script], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
