// Values on their way through R: from the streams' schemas to R's kinds and back.
import { expect, test } from 'vitest'
import { describeR, RJet } from './r-jet.ts'

const record = {
  type: 'record',
  name: 'Everything',
  fields: [
    { name: 'flag', type: 'boolean' },
    { name: 'count', type: 'int' },
    { name: 'big', type: 'long' },
    { name: 'ratio', type: 'float' },
    { name: 'value', type: 'double' },
    { name: 'text', type: 'string' },
    { name: 'data', type: 'bytes' },
    { name: 'color', type: { type: 'enum', name: 'Color', symbols: ['red', 'blue'] } },
    { name: 'numbers', type: { type: 'array', items: 'double' } },
    { name: 'words', type: { type: 'array', items: ['null', 'string'] } },
    { name: 'by', type: { type: 'map', values: 'int' } },
    { name: 'maybe', type: ['null', 'double'] },
    { name: 'inner', type: ['null', { type: 'record', name: 'Inner', fields: [{ name: 'x', type: 'int' }] }] },
  ],
}
const whole =
  '{"flag":true,"count":-2147483648,"big":9007199254740993,"ratio":0.5,"value":"NaN","text":"gr\u00fcn","data":"\\u0000\u00ff",' +
  '"color":"blue","numbers":[1],"words":[{"string":"a"},null],"by":{"k":1},"maybe":null,"inner":{"Inner":{"x":7}}}'
const least =
  '{"flag":false,"count":0,"big":-9223372036854775808,"ratio":0,"value":0,"text":"","data":"",' +
  '"color":"red","numbers":[],"words":[],"by":{},"maybe":{"double":2},"inner":null}'

describeR('values', () => {
  test('records of every kind go through an echo unchanged, to the last digit of a long', async () => {
    const jet = await RJet.start('action <- function(x) emit(x)', { input: record, output: record })
    const { emissions, rejects } = await jet.score([whole, least], { isText: true })
    expect(rejects).toEqual([])
    const { bytes, bounds } = emissions.outputs[0]!.frames
    const texts = [0, 2].map((at) => Buffer.from(bytes.subarray(bounds[at], bounds[at + 1])).toString())
    expect(texts).toEqual([whole, least])
  })

  test('what a model sees of them', async () => {
    const source = 'action <- function(x) emit(vapply(x, function(field) class(field)[[1]], ""))'
    const jet = await RJet.start(source, { input: record })
    expect((await jet.score([whole, least], { isText: true })).values).toEqual([
      // biome-ignore format: in the order of the fields
      ['logical', 'numeric', 'long', 'numeric', 'numeric', 'character', 'raw', 'character', 'numeric', 'character', 'list', 'NULL', 'list'],
      // biome-ignore format: in the order of the fields
      ['logical', 'integer', 'long', 'numeric', 'numeric', 'character', 'raw', 'character', 'numeric', 'character', 'list', 'numeric', 'NULL'],
    ])
  })

  test('whole results of calculations are whole numbers', async () => {
    const jet = await RJet.start('action <- function(x) emit(x * 2 / 2)', { input: 'int', output: 'int' })
    expect(await jet.score([1, 2147483647])).toMatchObject({ values: [1, 2147483647], rejects: [] })
  })

  test('named results of predictions are plain numbers', async () => {
    const source = 'fit <- lm(dist ~ speed, cars)\naction <- function(x) emit(predict(fit, data.frame(speed = x)))'
    const jet = await RJet.start(source, { output: 'double' })
    const [value] = (await jet.score([10])).values
    expect(value).toBeCloseTo(21.744993, 5)
  })

  test('texts and bytes as they are', async () => {
    const source = 'action <- function(x) emit(if (is.raw(x)) rev(x) else paste0(x, "!"))'
    const texts = await RJet.start(source, { encoding: 'null', input: 'string', output: 'string' })
    const bytes = await RJet.start(source, { encoding: 'null', input: 'bytes', output: 'bytes' })
    const written = async (jet: RJet) => {
      const { emissions } = await jet.score(['gr\u00fcn'], { isText: true })
      return Buffer.from(emissions.outputs[0]!.frames.bytes)
    }
    expect(await written(texts)).toEqual(Buffer.from('gr\u00fcn!'))
    expect(await written(bytes)).toEqual(Buffer.from('gr\u00fcn').reverse())
  })
})
