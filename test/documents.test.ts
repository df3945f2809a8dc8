// The examples in README and docs/: every `console` block is run, in order, against a fleet of its own.
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PitotProcess, startPitot } from './pitot-process.ts'
import { temporaryFolder } from './service-options.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
const pages = ['README.md', ...globSync('docs/*.md', { cwd: root }).sort()]

interface Example {
  readonly command: string
  readonly output: string
}

function examplesOf(page: string): Example[] {
  const text = readFileSync(`${root}/${page}`, 'utf8')
  return [...text.matchAll(/^```console\n(.*?)^```$/gms)].flatMap(([, block]) =>
    block!
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command, ...output] = part.split('\n')
        return { command: command!, output: output.join('\n').trimEnd() }
      }),
  )
}

const withExamples = pages
  .map((page) => [page, examplesOf(page)] as const)
  .filter(([, examples]) => examples.length > 0)

test('there are examples', () => {
  expect(withExamples.map(([page]) => page)).toEqual(
    expect.arrayContaining(['README.md', 'docs/connect.md', 'docs/model-manage.md']),
  )
})

describe.each(withExamples)('%s', (_page, examples) => {
  let pitot: PitotProcess
  let ports: readonly (readonly [written: string, real: string])[]
  const folder = temporaryFolder()
  beforeAll(async () => {
    const free = ['gateway', 'connect', 'model-manage', 'engine'].flatMap((service) => [`--${service}-port`, '0'])
    pitot = await startPitot(['up', '--data', `${folder}/data`, ...free])
    const written = { gateway: '8000', connect: '8001', 'model-manage': '8002', engine: '8003' }
    ports = Object.entries(written).map(([service, port]) => [port, new URL(pitot.urls[service]!).port])
  })
  afterAll(() => pitot?.end())

  /** Pages speak of the usual ports; this fleet has others. */
  const translate = (text: string, from: 0 | 1, to: 0 | 1) =>
    ports.reduce((sofar, pair) => sofar.replaceAll(new RegExp(`\\b${pair[from]}\\b`, 'g'), pair[to]!), text)

  test.each(examples)('$ $command', async ({ command, output }) => {
    const { stdout } = await run('bash', ['-c', translate(command, 0, 1)], { cwd: folder })
    const lines = translate(stdout.replaceAll('\r', ''), 1, 0).trimEnd()
    // `…` stands for what is different every time.
    const pattern = output
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')
    expect(lines).toMatch(new RegExp(`^${pattern}$`, 's'))
  })
})

interface Script {
  readonly code: string
  /** What its `console.log(…) // …` lines print. */
  readonly printed: readonly string[]
}

function scriptsOf(page: string): Script[] {
  const text = readFileSync(`${root}/${page}`, 'utf8')
  return [...text.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => ({
    code: code!,
    printed: [...code!.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map(([, printed]) => printed!),
  }))
}

const withScripts = pages.map((page) => [page, scriptsOf(page)] as const).filter(([, scripts]) => scripts.length > 0)

describe.each(withScripts)('scripts of %s', (_page, scripts) => {
  test.each(scripts.map((script, index) => [index + 1, script] as const))(
    'script %i prints what it says',
    async (_number, { code, printed }) => {
      expect(printed.length).toBeGreaterThan(0)
      const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: root })
      expect(stdout.trimEnd().split('\n')).toEqual(printed)
    },
  )
})
