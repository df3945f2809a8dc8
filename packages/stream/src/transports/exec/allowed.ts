// Which executables may run: the word of a descriptor comes in, the path to start goes out, when it is on the list.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { StreamFailure } from '../../transport.ts'

export function allowedExecutable(run: string, allowExec: readonly string[]): string {
  const path = executableOf(run)
  // Paths are compared as they are written, links not followed: one file may do different things under different names.
  if (path !== undefined && allowExec.some((allowed) => executableOf(allowed) === path)) return path
  if (path === undefined) throw new StreamFailure(`there is no executable ${run}`)
  const listed = allowExec.length === 0 ? 'nothing is allowed' : `allowed: ${allowExec.join(', ')}`
  throw new StreamFailure(
    `${run} may not be run here (${listed}); whoever starts the engine can allow it by --allow-exec`,
  )
}

function executableOf(name: string): string | undefined {
  if (name.includes('/')) return isExecutable(resolve(name)) ? resolve(name) : undefined
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
