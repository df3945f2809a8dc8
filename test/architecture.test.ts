// Who may import whom: the direction rules of ARCHITECTURE.md, held against every import in the sources.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What each package may import of ours. Adding a package means adding a line here. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  api: [],
  avro: [],
  pfa: ['avro'],
  codec: ['avro'],
  stream: ['api', 'avro', 'codec'],
  sensor: ['api'],
  jet: ['avro', 'codec', 'sensor'],
  service: ['api', 'sensor'],
  connect: ['api', 'service'],
  'model-manage': ['api', 'service', 'stream', 'pfa'],
  engine: ['api', 'avro', 'codec', 'jet', 'runner-node', 'sensor', 'service', 'stream'],
  gateway: ['api', 'service'],
  cli: ['api', 'service', 'connect', 'model-manage', 'engine', 'gateway'],
}
const purePackages = ['api', 'avro', 'codec', 'pfa', 'sensor']

interface Import {
  readonly file: string
  readonly specifier: string
}

/** Static and dynamic imports and re-exports, types included. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const pattern = /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g
  return [...text.matchAll(pattern)].map((match) => ({ file, specifier: (match[1] ?? match[2])! }))
}

function sourcesOf(name: string): string[] {
  return globSync(`packages/${name}/src/**/*.{ts,tsx}`, { cwd: root })
}

/** Whether a package offers this part of itself by a name of its own. */
function isOffered(name: string, part: string): boolean {
  const file = join(root, 'packages', name, 'package.json')
  return existsSync(file) && `.${part}` in JSON.parse(readFileSync(file, 'utf8')).exports
}

/** Everything that goes against the rules, as sentences. */
function violations(name: string, imports: readonly Import[]): string[] {
  return imports.flatMap(({ file, specifier }) => {
    const other = /^@pitot\/([^/]+)(\/.*)?$/.exec(specifier)
    if (other !== null) {
      if (other[2] !== undefined && !isOffered(other[1]!, other[2])) return [`${file} reaches into ${specifier}`]
      return allowed[name]!.includes(other[1]!) ? [] : [`${file} imports ${specifier}`]
    }
    if (!specifier.startsWith('.')) return []
    const target = relative(join(root, 'packages', name, 'src'), resolve(root, dirname(file), specifier))
    return target.startsWith('..') ? [`${file} leaves its package by ${specifier}`] : []
  })
}

test('every package has its rule', () => {
  const packages = readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'package.json')),
  )
  expect(packages.sort()).toEqual(Object.keys(allowed).sort())
})

describe.each(Object.keys(allowed))('%s', (name) => {
  test('imports only what it may', () => {
    expect(violations(name, sourcesOf(name).flatMap(importsOf))).toEqual([])
  })

  test('declares what it imports', () => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))
    const used = sourcesOf(name)
      .flatMap(importsOf)
      .map(({ specifier }) => specifier)
      .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
      .map((specifier) =>
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      )
    expect(Object.keys(dependencies)).toEqual(expect.arrayContaining([...new Set(used)]))
  })
})

test('operations translate: nothing below them imports them', () => {
  const services = ['connect', 'model-manage', 'engine']
  const wrong = services
    .flatMap(sourcesOf)
    .filter((file) => !/\/(index|operations)\.ts$|\/operations\//.test(file))
    .flatMap(importsOf)
    .filter(({ specifier }) => /(^|\/)operations(\.ts|\/)/.test(specifier))
  expect(wrong).toEqual([])
})

test('the rules can be broken', () => {
  const file = 'packages/avro/src/example.ts'
  const bad = ['@pitot/service', '@pitot/api/src/errors.ts', '../../api/src/errors.ts']
  expect(
    violations(
      'avro',
      bad.map((specifier) => ({ file, specifier })),
    ),
  ).toHaveLength(3)
})

describe.each(purePackages)('%s is pure', (name) => {
  test('it is compiled without Node types', () => {
    const settings = readFileSync(join(root, 'packages', name, 'tsconfig.json'), 'utf8')
    expect(settings).toContain('"../../tsconfig.pure.json"')
    expect(
      sourcesOf(name)
        .flatMap(importsOf)
        .filter(({ specifier }) => specifier.startsWith('node:')),
    ).toEqual([])
  })

  test('a Node import or global does not compile in it', () => {
    const folder = mkdtempSync(join(root, 'packages', name, '.pure-'))
    try {
      writeFileSync(join(folder, 'good.ts'), 'export const encoder = new TextEncoder()\n')
      expect(compile(folder, 'good.ts')).toBe('')
      writeFileSync(
        join(folder, 'bad.ts'),
        "import { readFileSync } from 'node:fs'\nexport const b = [readFileSync, process.pid]\n",
      )
      expect(compile(folder, 'bad.ts')).toMatch(/node:fs.*process/s)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

/** What the compiler has to say of one file under the settings of the pure packages. */
function compile(folder: string, file: string): string {
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../../tsconfig.pure.json',
      compilerOptions: { noEmit: true, composite: false },
      files: [file],
    }),
  )
  try {
    execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder], { encoding: 'utf8', stdio: 'pipe' })
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
