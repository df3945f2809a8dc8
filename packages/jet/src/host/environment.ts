// The environment of a jet: nothing of the engine's own, which may hold secrets, but what programs need to run at all.
import { MARK, markOf } from './mark.ts'
import type { JetOptions } from './options.ts'

const PATH = '/usr/local/bin:/usr/bin:/bin'

export function environmentOf({ runner, folder, sandbox }: JetOptions): Record<string, string> {
  const { TZ } = process.env
  return {
    PATH: process.env.PATH ?? PATH,
    LANG: process.env.LANG ?? 'C.UTF-8',
    HOME: folder,
    TMPDIR: folder,
    ...(TZ !== undefined && { TZ }),
    ...runner.environment,
    [MARK]: markOf(sandbox),
  }
}
