import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import { findExecutable } from '../../../../test/servers/server.ts'
import { debugInput, debugOutput, harness, modelOf } from './harness.ts'

const count = 300
const every = 97
const isGuilty = (number: number) => number % every === every - 1
const numbers = Array.from({ length: count }, (_, number) => number)

interface Misdeed {
  readonly name: string
  /** Source of what the model does on its guilty records, by language. */
  readonly javascript: string
  readonly python3: string
  readonly r: string
  /** Languages in which it does no harm: the record is scored. */
  readonly harmless?: readonly string[]
}

const misdeeds: readonly Misdeed[] = [
  { name: 'raises', javascript: "throw new Error('no')", python3: "raise ValueError('no')", r: "stop('no')" },
  { name: 'exits', javascript: 'process.exit(3)', python3: 'import os; os._exit(3)', r: 'quit(status = 3)' },
  {
    name: 'is ended by a signal',
    javascript: "process.kill(process.pid, 'SIGSEGV')",
    python3: 'import ctypes; ctypes.string_at(0)',
    r: 'tools::pskill(Sys.getpid(), 11)',
  },
  { name: 'hangs', javascript: 'for (;;);', python3: 'while True: pass', r: 'repeat {}' },
  {
    name: 'allocates without end',
    javascript: 'const all = []; for (;;) all.push(new Uint8Array(2 ** 20).fill(1))',
    python3: 'all = []\n        while True: all.append(bytearray(2 ** 20))',
    r: 'all <- list(); repeat all[[length(all) + 1]] <- rep(1, 2 ^ 17)',
  },
  {
    name: 'writes garbage to every file descriptor',
    javascript:
      "for (let fd = 3; fd < 64; fd++) try { (await import('node:fs')).writeSync(fd, 'garbage'.repeat(100)) } catch {}",
    python3: [
      'import os',
      '        for fd in range(3, 64):',
      '            try: os.write(fd, b"garbage" * 100)',
      '            except OSError: pass',
    ].join('\n'),
    r: 'for (fd in 3:9) try(suppressWarnings(system(paste0("printf garbage >&", fd))), silent = TRUE)',
    harmless: ['python3', 'r'],
  },
  {
    name: 'starts processes',
    javascript: "(await import('node:child_process')).spawn('sleep', ['1000'], { detached: true })",
    python3: "import subprocess; subprocess.Popen(['sleep', '1000'], start_new_session=True)",
    r: "system('setsid sleep 1000 &')",
    harmless: ['python3', 'r'],
  },
]

const languages: Readonly<Record<string, (misdeed: Misdeed) => string>> = {
  javascript: ({ javascript }) => `
export async function action(x) {
  if (x % ${every} === ${every - 1}) { ${javascript} }
  return x
}`,
  python3: ({ python3 }) => `
def action(x):
    if x % ${every} == ${every - 1}:
        ${python3}
    yield x
`,
  r: ({ r }) => `
action <- function(x) {
  if (x %% ${every} == ${every - 1}) { ${r} }
  emit(x)
}`,
}

const missing: Readonly<Record<string, string | undefined>> = {
  r: findExecutable('Rscript') === undefined ? 'there is no Rscript' : undefined,
}

describe.each(Object.keys(languages))('a model in %s', (language) => {
  test.for(misdeeds)(
    'that $name costs its own records and no other',
    { timeout: 120_000 },
    async (misdeed, { skip }) => {
      if (missing[language] !== undefined) skip(missing[language])
      await using job = harness({ timeout: 2, memory: 384 * 2 ** 20 })
      await job.job.scale(2)
      await job.job.attachStream(1, debugOutput, {})
      await job.job.attachStream(0, debugInput(numbers), {})
      await job.job.loadModel(modelOf(language, languages[language]!(misdeed)), {})
      await vi.waitFor(() => expect(['FINISHED', 'ERROR']).toContain(job.job.report().state), {
        timeout: 110_000,
        interval: 50,
      })
      expect(job.job.report()).toMatchObject({ state: 'FINISHED', reason: undefined })
      const isHarmless = misdeed.harmless?.includes(language) ?? false
      const expected = numbers.filter((number) => isHarmless || !isGuilty(number))
      expect(job.output().map(Number)).toEqual(expected)
      const guilty = isHarmless ? [] : numbers.filter(isGuilty)
      expect(job.rejected()).toEqual(guilty.map((number) => ['model', String(number)]))
      await job.job.reset()
      await vi.waitFor(() => expect(sleepers()).toEqual([]), { timeout: 5000 })
    },
  )
})

/** Processes that a model of these tests has started. */
function sleepers(): string[] {
  return readdirSync('/proc').filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/cmdline`, 'utf8') === 'sleep\x001000\0'
    } catch {
      return false
    }
  })
}
