// The runner for models in R: the settings of the engine go in; the command that starts a jet, and what it must be able to
// read, come out.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ModelFailure, type Runner } from '@pitot/jet'
import type { JetSettings } from '../../options.ts'

const LEAST = 4
const PROBE_TIMEOUT = 20_000

/** From `src` as from `dist`. */
const RUNNER_FOLDER = fileURLToPath(new URL('../../../../../runners/r', import.meta.url))

/**
 * R opens no descriptors, but it does open standard input, in either direction: so a copy of descriptor 4 is put there. Its
 * temporary folder must not have spaces in its name.
 */
const START = `
case "$TMPDIR" in *" "*) unset TMPDIR ;; esac
exec "$@" <&4
`

/** What an installation says of itself. */
interface Installation {
  readonly version: string
  readonly home: string
  /** Folders with packages, those of the user included. */
  readonly libraries: readonly string[]
}

const PROBE = 'cat(R.version$major, R.version$minor, R.home(), .libPaths(), sep = "\\n")'

/** Asked once per installation: it takes a moment, and does not change. */
const known = new Map<string, Promise<Installation>>()

/** Rejects with a `ModelFailure` when there is no R that can run models. */
export async function rRunner({
  rscript = 'Rscript',
  memory,
}: Pick<JetSettings, 'rscript' | 'memory'>): Promise<Runner> {
  const { version, home, libraries } = await installation(rscript).catch((error: Error) => {
    throw missing(`${rscript}: ${error.message}`)
  })
  if (Number.parseInt(version, 10) < LEAST) throw missing(`${rscript} is R ${version}`)
  return {
    name: 'r',
    command: '/bin/sh',
    // That of the installation: what was named may be a link or a script where no jet can see it, or relative to here.
    arguments: ['-c', START, 'r', join(home, 'bin', 'Rscript'), '--vanilla', join(RUNNER_FOLDER, 'main.R')],
    environment: {
      // Texts of models are UTF-8, whatever the engine's locale is.
      LC_ALL: 'C.UTF-8',
      // A request beyond this fails in the model, which costs a record; the rest of R's memory needs some room too.
      R_MAX_VSIZE: `${Math.floor((0.8 * memory) / 2 ** 20)}M`,
      R_LIBS: libraries.join(':'),
      // Jets are how a job uses several cores: libraries that start a thread per core in each would only be in each other's way.
      OMP_NUM_THREADS: '1',
      OPENBLAS_NUM_THREADS: '1',
      MKL_NUM_THREADS: '1',
    },
    readable: [RUNNER_FOLDER, home, ...libraries],
    isolation: [],
  }
}

function missing(found: string): ModelFailure {
  return new ModelFailure(
    `models in R need R ${LEAST} or newer (${found}): install it (the package is called r-base-core), or name its Rscript with --rscript`,
  )
}

function installation(rscript: string): Promise<Installation> {
  let asked = known.get(rscript)
  if (asked === undefined) {
    asked = ask(rscript)
    known.set(rscript, asked)
    // It may be installed later.
    asked.catch(() => known.delete(rscript))
  }
  return asked
}

async function ask(rscript: string): Promise<Installation> {
  try {
    // Not --vanilla: the user's own packages are named in files that it leaves out.
    const { stdout } = await promisify(execFile)(rscript, ['--no-init-file', '-e', PROBE], { timeout: PROBE_TIMEOUT })
    const [major = '', minor = '', home = '', ...libraries] = stdout.trim().split('\n')
    return { version: `${major}.${minor}`, home, libraries }
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    if (code === 'ENOENT') throw new Error('not found')
    throw new Error(stderr?.trim().split('\n').at(-1) || (error as Error).message, { cause: error })
  }
}
