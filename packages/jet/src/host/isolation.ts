// How the runner of a jet is started: options come in, a command goes out, and words for what it keeps the model from.
import { execFile } from 'node:child_process'
import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { JetOptions } from './options.ts'

export interface Launch {
  readonly command: string
  readonly arguments: readonly string[]
  /** Whether the jet's processes are in a namespace that ends with the first of them. */
  readonly isNamespace: boolean
  readonly isolation: readonly string[]
}

const BUBBLEWRAP = 'bwrap'

/** Parts of the system that every program may need. A symbolic link stays one. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64']
/** Of /etc only what libraries and interpreters look for: nothing in it is secret. */
const SETTINGS = [
  ...['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'timezone', 'passwd', 'group'],
  ...['nsswitch.conf', 'R', 'python3', 'fonts', 'mime.types', 'ssl/openssl.cnf'],
].map((name) => `/etc/${name}`)
const NETWORK_SETTINGS = ['hosts', 'resolv.conf', 'services', 'protocols', 'ssl/certs', 'ca-certificates'].map(
  (name) => `/etc/${name}`,
)
/** Numeric libraries look here how many processors there are. */
const PROCESSORS = '/sys/devices/system/cpu'

/**
 * Limits that hold for all processes of the jet from the start: no core files; memory that may be asked for, far above what
 * may be used (libraries reserve much), so that one absurd request fails in the model; and the first to go when the
 * system has no memory left.
 */
const LIMITS = `
ulimit -c 0
ulimit -d "$1" 2>/dev/null
{ echo 500 > /proc/self/oom_score_adj; } 2>/dev/null
shift
exec "$@"
`

export async function launchOf(options: JetOptions): Promise<Launch> {
  const { runner, folder, memory } = options
  const values: Readonly<Record<string, string>> = {
    '{folder}': folder,
    '{megabytes}': String(Math.floor(memory / 2 ** 20)),
  }
  const fill = (text: string) => text.replace(/\{folder\}|\{megabytes\}/g, (name) => values[name]!)
  const program = [runner.command, ...runner.arguments.map(fill)]
  const kilobytes = Math.ceil((4 * memory + 8 * 2 ** 30) / 1024)
  const fault = options.isolation === 'none' ? undefined : await bubblewrapFault()
  const isNamespace = options.isolation !== 'none' && fault === undefined
  if (fault !== undefined && !isToldOfFault) {
    isToldOfFault = true
    options.log('warn', `jets run without bubblewrap: ${fault}`)
  }
  const inside = isNamespace ? [BUBBLEWRAP, ...bubblewrapArguments(options), '--', ...program] : program
  return {
    command: '/bin/sh',
    arguments: ['-c', LIMITS, 'jet', String(kilobytes), ...inside],
    isNamespace,
    isolation: wordsFor(options, isNamespace),
  }
}

function wordsFor({ runner, memory, network }: JetOptions, isNamespace: boolean): string[] {
  // Elsewhere nothing is known of the memory of other processes.
  const limits = process.platform === 'linux' ? [`at most ${Math.floor(memory / 2 ** 20)} MiB of memory`] : []
  const common = ['own process group', 'clean environment', ...limits]
  const namespace = [
    'bubblewrap: own processes, users and mounts',
    'read-only system',
    'only its own folder writable',
    ...(network ? [] : ['no network']),
  ]
  return [...common, ...(isNamespace ? namespace : []), ...runner.isolation]
}

function bubblewrapArguments(options: Pick<JetOptions, 'runner' | 'folder' | 'network'>): string[] {
  const { runner, folder, network } = options
  return [
    ...systemArguments(network),
    ...[...commandFiles(runner.command), ...runner.readable].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--bind', folder, folder, '--chdir', folder],
  ]
}

function systemArguments(network: boolean): string[] {
  const visible = [...SETTINGS, ...(network ? NETWORK_SETTINGS : []), PROCESSORS]
  return [
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...SYSTEM.flatMap(systemFolder),
    ...visible.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
  ]
}

function systemFolder(path: string): string[] {
  if (!existsSync(path)) return []
  try {
    return ['--symlink', readlinkSync(path), path]
  } catch {
    return ['--ro-bind', path, path]
  }
}

/** The program itself, in case it is not one of the system's, and what it is a link to. */
function commandFiles(command: string): string[] {
  if (!isAbsolute(command) || !existsSync(command)) return []
  return [...new Set([command, realpathSync(command)])]
}

let isToldOfFault = false
let probe: Promise<string | undefined> | undefined

/** Why bubblewrap cannot be used here; undefined when it can. Found out once, by using it. */
function bubblewrapFault(): Promise<string | undefined> {
  probe ??= new Promise((resolve) => {
    execFile(BUBBLEWRAP, [...systemArguments(false), '--', 'true'], { timeout: 10_000 }, (error, _, stderr) => {
      if (!error) resolve(undefined)
      else if (error.code === 'ENOENT') resolve('it is not installed (the package is called bubblewrap)')
      else resolve(stderr.trim() || error.message)
    })
  })
  return probe
}
