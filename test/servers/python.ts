// Python with certain packages for tests: a virtual environment outside of the project, made once and used again.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { findExecutable, install } from './server.ts'

/** `PITOT_TEST_PYTHON=/path/of/python` names an interpreter that has the packages already. */
export function findPython(packages: readonly string[]): { readonly python: string } | { readonly missing: string } {
  const given = process.env.PITOT_TEST_PYTHON
  if (given !== undefined) return { python: given }
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'pitot-test')
  const folder = join(cache, `python-${createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12)}`)
  const python = join(folder, 'bin', 'python')
  if (existsSync(python)) return { python }
  try {
    if (findExecutable('python3') === undefined) requireInstalled(['python3-venv'])
    mkdirSync(cache, { recursive: true })
    // Made under another name and moved: a run that is broken off leaves nothing that looks complete.
    const making = mkdtempSync(join(cache, 'making-'))
    try {
      makeEnvironment(making)
      execFileSync(join(making, 'bin', 'python'), ['-m', 'pip', 'install', '-q', ...packages], {
        stdio: 'pipe',
        timeout: 300_000,
      })
      renameSync(making, folder)
    } finally {
      rmSync(making, { recursive: true, force: true })
    }
    return { python }
  } catch (error) {
    // Two suites may have made it at the same time.
    if (existsSync(python)) return { python }
    return { missing: `Python with ${packages.join(', ')}: ${(error as Error).message.split('\n')[0]}` }
  }
}

function makeEnvironment(folder: string): void {
  const make = () => execFileSync('python3', ['-m', 'venv', folder], { stdio: 'pipe', timeout: 120_000 })
  try {
    make()
  } catch {
    // Debian's python3 comes without it.
    requireInstalled(['python3-venv'])
    make()
  }
}

function requireInstalled(packages: readonly string[]): void {
  const trouble = install(packages)
  if (trouble !== undefined) throw new Error(trouble)
}
