// A plain page that lists the fleet: what Connect knows comes in, HTML goes out.
import { release } from '@pitot/service'
import type { FleetEntry } from './directory.ts'

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 3rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
  .ok { color: light-dark(#0a7a2f, #5fd38d); } .fail { color: light-dark(#b3261e, #ff8a80); }
  code { font-size: .9em; }
`

/** Nothing but the page's own style: no script, no frame, no request elsewhere. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export function fleetPage(entries: readonly FleetEntry[], trouble: string | undefined): string {
  const rows = entries.map(
    ({ name, api, host, port, health, release: running, reason }) => `
      <tr><td><a href="/api/1/service/${encodeURIComponent(name)}/1/swagger">${escapeHtml(name)}</a></td><td>${escapeHtml(api)}</td>
        <td><code>${escapeHtml(host)}:${port}</code></td><td>${escapeHtml(running ?? '')}</td>
        <td class="${health === 'ok' ? 'ok' : 'fail'}">${escapeHtml(health)}${reason === null ? '' : `: ${escapeHtml(reason)}`}</td></tr>`,
  )
  const body =
    trouble !== undefined
      ? `<p class="fail">${escapeHtml(trouble)}</p>`
      : entries.length === 0
        ? '<p>The fleet is empty: PUT a configuration to <code>/api/1/service/connect/1/config</code>.</p>'
        : `<table><thead><tr><th>instance</th><th>api</th><th>address</th><th>release</th><th>health</th></tr></thead>
           <tbody>${rows.join('')}</tbody></table>`
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="5">
<title>Pitot</title><style>${style}</style></head>
<body><h1>Pitot ${release}</h1>${body}
<p>Every instance is reachable under <code>/api/1/service/&lt;instance&gt;/1/…</code>, Connect as <code>connect</code>.</p></body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
