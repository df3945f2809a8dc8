// The runner for models in Python: the settings of the engine go in; the command that starts a jet, and what it must be able
// to read, come out.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ModelFailure, type Runner } from '@pitot/jet'
import type { JetSettings } from '../../options.ts'

const LEAST = [3, 9] as const
const NAMES = ['python3', 'python']
const PROBE_TIMEOUT = 20_000

/** From `src` as from `dist`. */
const RUNNER_FOLDER = fileURLToPath(new URL('../../../../../runners/python', import.meta.url))

/** What an interpreter says of itself. */
interface Interpreter {
  readonly version: readonly number[]
  /** Not always what was called: the path may hold a script that chooses among several. */
  readonly executable: string
  /** Folders with its modules, those of the user included. */
  readonly folders: readonly string[]
  readonly userBase: string | null
}

const PROBE = `
import json, os, site, sys
seen = [sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.realpath(sys.executable), *sys.path[1:]]
print(json.dumps({
    'version': list(sys.version_info[:3]),
    'executable': sys.executable,
    'folders': sorted({each for each in [*seen, *map(os.path.realpath, seen)] if os.path.exists(each)}),
    'userBase': site.getuserbase() if site.ENABLE_USER_SITE else None,
}))
`

/** Asked once per interpreter: it takes a moment, and does not change. */
const known = new Map<string, Promise<Interpreter>>()

/** Rejects with a `ModelFailure` when there is no Python that can run models. */
export async function pythonRunner({ python, memory }: Pick<JetSettings, 'python' | 'memory'>): Promise<Runner> {
  const { executable, folders, userBase } = await interpreterFor(python)
  return {
    name: 'python',
    command: executable,
    // No traces of the model's imports in folders that others share; text in UTF-8 whatever the locale.
    arguments: ['-B', '-X', 'utf8', join(RUNNER_FOLDER, 'main.py')],
    environment: {
      PITOT_JET_MEMORY: String(memory),
      // Jets are how a job uses several cores: libraries that start a thread per core in each would only be in each other's way.
      OMP_NUM_THREADS: '1',
      OPENBLAS_NUM_THREADS: '1',
      MKL_NUM_THREADS: '1',
      ...(userBase !== null && { PYTHONUSERBASE: userBase }),
    },
    readable: [RUNNER_FOLDER, ...folders],
    isolation: [],
  }
}

async function interpreterFor(given: string | undefined): Promise<Interpreter> {
  const needed = `models in Python need Python ${LEAST.join('.')} or newer`
  const found: string[] = []
  for (const name of given === undefined ? NAMES : [given]) {
    const interpreter = await probe(name).catch((error: Error) => {
      found.push(`${name}: ${error.message}`)
      return undefined
    })
    if (interpreter === undefined) continue
    if (isNewEnough(interpreter.version)) return interpreter
    found.push(`${name} is Python ${interpreter.version.join('.')}`)
  }
  throw new ModelFailure(`${needed} (${found.join('; ')}): install it, or name one with --python`)
}

function probe(name: string): Promise<Interpreter> {
  let asked = known.get(name)
  if (asked === undefined) {
    asked = ask(name)
    known.set(name, asked)
    // It may be installed later.
    asked.catch(() => known.delete(name))
  }
  return asked
}

async function ask(name: string): Promise<Interpreter> {
  try {
    // -c puts the working folder on the path, which is none of the interpreter's: it is the first entry, and left out.
    const { stdout } = await promisify(execFile)(name, ['-B', '-c', PROBE], { timeout: PROBE_TIMEOUT })
    return JSON.parse(stdout) as Interpreter
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    if (code === 'ENOENT') throw new Error('not found')
    throw new Error(stderr?.trim().split('\n').at(-1) || (error as Error).message, { cause: error })
  }
}

function isNewEnough([major = 0, minor = 0]: readonly number[]): boolean {
  return major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])
}
