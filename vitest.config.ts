import { defineConfig } from 'vitest/config'

// Tests run on the TypeScript sources (export condition `pitot-source`); tests that start a process use the build.
const conditions = ['pitot-source']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    reporters: ['default', './test/skip-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
