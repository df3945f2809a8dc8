import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Bundle, bundleForPage } from './bundle.ts'

const limit = 250_000

describe('the package on a page', () => {
  let bundle: Bundle

  beforeAll(async () => {
    bundle = await bundleForPage(join(import.meta.dirname, '../../src/index.ts'))
  })

  test('imports nothing, least of all from Node', () => {
    expect(bundle.warnings.filter((warning) => /unresolved|external|could not/i.test(warning))).toEqual([])
    expect(bundle.imports).toEqual([])
    expect(bundle.code).not.toMatch(/["'`]node:|\brequire\(/)
  })

  test(`is smaller than ${limit / 1000} kB after gzip, with the whole library`, () => {
    const size = gzipSync(bundle.code, { level: 9 }).length
    console.log(`${(bundle.code.length / 1000).toFixed(0)} kB minified, ${(size / 1000).toFixed(0)} kB after gzip`)
    expect(size).toBeLessThan(limit)
  })

  test.each([true, false])('compiles and scores where there is no Node, generated code allowed: %s', (strings) => {
    // A context of its own has the language, but neither process nor Buffer nor require; a page adds these few.
    const globals = { TextEncoder, TextDecoder, performance, atob, btoa, crypto }
    const page = createContext(globals, { codeGeneration: { strings, wasm: false } })
    runInContext(bundle.code, page)
    const script = `
      const document = 'input: array(double)\\noutput: double\\naction: a.mean(a.map(input, fcn(x: double -> double) m.sqrt(x)))'
      const program = pfa.compile(document, { format: 'pretty' })
      const yaml = pfa.print(pfa.parse(document, 'pretty'), 'yaml')
      JSON.stringify([program.start().actionJson('[4, 9]'), pfa.compile(yaml, { format: 'yaml' }).start().actionJson('[16]'), typeof process])
    `
    expect(JSON.parse(runInContext(script, page))).toEqual(['2.5', '4', 'undefined'])
  })
})
