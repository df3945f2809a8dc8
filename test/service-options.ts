// Options with which tests start services in their own process: any free port, no log, a folder of their own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog, ownCertificate, type ServiceOptions } from '@pitot/service'

export async function testOptions(changes: Partial<ServiceOptions> = {}): Promise<ServiceOptions & { data: string }> {
  const data = temporaryFolder()
  return {
    host: '127.0.0.1',
    port: 0,
    certificate: await certificate(),
    tlsRequired: false,
    allowHosts: [],
    allowOrigins: [],
    maxDocument: 2 ** 20,
    log: createLog({ level: 'silent', format: 'json' }),
    data,
    ...changes,
  }
}

let made: ReturnType<typeof ownCertificate> | undefined

/** One certificate for all services of a test file: making one takes a while. */
function certificate(): ReturnType<typeof ownCertificate> {
  made ??= ownCertificate(temporaryFolder())
  return made
}

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** What an engine needs besides. */
export const engineSettings = {
  resume: false,
  allowExec: [],
  stateMemory: 256 * 2 ** 20,
  jets: { memory: 2 ** 30, timeout: 30, network: false, isolation: 'auto' },
} as const

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pitot-test-'))
  folders.push(folder)
  return folder
}
