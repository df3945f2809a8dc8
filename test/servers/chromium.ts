// Chromium for tests of pages: it opens an address without a window, and is ended when the page is done.
import { rmSync } from 'node:fs'
import { findExecutable, install, ServerProcess, temporaryFolder, unprivileged } from './server.ts'

/** Opens a page of a server on this machine, waits until `isDone` no longer rejects, and leaves nothing behind. */
type Visit = (url: string, isDone: () => Promise<unknown>) => Promise<void>

/** `PITOT_TEST_CHROMIUM=/path/of/chromium` names a browser to use instead. */
export function findChromium(): { readonly visit: Visit } | { readonly missing: string } {
  const find = () => process.env.PITOT_TEST_CHROMIUM ?? findExecutable('chromium')
  const missing = find() === undefined ? install(['chromium']) : undefined
  const executable = find()
  if (executable === undefined) return { missing: `Chromium: ${missing}` }
  return { visit: (url, isDone) => visit(executable, url, isDone) }
}

async function visit(executable: string, url: string, isDone: () => Promise<unknown>): Promise<void> {
  const owner = unprivileged()
  const folder = temporaryFolder(owner)
  const args = [
    // What Chromium keeps outside of its profile goes by these.
    ...['HOME', 'TMPDIR', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME'].map((name) => `${name}=${folder}`),
    executable,
    '--headless',
    // Where containers forbid user namespaces there is no sandbox; the pages are our own.
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-crash-reporter',
    '--disable-sync',
    '--no-first-run',
    `--user-data-dir=${folder}`,
    url,
  ]
  const browser = new ServerProcess('env', args, { ...owner, cwd: folder }, isDone)
  try {
    await browser.start()
  } finally {
    await browser.stop('SIGKILL')
    // Chromium's own children end a moment later, and may still write.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}
