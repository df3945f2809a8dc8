import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../../../../test/servers/chromium.ts'
import { bundleForPage } from './bundle.ts'
import { score } from './scores.ts'

/** The same page in two folders: one may make code from text, the other may not. */
const policies: Readonly<Record<string, string>> = {
  '/lenient/': "default-src 'self'; script-src 'self' 'unsafe-eval'",
  '/strict/': "default-src 'self'",
}

const chromium = findChromium()
if ('missing' in chromium) {
  if (process.env.CI === 'true') throw new Error(chromium.missing)
  describe.skip(`a page in Chromium (skipped: ${chromium.missing})`, () => undefined)
} else {
  describe('a page in Chromium', () => {
    const results = new Map<string, unknown>()
    let server: Server
    let script: string

    async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { pathname: path } = new URL(request.url ?? '/', 'http://localhost')
      if (path.endsWith('/results')) {
        results.set(path.replace(/results$/, ''), JSON.parse(await text(request)))
        response.end()
      } else if (path.endsWith('/page.js')) {
        response.setHeader('content-type', 'text/javascript; charset=utf-8').end(script)
      } else {
        response.setHeader('content-security-policy', policies[path] ?? "default-src 'none'")
        response.setHeader('content-type', 'text/html').end('<!doctype html><script src="page.js"></script>')
      }
    }

    beforeAll(async () => {
      script = (await bundleForPage(join(import.meta.dirname, 'page.ts'))).code
      server = createServer((request, response) => void serve(request, response))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    })

    afterAll(() => {
      server?.close()
      server?.closeAllConnections()
    })

    test.each([
      ['/lenient/', true],
      ['/strict/', false],
    ])(
      'scores in %s as in Node, with generated code: %s',
      async (path, generate) => {
        const { port } = server.address() as AddressInfo
        await chromium.visit(`http://127.0.0.1:${port}${path}`, async () => {
          if (!results.has(path)) throw new Error('the page has given no results')
        })
        const scores = score({ generate })
        expect(scores).toMatchObject(scores.map(() => ({ generated: generate })))
        expect(results.get(path)).toEqual({ scores })
      },
      90_000,
    )
  })
}
