// A real statistical model that comes as an attachment: a jet's predictions are those of R itself.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeR, RJet, rscript } from './r-jet.ts'

const FIT = `
set.seed(7)
data <- data.frame(x = rnorm(500), kind = sample(c("a", "b", "c"), 500, TRUE))
data$y <- with(data, 2 * x + ifelse(kind == "b", 1, 0) + rnorm(500))
data$z <- rbinom(500, 1, plogis(data$y))
models <- list(lm = lm(y ~ x * kind, data), glm = glm(z ~ x + kind, binomial, data))
saveRDS(models, "models.rds")
new <- data.frame(x = seq(-2, 2, length.out = 50), kind = rep(c("a", "b"), 25))
direct <- list(lm = predict(models$lm, new), glm = predict(models$glm, new, type = "response"))
cat(sprintf("%.17g %.17g\\n", direct$lm, direct$glm), sep = "")
`

const SCORE = `
models <- readRDS("models.rds")
action <- function(datum) {
  row <- as.data.frame(datum)
  emit(list(lm = predict(models$lm, row), glm = predict(models$glm, row, type = "response")))
}
`

const SCORE_SET = `
models <- readRDS("models.rds")
action <- function(set) {
  emit(data.frame(lm = predict(models$lm, set), glm = predict(models$glm, set, type = "response")))
}
`

describeR('a model in an .rds file', () => {
  test('record by record, and as a record set', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pitot-r-'))
    try {
      const printed = execFileSync(rscript(), ['--vanilla', '-e', FIT], { cwd: folder, encoding: 'utf8' })
      const expected = printed
        .trim()
        .split('\n')
        .map((line) => line.split(' ').map(Number))
      const files = { 'models.rds': readFileSync(join(folder, 'models.rds')) }
      const records = Array.from({ length: 50 }, (_, at) => ({ x: -2 + (4 * at) / 49, kind: at % 2 === 0 ? 'a' : 'b' }))
      const single = await (await RJet.start(SCORE, { files })).score(records)
      const set = await (await RJet.start(SCORE_SET, { files, recordsets: 'both' })).score(records, {
        isRecordset: true,
      })
      expect(set.values.at(-1)).toBe('set')
      for (const values of [single.values, set.values.slice(0, -1)]) {
        expect(values).toHaveLength(50)
        for (const [at, value] of values.entries()) {
          const { lm, glm } = value as { lm: number; glm: number }
          expect(lm).toBeCloseTo(expected[at]![0]!, 12)
          expect(glm).toBeCloseTo(expected[at]![1]!, 12)
        }
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
