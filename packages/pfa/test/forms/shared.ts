// Recorded cases beside the repository, where they are present.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const sharedFolder = join(import.meta.dirname, '../../../../../shared/pfa')

export function readShared(path: string): string | undefined {
  const file = join(sharedFolder, path)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  console.log(`skipped: ${file} is not present`)
  return undefined
}
