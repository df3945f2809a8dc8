// What the user sees when everything runs: running services come in, the READY table and a first command go out.
import Table from 'cli-table3'
import colors from 'picocolors'
import type { Settings } from './options.ts'
import type { Started } from './start.ts'

const noBorders = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left', 'left-mid']
    .concat(['mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((part) => [part, '']),
)

export function readyText(started: readonly Started[], settings: Settings): string {
  const table = new Table({ chars: noBorders, style: { head: [], border: [], 'padding-left': 0, 'padding-right': 3 } })
  table.push(['SERVICE', 'URL', 'USES'].map((title) => colors.dim(title)))
  for (const { service, uses } of started) table.push([service.name, colors.cyan(service.url), uses])
  return `\n${colors.bold(colors.green('READY'))}\n\n${table.toString()}\n\nTry:  ${firstCommand(started, settings)}\n`
}

/** Works as it is printed. With a token that is the one question that needs none. */
function firstCommand(started: readonly Started[], settings: Settings): string {
  const connect = started.find(({ service }) => service.name === 'connect')
  const path = connect !== undefined && settings.token === undefined ? '/1/connect' : '/1/health'
  const { url } = (connect ?? started[0]!).service
  return `curl ${settings.tls === 'required' ? '-k ' : ''}${url}${path}`
}
