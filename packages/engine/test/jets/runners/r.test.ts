import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ModelFailure } from '@pitot/jet'
import { afterAll, describe, expect, test } from 'vitest'
import { findR } from '../../../../../test/servers/r.ts'
import { rRunner } from '../../../src/jets/runners/r.ts'

const memory = 2 ** 30
const folder = mkdtempSync(join(tmpdir(), 'pitot-r-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A program in the place of Rscript. */
function program(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

describe('the runner for R', () => {
  test.each([
    ['missing', join(folder, 'none'), 'not found'],
    ['old', program('old', "printf '3\\n6.3\\n/usr/lib/R\\n'"), 'is R 3.6.3'],
    ['broken', program('broken', 'echo "no good" >&2; exit 1'), 'no good'],
  ])('R that is %s is told', async (_, rscript, words) => {
    const failure = await rRunner({ rscript, memory }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ModelFailure)
    expect((failure as Error).message).toContain('models in R need R 4 or newer')
    expect((failure as Error).message).toContain(words)
  })

  const found = findR()
  test.skipIf('missing' in found)('R that is there', async () => {
    const { rscript } = found as { rscript: string }
    const runner = await rRunner({ rscript, memory })
    expect(runner).toMatchObject({ name: 'r', command: '/bin/sh' })
    expect(runner.readable.some((path) => path.endsWith('runners/r'))).toBe(true)
    expect(runner.environment).toMatchObject({ R_MAX_VSIZE: '819M' })
  })

  test.skipIf('missing' in found)('R by a script, and by a path from here, is the same R', async () => {
    const { rscript } = found as { rscript: string }
    const script = program('chosen', `exec ${rscript} "$@"`)
    const runners = [rscript, script, relative(process.cwd(), script)].map((each) => rRunner({ rscript: each, memory }))
    const commands = (await Promise.all(runners)).map((runner) => runner.arguments)
    expect(commands[1]).toEqual(commands[0])
    expect(commands[2]).toEqual(commands[0])
    for (const each of commands[0]!.slice(3)) if (each.includes('/')) expect(existsSync(each), each).toBe(true)
  })
})
