import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'

const package_ = join(import.meta.dirname, '../..')
const limit = 250_000

interface Chunk {
  readonly code: string
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
}

interface Bundler {
  rolldown(options: object): Promise<{ generate(options: object): Promise<{ output: readonly Chunk[] }> }>
}

/** The bundler comes with Vite, which comes with Vitest. */
async function bundler(): Promise<Bundler> {
  const vite = createRequire(import.meta.resolve('vitest')).resolve('vite')
  return import(createRequire(vite).resolve('rolldown'))
}

describe('the package on a page', () => {
  let chunk: Chunk
  const warnings: string[] = []

  beforeAll(async () => {
    const { rolldown } = await bundler()
    const bundle = await rolldown({
      input: join(package_, 'src/index.ts'),
      platform: 'browser',
      resolve: { conditionNames: ['pitot-source', 'browser', 'import', 'default'] },
      onLog: (_level: string, log: { message: string }) => warnings.push(log.message),
    })
    const { output } = await bundle.generate({ format: 'iife', name: 'pfa', minify: true })
    expect(output).toHaveLength(1)
    chunk = output[0]!
  })

  test('imports nothing, least of all from Node', () => {
    expect(warnings.filter((warning) => /unresolved|external|could not/i.test(warning))).toEqual([])
    expect([...chunk.imports, ...chunk.dynamicImports]).toEqual([])
    expect(chunk.code).not.toMatch(/["'`]node:|\brequire\(/)
  })

  test(`is smaller than ${limit / 1000} kB after gzip, with the whole library`, () => {
    const size = gzipSync(chunk.code, { level: 9 }).length
    console.log(`${(chunk.code.length / 1000).toFixed(0)} kB minified, ${(size / 1000).toFixed(0)} kB after gzip`)
    expect(size).toBeLessThan(limit)
  })

  test.each([true, false])('compiles and scores where there is no Node, generated code allowed: %s', (strings) => {
    // A context of its own has the language, but neither process nor Buffer nor require; a page adds these few.
    const globals = { TextEncoder, TextDecoder, performance, atob, btoa, crypto }
    const page = createContext(globals, { codeGeneration: { strings, wasm: false } })
    runInContext(chunk.code, page)
    const script = `
      const document = 'input: array(double)\\noutput: double\\naction: a.mean(a.map(input, fcn(x: double -> double) m.sqrt(x)))'
      const program = pfa.compile(document, { format: 'pretty' })
      const yaml = pfa.print(pfa.parse(document, 'pretty'), 'yaml')
      JSON.stringify([program.start().actionJson('[4, 9]'), pfa.compile(yaml, { format: 'yaml' }).start().actionJson('[16]'), typeof process])
    `
    expect(JSON.parse(runInContext(script, page))).toEqual(['2.5', '4', 'undefined'])
  })
})
