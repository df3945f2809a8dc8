// Real models of R in an attachment: scored by the engine as by R itself.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../service-options.ts'
import { debugIn, debugOut, type Fleet, startFleet } from './fleet.ts'
import { describeR } from './interpreters.ts'
import { formParts, inlineAttachment, multipart } from './multipart.ts'

const training = `
set.seed(7)
cars <- data.frame(weight = runif(100, 1, 4), power = runif(100, 50, 300))
cars$price <- 3 + 2 * cars$weight + 0.1 * cars$power + rnorm(100)
cars$fast <- as.integer(cars$power / cars$weight + rnorm(100, sd = 30) > 70)
saveRDS(lm(price ~ weight + power, data = cars), 'linear.rds')
saveRDS(glm(fast ~ weight + power, data = cars, family = binomial()), 'logistic.rds')
asked <- data.frame(weight = c(1.5, 2, 3.25), power = c(100, 200, 75.5))
numbers <- function(x) cat(sprintf('%.17g', x), '\\n')
numbers(predict(readRDS('linear.rds'), asked))
numbers(predict(readRDS('logistic.rds'), asked, type = 'response'))
`
const source = `
# pitot.output: double
begin <- function() {
  model <<- readRDS('MODEL.rds')
}
action <- function(car) {
  emit(unname(predict(model, as.data.frame(car), type = 'response')))
}
`
const cars = [
  { weight: 1.5, power: 100 },
  { weight: 2, power: 200 },
  { weight: 3.25, power: 75.5 },
]

describeR('regression in R', (rscript) => {
  let fleet: Fleet
  let expected: number[][]
  const folder = temporaryFolder()
  beforeAll(async () => {
    fleet = await startFleet({ rscript })
    const printed = execFileSync(rscript, ['--vanilla', '-e', training], { cwd: folder, encoding: 'utf8' })
    expected = printed
      .trim()
      .split('\n')
      .map((line) => line.trim().split(' ').map(Number))
    execFileSync('tar', ['czf', 'models.tar.gz', 'linear.rds', 'logistic.rds'], { cwd: folder })
  })
  afterAll(() => fleet?.stop())

  test.each([
    ['lm', 'linear', 0],
    ['glm', 'logistic', 1],
  ] as const)('%s', async (_function, name, row) => {
    const { engine } = fleet
    const model = { name, type: 'application/vnd.pitot.model-r', source: source.replace('MODEL', name) }
    const archive = inlineAttachment('models.tar.gz', 'application/gzip', readFileSync(`${folder}/models.tar.gz`))
    const { body, headers } = multipart('form-data', formParts(model, [archive]))
    await engine.ok('PUT /1/job/model', body, headers)
    await engine.output(debugOut)
    await engine.input(debugIn(cars))
    await engine.finished()
    const scores = (await engine.debugOutput()).map(Number)
    expect(scores).toHaveLength(3)
    for (const [index, score] of scores.entries()) expect(score).toBeCloseTo(expected[row]![index]!, 12)
  })
})
