// The runner for PFA documents and models in JavaScript and TypeScript: the settings of the engine go in; the command that
// starts a jet, and what it must be able to read, come out.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Runner } from '@pitot/jet'
import type { JetSettings } from '../../options.ts'

/** From `src` as from `dist`. */
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))
/** What the runner is made of. */
const PARTS = ['runners/node', ...['avro', 'codec', 'jet', 'pfa', 'sensor'].map((name) => `packages/${name}`)]

/** The runner in few files, which scripts/bundle-runner.ts makes of its parts: a jet starts in a third of the time. */
export const BUNDLE = join(ROOT, 'runners/node/dist/bundle/main.mjs')

/** Whether there is a bundle, and nothing was built after it. */
export function isBundled(): boolean {
  const written = writtenAt(BUNDLE)
  return written > 0 && PARTS.every((part) => writtenAt(join(ROOT, part, 'tsconfig.tsbuildinfo')) <= written)
}

function writtenAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

export function nodeRunner({ network }: Pick<JetSettings, 'network'>): Runner {
  const { file, readable } = isBundled() ? bundled : separate
  return {
    name: 'node',
    command: process.execPath,
    arguments: [
      '--permission',
      ...['{folder}', ...readable].map((path) => `--allow-fs-read=${path}`),
      '--allow-fs-write={folder}',
      ...(network ? ['--allow-net'] : []),
      '--max-old-space-size={megabytes}',
      // Nearly all that a batch leaves behind is garbage: it is collected seldom, and without help that other jets need.
      '--min-semi-space-size=8',
      '--no-parallel-scavenge',
      // Nobody opens a debugger in a jet, and the author of a model need not know what is new in Node.
      '--disable-sigusr1',
      '--disable-warning=ExperimentalWarning',
      file,
    ],
    environment: {},
    readable,
    isolation: [
      `Node permissions: no files but its own folder, no other processes or threads, no addons${network ? '' : ', no network'}`,
    ],
  }
}

const bundled = { file: BUNDLE, readable: [join(BUNDLE, '..')] }

const separate = {
  file: join(ROOT, 'runners/node/dist/main.js'),
  // Names of packages are looked up in `node_modules`.
  readable: [
    ...PARTS.flatMap((part) => [`${part}/dist`, `${part}/package.json`]),
    'node_modules/@pitot',
    'node_modules/yaml',
  ].map((path) => join(ROOT, path)),
}
