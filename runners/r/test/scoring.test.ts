// Records through R models: what is called, in what order, with what, and what comes of it.
import { expect, test } from 'vitest'
import { describeR, RJet } from './r-jet.ts'

describeR('scoring', () => {
  test('begin, action and end, each of which may emit', async () => {
    const jet = await RJet.start(`
      begin <- function() { total <<- 0; emit("begun") }
      action <- function(datum) { total <<- total + datum; emit(datum * 2) }
      end <- function() { emit(total); emit("ended") }
    `)
    expect(await jet.begin()).toMatchObject({ values: ['begun'], indexes: [-1], rejects: [] })
    expect(await jet.score([1, 2.5, 3])).toMatchObject({ values: [2, 5, 6], indexes: [0, 1, 2], rejects: [] })
    expect(await jet.end()).toMatchObject({ values: [6.5, 'ended'], indexes: [-1, -1], rejects: [] })
  })

  test('functions that a model lacks emit nothing', async () => {
    const jet = await RJet.start('action <- function(x) emit(x)')
    expect(await jet.begin()).toMatchObject({ values: [], rejects: [] })
    expect(await jet.end()).toMatchObject({ values: [], rejects: [] })
  })

  test('none, one and several emissions', async () => {
    const jet = await RJet.start('action <- function(x) for (i in seq_len(x)) emit(i)')
    expect(await jet.score([0, 1, 3])).toMatchObject({ values: [1, 1, 2, 3], indexes: [1, 2, 2, 2] })
  })

  test('thousands of emissions of one batch', async () => {
    const jet = await RJet.start('action <- function(x) for (i in 1:x) emit(i)')
    const { values, indexes } = await jet.score([3000, 2])
    expect(values).toEqual([...Array.from({ length: 3000 }, (_, at) => at + 1), 1, 2])
    expect(indexes.filter((index) => index === 0)).toHaveLength(3000)
  })

  test.each([
    ['function(x) x + 1', [2, 3]],
    ['function(x) if (x == 1) NULL else x', [2]],
    ['function(x) state <<- x', []],
    ['function(x) invisible(x)', []],
    ['function(x) print(x)', []],
    ['function(x) { helper(x); "not this" }\nhelper <- function(x) emit(x)', [1, 2]],
    ['function(x) { lapply(x, emit); "not this" }', [1, 2]],
    ['function(x) { if (x == 1) emit(x); x }', [1]],
    ['function(x) { do.call("emit", list(x)); "not this" }', [1, 2]],
  ])('values that a function returns: %s', async (action, expected) => {
    const jet = await RJet.start(`action <- ${action}`)
    expect(await jet.score([1, 2])).toMatchObject({ values: expected, rejects: [] })
  })

  test.each([
    ['function(datum)', 'list(datum)', [[7], [8]]],
    ['function(datum, slot)', 'list(datum, slot)', [[7, 0], [8, 0]]], // biome-ignore format: a row
    ['function(datum, slot, seqno)', 'list(datum, slot, seqno)', [[7, 0, 41], [8, 0, 42]]], // biome-ignore format: a row
    ['function(datum, power = 2)', 'list(datum, power)', [[7, 2], [8, 2]]], // biome-ignore format: a row
    ['function(datum, ...)', 'list(datum, ...length())', [[7, 0], [8, 0]]], // biome-ignore format: a row
  ])('arguments: %s', async (head, value, expected) => {
    const jet = await RJet.start(`action <- ${head} emit(${value})`)
    expect((await jet.score([7, 8], { first: 41 })).values).toEqual(expected)
  })

  test('several slots, each with its function', async () => {
    const slots = [
      { slot: 0, recordsets: false, action: 'left' },
      { slot: 2, recordsets: false, action: 'right' },
      { slot: 1, recordsets: false, action: null },
      { slot: 3, recordsets: false, action: null },
    ]
    const source = `
      left <- function(x) { emit(x); emit(-x, 3) }
      right <- function(x, slot) emit(x * slot, slot = 3L)
    `
    const jet = await RJet.start(source, { slots })
    expect((await jet.score([1, 2])).values).toEqual([1, 2, [3, -1], [3, -2]])
    expect((await jet.score([5], { slot: 2 })).values).toEqual([[3, 10]])
  })

  test('an output slot that the model does not have', async () => {
    const jet = await RJet.start('action <- function(x) emit(x, slot = 3)')
    const { values, rejects } = await jet.score([1])
    expect(values).toEqual([])
    expect(rejects[0]).toMatchObject({ index: 0, step: 'model' })
    expect(rejects[0]!.reason).toContain('slot 3')
  })

  test('state in globals, and rm(list = ls()) at the top', async () => {
    const jet = await RJet.start(`
      rm(list = ls())
      count <- 0
      action <- function(x) { count <<- count + 1; emit(count) }
    `)
    expect((await jet.score(['a', 'b'])).values).toEqual([1, 2])
    expect((await jet.score(['c'])).values).toEqual([3])
  })

  test('what the model prints, warns and tells is console output', async () => {
    const jet = await RJet.start(`
      action <- function(x) {
        cat("caf\\u00e9\\n"); print(x); message("told"); warning("careful"); emit(x)
      }
    `)
    expect((await jet.score([7])).values).toEqual([7])
    await jet.jet.stop()
    for (const text of ['café\n', '[1] 7\n', 'told\n', 'careful']) expect(jet.console).toContain(text)
  })

  test('signs of life while a batch takes long', async () => {
    const jet = await RJet.start('action <- function(x) { Sys.sleep(x); emit(x) }', { timeout: 1 })
    expect((await jet.score(Array.from({ length: 6 }, () => 0.4))).values).toHaveLength(6)
  })

  test('batches that are sent before the last is answered', async () => {
    const jet = await RJet.start('action <- function(x) emit(x)')
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, at) => jet.score([at, -at])))
    expect(outcomes.map(({ values }) => values[0])).toEqual(Array.from({ length: 20 }, (_, at) => at))
  })

  test('a large record there and back', async () => {
    const jet = await RJet.start('action <- function(x) emit(x)')
    const record = { text: 'x'.repeat(5_000_000), numbers: Array.from({ length: 100_000 }, (_, at) => at / 2) }
    expect((await jet.score([record])).values).toEqual([record])
  })

  test('records keep their numbers where frames before them are refused', async () => {
    const jet = await RJet.start('action <- function(x, slot, seqno) emit(seqno)', { input: 'int' })
    expect((await jet.score(['1', 'no', '3', '4'], { isText: true, first: 10 })).values).toEqual([10, 12, 13])
    expect((await jet.score(['1', '2'], { isText: true, first: 14 })).values).toEqual([14, 15])
  })

  test('frames that are refused do not shift the others', async () => {
    const jet = await RJet.start('action <- function(x) { if (x == 3) stop("three"); emit(x) }', { input: 'int' })
    const { values, indexes, rejects } = await jet.score(['1', 'no', '3', '"x"', '5'], { isText: true })
    expect(values).toEqual([1, 5])
    expect(indexes).toEqual([0, 4])
    expect(rejects.map(({ index, step }) => [index, step])).toEqual([[1, 'encoding'], [3, 'schema'], [2, 'model']]) // biome-ignore format: pairs
  })
})
