// All figures of the engine in one run. Run it after `npm run build`.
//   node --conditions=pitot-source bench/engine/run.ts
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

for (const part of ['at-work.ts', 'files.ts', 'round-trip.ts']) {
  const script = fileURLToPath(new URL(part, import.meta.url))
  const { status } = spawnSync(process.execPath, ['--conditions=pitot-source', script], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
