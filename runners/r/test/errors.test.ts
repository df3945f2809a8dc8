// Models that raise: the record is rejected with the model's own lines, and the others are not touched.
import { expect, test } from 'vitest'
import { describeR, RJet } from './r-jet.ts'

const SOURCE = `helper <- function(x) {
  y <- x$a + "b"
  y
}
action <- function(x) {
  emit("before")
  if (x$bad) {
    helper(x)
  }
  emit("after")
}
`

describeR('errors', () => {
  test('the traceback points at the lines of the model, innermost first', async () => {
    const jet = await RJet.start(SOURCE)
    const good = { a: 1, bad: false }
    const { values, indexes, rejects } = await jet.score([good, { a: 1, bad: true }, good])
    expect(values).toEqual(['before', 'after', 'before', 'after'])
    expect(indexes).toEqual([0, 0, 2, 2])
    expect(rejects).toEqual([
      {
        index: 1,
        step: 'model',
        reason: 'non-numeric argument to binary operator',
        trace: [
          'Error in x$a + "b": non-numeric argument to binary operator',
          '  at model.R:2: y <- x$a + "b"',
          '  at model.R:8: helper(x)',
        ].join('\n'),
      },
    ])
  })

  test('the same after R has compiled the functions', async () => {
    const jet = await RJet.start(SOURCE)
    const bad = Array.from({ length: 10 }, () => ({ a: 1, bad: true }))
    const { rejects } = await jet.score(bad)
    expect(new Set(rejects.map(({ trace }) => trace?.split('\n')[1]))).toEqual(
      new Set(['  at model.R:2: y <- x$a + "b"']),
    )
  })

  test('errors in files that are sourced', async () => {
    const files = { 'helper.R': '\nhelper <- function(x) stop("in here")\n' }
    const jet = await RJet.start('source("helper.R")\naction <- function(x) helper(x)', { files })
    expect((await jet.score([1])).rejects[0]!.trace).toContain('helper.R:2: helper <- function(x) stop("in here")')
  })

  test.each([
    ['stop("na\\u00efve \\"quotes\\"")', 'naïve "quotes"'],
    ['stop()', 'an error of class simpleError'],
    ['stop(structure(class = c("mine", "error", "condition"), list(message = "own", call = NULL)))', 'own'],
    ['nosuchfunction(x)', 'could not find function "nosuchfunction"'],
    ['x[[5]]', 'subscript out of bounds'],
    ['match.arg("a", c("b", "c"))', 'be one of'],
    ['library(nosuchpackage)', 'nosuchpackage'],
    ['f <- function() f(); f()', 'too '],
    ['stop(rawToChar(as.raw(c(0x61, 0xff))))', 'a'],
  ])('%s', async (code, reason) => {
    const jet = await RJet.start(`action <- function(x) { if (x == 2) { ${code} }; emit(x) }`)
    const { values, rejects } = await jet.score([1, 2, 3])
    expect(values).toEqual([1, 3])
    expect(rejects).toHaveLength(1)
    expect(rejects[0]!.reason).toContain(reason)
  })

  test('begin and end that raise', async () => {
    const source =
      'begin <- function() { emit(1); stop("b") }\naction <- function(x) emit(x)\nend <- function() stop("e")'
    const jet = await RJet.start(source)
    const index = 0xffffffff
    expect(await jet.begin()).toMatchObject({ values: [], rejects: [{ index, step: 'model', reason: 'b' }] })
    expect((await jet.score([1])).values).toEqual([1])
    expect(await jet.end()).toMatchObject({ values: [], rejects: [{ index, step: 'model', reason: 'e' }] })
  })

  test('outputs that are no data are refused one by one', async () => {
    const source = 'action <- function(x) emit(switch(x, 1, function() 2, list(a = new.env()), y ~ x, sum, 6))'
    const jet = await RJet.start(source)
    const { values, rejects } = await jet.score([1, 2, 3, 4, 5, 6])
    expect(values).toEqual([1, 6])
    expect(rejects.map(({ index, slot }) => [index, slot])).toEqual([1, 2, 3, 4].map((index) => [index, 1]))
    expect(rejects[0]!.reason).toBe('expected data, found a function')
  })

  test('outputs of another type than the model says', async () => {
    const jet = await RJet.start('action <- function(x) emit(x)', { output: 'int' })
    const { values, rejects } = await jet.score([1, 'a', 2.5, 3, null, [1, 2]])
    expect(values).toEqual([1, 3])
    expect(rejects.map(({ index, step, slot }) => [index, step, slot])).toEqual(
      [1, 2, 4, 5].map((index) => [index, 'schema', 1]),
    )
  })

  test('texts that R cannot hold are rejected before they reach it', async () => {
    const jet = await RJet.start('action <- function(x) emit(nchar(x))')
    const { values, indexes, rejects } = await jet.score(['ab', 'a\0b', 'abc'])
    expect(values).toEqual([2, 3])
    expect(indexes).toEqual([0, 2])
    expect(rejects).toMatchObject([{ index: 1, step: 'model' }])
    expect(rejects[0]!.reason).toContain('U+0000')
  })
})
