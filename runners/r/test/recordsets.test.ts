// Record sets: what a model gets, and what becomes of what it gives.
import { expect, test } from 'vitest'
import { describeR, RJet } from './r-jet.ts'

const DESCRIBE = `
action <- function(set) emit(paste(c(class(set), deparse(if (is.data.frame(set)) as.list(set) else set)), collapse = " "))`

describeR('record sets', () => {
  test.each([
    [
      'records',
      [
        { x: 1, y: 'a' },
        { x: 2, y: 'b' },
      ],
      'data.frame list(x = 1:2, y = c("a", "b"))',
    ],
    ['whole and other numbers', [{ x: 1 }, { x: 2.5 }], 'data.frame list(x = c(1, 2.5))'],
    ['missing fields and null', [{ x: 1, y: null }, { y: true }], 'data.frame list(x = c(1L, NA), y = c(NA, TRUE))'],
    ['numbers', [1, 2, 3], 'integer 1:3'],
    ['texts and null', ['a', null], 'character c("a", NA)'],
    ['arrays', [[1, 2], [3, 4]], 'matrix array structure(c(1L, 3L, 2L, 4L), dim = c(2L, 2L))'], // biome-ignore format: a row
    ['arrays of several lengths', [[1, 2], [3]], 'list list(1:2, 3L)'], // biome-ignore format: a row
    ['one record', [{ x: 1 }], 'data.frame list(x = 1L)'],
  ])('given: %s', async (_, records, expected) => {
    const jet = await RJet.start(DESCRIBE, { recordsets: 'input' })
    expect((await jet.score(records, { isRecordset: true })).values).toEqual([expected])
  })

  test('fields that hold more than a scalar', async () => {
    const source = 'action <- function(set) emit(list(nrow(set), lengths(set$tags), set$tags[[2]]))'
    const jet = await RJet.start(source, { recordsets: 'input' })
    const records = [{ tags: ['a'] }, { tags: ['b', 'c'] }]
    expect((await jet.score(records, { isRecordset: true })).values).toEqual([[2, [1, 2], ['b', 'c']]])
  })

  test.each([
    [
      'a data.frame',
      'set',
      [
        { x: 1, y: 'a' },
        { x: 2, y: 'b' },
      ],
    ],
    ['an empty data.frame', 'set[FALSE, ]', []],
    ['a matrix', 'matrix(1:4, 2)', [[1, 3], [2, 4]]], // biome-ignore format: a row
    ['a vector', 'set$x * 2', [2, 4]],
    ['a factor', 'factor(set$y)', ['a', 'b']],
    ['a list', 'list(1, "a", list(b = 2))', [1, 'a', { b: 2 }]],
    ['a scalar', '7', [7]],
    ['a record', 'list(sum = sum(set$x))', [{ sum: 3 }]],
  ])('given back: %s', async (_, expression, expected) => {
    const jet = await RJet.start(`action <- function(set) emit(${expression})`, { recordsets: 'both' })
    const { values, indexes } = await jet.score([{ x: 1, y: 'a' }, { x: 2, y: 'b' }], { isRecordset: true }) // biome-ignore format: a call
    expect(values).toEqual([...expected, 'set'])
    expect(indexes).toEqual(expected.map(() => 1))
  })

  test('several sets of one call', async () => {
    const source = 'action <- function(set) { emit(set); emit(set[2, , drop = FALSE]) }'
    const jet = await RJet.start(source, { recordsets: 'both' })
    expect((await jet.score([{ x: 1 }, { x: 2 }], { isRecordset: true })).values).toEqual([{ x: 1 }, { x: 2 }, 'set', { x: 2 }, 'set']) // biome-ignore format: a call
  })

  test('records that come one by one are sets of one', async () => {
    const jet = await RJet.start('action <- function(set) emit(nrow(set) + sum(set$x))', { recordsets: 'input' })
    expect((await jet.score([{ x: 1 }, { x: 2 }])).values).toEqual([2, 3])
  })

  test('the number that a set is called with is that of its first record', async () => {
    const jet = await RJet.start('action <- function(set, slot, seqno) emit(seqno)', { recordsets: 'input' })
    expect((await jet.score([1, 2, 3], { isRecordset: true, first: 41 })).values).toEqual([41])
  })

  test('rows are checked one by one', async () => {
    const options = { recordsets: 'both', output: 'int' } as const
    const jet = await RJet.start('action <- function(set) { emit(set / 2); emit(4L) }', options)
    const { values, rejects } = await jet.score([2, 3, 4], { isRecordset: true })
    expect(values).toEqual([1, 2, 'set', 4, 'set'])
    expect(rejects).toMatchObject([{ index: 2, step: 'schema', slot: 1 }])
  })

  test('a set on which the model fails is rejected as a whole', async () => {
    const jet = await RJet.start('action <- function(set) { emit(set); stop("all of it") }', { recordsets: 'both' })
    const { values, rejects } = await jet.score([1, 2, 3], { isRecordset: true })
    expect(values).toEqual([])
    expect(rejects.map(({ index, reason }) => [index, reason])).toEqual([0, 1, 2].map((index) => [index, 'all of it']))
  })
})
