// Bundles a module for a page: one script comes out, with what it still imports and what the bundler warned of.
import { createRequire } from 'node:module'

export interface Bundle {
  readonly code: string
  readonly imports: readonly string[]
  readonly warnings: readonly string[]
}

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

/** What the module exports is the global variable `pfa` of the page. */
export async function bundleForPage(input: string): Promise<Bundle> {
  const warnings: string[] = []
  const { rolldown } = await bundler()
  const bundle = await rolldown({
    input,
    platform: 'browser',
    resolve: { conditionNames: ['pitot-source', 'browser', 'import', 'default'] },
    onLog: (_level: string, log: { message: string }) => warnings.push(log.message),
  })
  const { output } = await bundle.generate({ format: 'iife', name: 'pfa', minify: true })
  const [chunk] = output
  if (chunk === undefined || output.length > 1) throw new Error(`${input} became ${output.length} files instead of one`)
  return { code: chunk.code, imports: [...chunk.imports, ...chunk.dynamicImports], warnings }
}
