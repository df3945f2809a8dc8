// Tells at the end of a test run what was skipped, and why: the reason stands in the name of a skipped suite.
import type { Reporter, TestModule } from 'vitest/node'

export default class SkipReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) =>
      [...module.children.allSuites()].filter((suite) => suite.options.mode === 'skip').map((suite) => suite.fullName),
    )
    if (skipped.length > 0) console.log(`\nSkipped suites:\n${skipped.map((name) => `  ${name}`).join('\n')}\n`)
    const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    const count = (state: string) => tests.filter((each) => each === state).length
    console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`)
  }
}
