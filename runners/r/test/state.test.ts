// Cells and pools, shared by jets: each test has two of them.
import { SharedStateTable } from '@pitot/jet'
import { expect, test } from 'vitest'
import { describeR, RJet } from './r-jet.ts'

const pair = async (source: string) => {
  const state = new SharedStateTable()
  return { state, jets: await Promise.all([RJet.start(source, { state }), RJet.start(source, { state })]) } as const
}

describeR('shared state', () => {
  test('updates of a cell are atomic', async () => {
    const { jets } = await pair(`
      counter <- Cell("n")
      begin <- function() if (is.null(Get(counter))) Set(counter, 0)
      action <- function(x) emit(Update(counter, function(n) n + x))
      end <- function() emit(Get(counter))
    `)
    for (const jet of jets) await jet.begin()
    const ones = Array.from({ length: 200 }, () => 1)
    const scored = await Promise.all(jets.flatMap((jet) => [jet.score(ones), jet.score(ones)]))
    const values = scored.flatMap((outcome) => outcome.values as number[])
    expect(values.sort((a, b) => a - b)).toEqual(Array.from({ length: 800 }, (_, at) => at + 1))
    expect((await jets[0]!.end()).values).toEqual([800])
  })

  test('pools hold values by key', async () => {
    const { jets } = await pair(`
      seen <- Pool("seen")
      action <- function(x) {
        Update(seen, x$key, function(old) c(old, x$value))
        emit(list(key = x$key, all = Get(seen, x$key)))
      }
    `)
    await jets[0]!.score([{ key: 'a', value: 1 }])
    await jets[0]!.score([{ key: 'b', value: 'x' }])
    expect((await jets[1]!.score([{ key: 'a', value: 2 }])).values).toEqual([{ key: 'a', all: [1, 2] }])
    expect((await jets[1]!.score([{ key: 'c', value: 3 }])).values).toEqual([{ key: 'c', all: 3 }])
  })

  test('values keep their exact kind', async () => {
    const { jets } = await pair(`
      cell <- Cell("c")
      values <- list(
        NULL, TRUE, 1.5, 0.1 + 0.2, "t\\u00e9xt \\"q\\" \\\\ \\n \\u0001", 1L, NA, NaN, Inf, NA_character_, 1:3, c(a = 1),
        list(a = 1, b = list("x")), factor("u"), as.raw(0:255), data.frame(x = 1:2, y = c("a", "b")),
        as.Date("2020-01-01"), matrix(1:4, 2), function(x) x + 1, character(), strrep("long", 1e5), "", "$r"
      )
      action <- function(x) {
        if (x$set) Set(cell, values[[x$at]])
        else emit(isTRUE(all.equal(Get(cell), values[[x$at]])) && identical(class(Get(cell)), class(values[[x$at]])))
      }
      end <- function() emit(length(values))
    `)
    const count = (await jets[0]!.end()).values[0] as number
    for (let at = 1; at <= count; at++) {
      await jets[0]!.score([{ set: true, at }])
      expect({ at, values: (await jets[1]!.score([{ set: false, at }])).values }).toEqual({ at, values: [true] })
    }
  })

  test('what others can read is JSON', async () => {
    const { jets, state } = await pair('action <- function(x) Set(Cell("c"), x)')
    for (const value of [1.5, 'text', true]) {
      await jets[0]!.score([value])
      expect(await state.ask('other', { do: 'get', cell: 'c' })).toEqual({ value })
    }
  })

  test('what others have written as JSON can be read', async () => {
    const { jets, state } = await pair('action <- function(x) emit(Get(Cell(x)))')
    const value = { a: [1, 0.30000000000000004, null], b: { c: 'text' } }
    await state.ask('other', { do: 'set', cell: 'c', value })
    expect((await jets[0]!.score(['c', 'none'])).values).toEqual([value, null])
  })

  test('an update that fails leaves the value and lets go', async () => {
    const { jets } = await pair(`
      cell <- Cell("c")
      action <- function(x) {
        if (is.null(Get(cell))) Set(cell, 1)
        Update(cell, function(old) if (x < 0) stop("negative") else old + x)
        emit(Get(cell))
      }
    `)
    const { values, rejects } = await jets[0]!.score([1, -1, 2])
    expect(values).toEqual([2, 4])
    expect(rejects).toMatchObject([{ index: 1, reason: 'negative' }])
    expect((await jets[1]!.score([1])).values).toEqual([5])
  })

  test('what is neither cell nor pool', async () => {
    const jet = await RJet.start('action <- function(x) Get(x)')
    expect((await jet.score([1])).rejects[0]!.reason).toContain('Cell(name) or Pool(name)')
  })

  test('messages that come while the answer is waited for are not lost', async () => {
    const { jets } = await pair(
      'action <- function(x) emit(Update(Cell("n"), function(n) if (is.null(n)) 1 else n + 1))',
    )
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => jets[0]!.score([1, 1])))
    expect(outcomes.flatMap(({ values }) => values)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
  })
})
