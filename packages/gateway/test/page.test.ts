import { describe, expect, test } from 'vitest'
import type { FleetEntry } from '../src/directory.ts'
import { fleetPage } from '../src/page.ts'
import { call, connectWith, startedGateway, startedServer } from './surroundings.ts'

const engine: FleetEntry = {
  name: 'engine-1',
  api: 'engine',
  host: '127.0.0.1',
  port: 8003,
  health: 'ok',
  release: '1.3',
  reason: null,
}

describe('the page of the fleet', () => {
  test('has a row for each instance, with a link to it', () => {
    const page = fleetPage(
      [engine, { ...engine, name: 'engine-2', port: 8004, health: 'fail', reason: 'gone' }],
      undefined,
    )
    expect(page).toContain('<a href="/api/1/service/engine-1/1/swagger">engine-1</a>')
    expect(page).toContain('<code>127.0.0.1:8003</code>')
    expect(page).toContain('<td class="ok">ok</td>')
    expect(page).toContain('<code>127.0.0.1:8004</code>')
    expect(page).toContain('<td class="fail">fail: gone</td>')
  })

  test('says so when the fleet is empty', () => {
    const page = fleetPage([], undefined)
    expect(page).toContain('The fleet is empty')
    expect(page).not.toContain('<table>')
  })

  test('says so when Connect does not answer', () => {
    expect(fleetPage([], 'Connect is <away>')).toContain('<p class="fail">Connect is &#60;away&#62;</p>')
  })

  const hostile = `"><script>alert('1')</script>&amp;`
  const fields = ['name', 'api', 'host', 'health', 'release', 'reason'] as const
  test.for(fields)('a hostile %s is text and nothing else', (field) => {
    const page = fleetPage([{ ...engine, [field]: hostile }], undefined)
    expect(page).not.toContain('<script')
    expect(page).not.toContain(hostile)
    expect(page).toContain('&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;&#38;amp;')
    // The attributes hold no quote of the text, so it cannot leave them.
    expect(page.match(/<a href="[^"]*">/g)).toHaveLength(1)
  })
})

describe('GET /', () => {
  test('gives the page with headers that allow it nothing', async () => {
    const connect = await startedServer(connectWith([{ name: 'engine-1', port: 8003 }]))
    const { port } = await startedGateway(connect.url)
    const answer = await call(port, '/')
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(answer.body).toContain('<a href="/api/1/service/engine-1/1/swagger">engine-1</a>')
  })

  test('gives the page with the reason when Connect is down', async () => {
    const connect = await startedServer(() => undefined)
    await connect.stop()
    const { port } = await startedGateway(connect.url)
    const answer = await call(port, '/')
    expect(answer.status).toBe(200)
    expect(answer.body).toContain(
      `instance &#39;connect&#39; at 127.0.0.1:${connect.port} does not answer: nothing listens there (connection refused)`,
    )
  })
})
