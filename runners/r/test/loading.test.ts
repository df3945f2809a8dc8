// R models that load, and those that do not: what the user is told, and where in the source it is.
import { ModelFailure } from '@pitot/jet'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeR, RJet } from './r-jet.ts'

const ACTION = 'action <- function(x) emit(x)'

describeR('loading', () => {
  test.each([
    ['no R', 'action <- function(x) {\n  emit(x x)\n}', 'model.R:2:10: unexpected symbol'],
    ['not closed', 'action <- function(x) {\n  emit(x)\n', 'model.R:3:0: unexpected end of input'],
    ['no action', 'act <- function(x) emit(x)', 'model.R has no function action for slot 0'],
    ['action is no function', 'action <- 7', 'model.R has no function action'],
    ['four arguments', 'action <- function(a, b, c, d) emit(a)', 'action takes 4 arguments'],
    ['no argument', 'action <- function() emit(1)', 'action takes 0 arguments'],
    ['a package that is not there', `library(nosuchpackage)\n${ACTION}`, 'nosuchpackage'],
    ['a namespace that is not there', `${ACTION}\nx <- nosuch::thing(1)`, 'model.R:2: there is no package called'],
    ['an error at the top', `${ACTION}\n\nx <- log("a")`, 'model.R:3: non-numeric argument to mathematical function'],
    ['emit at the top', `emit(1)\n${ACTION}`, 'model.R:1: emit can be called only while'],
    ['a file that is not there', `model <- readRDS("model.rds")\n${ACTION}`, 'model.R:1: cannot open the connection'],
  ])('%s', async (_, source, sentence) => {
    const jet = await RJet.open(source)
    const failure = await jet.load().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ModelFailure)
    expect((failure as ModelFailure).message).toContain(sentence)
  })

  test('an error at the top is traced through the functions of the model', async () => {
    const jet = await RJet.open('helper <- function(x) {\n  stop("no ", x)\n}\n\nvalue <- helper("way")\n')
    const failure = (await jet.load().catch((error: unknown) => error)) as ModelFailure
    expect(failure.message).toBe('model.R:5: no way')
    expect(failure.trace).toBe(
      'Error in helper("way"): no way\n  at model.R:2: stop("no ", x)\n  at model.R:5: value <- helper("way")',
    )
  })

  test('a jet whose model did not load takes another', async () => {
    const jet = await RJet.open('action <- 1')
    await expect(jet.load()).rejects.toThrow('no function action')
    await expect(jet.load()).rejects.toThrow('no function action')
  })

  test('slots come back as they went, schemas included', async () => {
    const schema = {
      type: 'record',
      name: 'R\u00e9sum\u00e9',
      fields: [
        { name: 'a "quoted" \\ \t name', type: ['null', 'long'], default: null },
        { name: 'big', type: 'long', default: 1152921504606846977n },
        { name: 'empty', type: { type: 'array', items: 'int' }, default: [] },
        { name: 'none', type: { type: 'map', values: 'double' }, default: {} },
        { name: 'sign', type: 'string', default: '\u{1f6e9}\u0001' },
      ],
    }
    const slots = [
      { slot: 0, schema, recordsets: true, action: 'action' },
      { slot: 2, recordsets: false, action: null },
      { slot: 1, recordsets: false, action: null },
    ]
    const jet = await RJet.open(ACTION, { slots })
    const loaded = await jet.jet.load({
      ...{ language: 'r', name: 'm', file: 'model.R', sandbox: '1', timeout: 1, attached: [] },
      slots,
    })
    expect(loaded).toEqual({ slots, snapshots: 'none', warnings: [] })
  })

  test('any JSON comes back as it went', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((each) => !each.includes('\0'))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        ...[text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean(), fc.constant(null)],
        ...[fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(text, tie('value'), { maxKeys: 4 })],
      ),
    }))
    // Through JSON once, so that zeros have no sign and objects are plain.
    const schemas = fc
      .sample(value, { numRuns: 300, seed: 3 })
      .map((each) => JSON.parse(JSON.stringify(each)) as unknown)
    const unused = schemas.map((schema, at) => ({ slot: 2 * at + 2, schema, recordsets: false, action: null }))
    const slots = [{ slot: 0, recordsets: false, action: 'action' }, ...unused]
    const jet = await RJet.open(ACTION)
    const given = { language: 'r', name: 'm', file: 'model.R', sandbox: '1', timeout: 1, attached: [], slots }
    expect((await jet.jet.load(given)).slots).toEqual(slots)
  })

  test.each([
    ['# pitot.snapshots: eof', 'eof'],
    ['#fastscore.snapshots: eof', 'eof'],
    ['# pitot.snapshots: none', 'none'],
    ['x <- "# pitot.snapshots: eof"', 'none'],
  ])('snapshots: %s', async (line, expected) => {
    const jet = await RJet.open(`${line}\n${ACTION}`)
    expect((await jet.load()).snapshots).toBe(expected)
  })

  test('sources as other systems write them', async () => {
    const jet = await RJet.start(
      '\ufeff# gr\u00fcn\r\ncolor <- "gr\u00fcn"\r\naction <- function(x) {\r\n  emit(color)\r\n}\r\n',
    )
    expect((await jet.score([1])).values).toEqual(['gr\u00fcn'])
  })

  test('a model without a line', async () => {
    await expect((await RJet.open('')).load()).rejects.toThrow('no function action')
  })

  test('attachments: sourced files and saved objects', async () => {
    const files = { 'helpers.R': 'double <- function(x) x * 2\n', 'lib/more.R': 'offset <- 1\n' }
    const jet = await RJet.start(
      `
      source("helpers.R"); source(file.path("lib", "more.R"))
      saveRDS(list(factor = 3), "saved.rds")
      model <- readRDS("saved.rds")
      action <- function(x) emit(double(x) * model$factor + offset)
      `,
      { files },
    )
    expect((await jet.score([1, 2])).values).toEqual([7, 13])
  })

  test('in bubblewrap, where there is one', async () => {
    const jet = await RJet.start('library(stats)\naction <- function(x) emit(median(unlist(x)))', { isolation: 'auto' })
    expect((await jet.score([[3, 1, 2]])).values).toEqual([2])
    await jet.jet.stop()
  })
})
