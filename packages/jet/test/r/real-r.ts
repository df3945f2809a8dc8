// R itself, for tests: bytes of its serialised form and expressions go in, what R makes of them comes out.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'vitest'
import { findR } from '../../../../test/servers/r.ts'

const found = findR()

/** A suite that needs R. Where it is missing this is told, and in CI it is a failure. */
export function describeR(title: string, suite: () => void): void {
  if ('rscript' in found) describe(title, suite)
  else if (process.env.CI === 'true') throw new Error(found.missing)
  else describe.skip(`${title} (skipped: ${found.missing})`, suite)
}

/** Runs R code that reads `given` and writes to `made`; gives what was made and what was printed. */
export function runR(code: string, given: Uint8Array = new Uint8Array()): { made: Uint8Array; printed: string } {
  if ('missing' in found) throw new Error(found.missing)
  const folder = mkdtempSync(join(tmpdir(), 'pitot-r-'))
  try {
    writeFileSync(join(folder, 'given'), given)
    writeFileSync(join(folder, 'made'), '')
    writeFileSync(join(folder, 'code.R'), code)
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
    const printed = execFileSync(found.rscript, ['--vanilla', 'code.R'], { cwd: folder, env, encoding: 'utf8' })
    return { made: new Uint8Array(readFileSync(join(folder, 'made'))), printed }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const READ = 'given <- unserialize(readBin("given", "raw", file.size("given")))\n'

/** R code that serialises this expression to `made`. */
export function writing(expression: string, version = 2): string {
  return `writeBin(serialize(${expression}, NULL, xdr = FALSE, version = ${version}L), "made")\n`
}
