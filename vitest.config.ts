import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Tests run on the TypeScript sources (export condition `pitot-source`); tests that start a process use the build.
const conditions = ['pitot-source']
const resolve = { resolve: { conditions }, ssr: { resolve: { conditions, externalConditions: conditions } } }
const pure = ['api', 'avro', 'codec', 'pfa', 'sensor'].map((name) => `packages/${name}/test/**/*.test.ts`)
const timeouts = { testTimeout: 30_000, hookTimeout: 120_000 }

export default defineConfig({
  test: {
    reporters: ['default', './test/skip-reporter.ts'],
    // Many tests wait for servers and processes: one worker would leave half of a small machine idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      // Nothing in these packages keeps state between files, so that files can share a worker.
      { ...resolve, test: { name: 'pure', include: pure, isolate: false, ...timeouts } },
      {
        ...resolve,
        test: {
          name: 'platform',
          include: ['packages/*/test/**/*.test.ts', 'runners/*/test/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...pure, '**/node_modules/**'],
          ...timeouts,
        },
      },
    ],
  },
})
