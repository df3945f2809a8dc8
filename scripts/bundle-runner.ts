// Makes a few files of the node runner's hundreds, so that a jet starts in a third of the time. After `tsc -b`:
//   node scripts/bundle-runner.ts
// Without the bundle jets start from the separate files: a bundler that cannot run here is no failure.
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { BUNDLE, isBundled } from '../packages/engine/src/jets/runners/node.ts'

interface Bundler {
  rolldown(options: object): Promise<{ write(options: object): Promise<unknown> }>
}

/** The bundler comes with Vite, which comes with Vitest. */
async function bundler(): Promise<Bundler> {
  const vite = createRequire(import.meta.resolve('vitest')).resolve('vite')
  return import(createRequire(vite).resolve('rolldown'))
}

if (!isBundled()) {
  try {
    const folder = dirname(BUNDLE)
    rmSync(folder, { recursive: true, force: true })
    const { rolldown } = await bundler()
    const bundle = await rolldown({ input: join(folder, '../main.js'), platform: 'node' })
    await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' })
  } catch (error) {
    console.warn(`the node runner is not bundled, so jets start more slowly: ${(error as Error).message}`)
  }
}
