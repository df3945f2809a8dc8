// The runner for PFA documents and models in JavaScript and TypeScript: the settings of the engine go in; the command that
// starts a jet, and what it must be able to read, come out.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Runner } from '@pitot/jet'
import type { JetSettings } from '../../options.ts'

/** From `src` as from `dist`. */
const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))
/** What the runner is made of; names of packages are looked up in `node_modules`. */
const READABLE = [
  ...['runners/node', ...['avro', 'codec', 'jet', 'pfa'].map((name) => `packages/${name}`)].flatMap((folder) => [
    `${folder}/dist`,
    `${folder}/package.json`,
  ]),
  'node_modules/@pitot',
  'node_modules/yaml',
].map((path) => join(ROOT, path))

export function nodeRunner({ network }: Pick<JetSettings, 'network'>): Runner {
  return {
    name: 'node',
    command: process.execPath,
    arguments: [
      '--permission',
      ...['{folder}', ...READABLE].map((path) => `--allow-fs-read=${path}`),
      '--allow-fs-write={folder}',
      ...(network ? ['--allow-net'] : []),
      '--max-old-space-size={megabytes}',
      // Nobody opens a debugger in a jet, and the author of a model need not know what is new in Node.
      '--disable-sigusr1',
      '--disable-warning=ExperimentalWarning',
      join(ROOT, 'runners/node/dist/main.js'),
    ],
    environment: {},
    readable: READABLE,
    isolation: ['Node permissions: no files but its own folder, no other processes, no addons'],
  }
}
