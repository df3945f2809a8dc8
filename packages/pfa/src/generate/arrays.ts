// The functions on arrays that models use most, as loops in place: the function argument becomes the body of the loop.
import { code } from '@pitot/avro'
import type { Typed, TypedFunction } from '../check/typed.ts'
import { writeValue } from './expressions.ts'
import { type Inliner, writeInlined } from './functions.ts'
import { noteOrigin } from './origins.ts'
import { complex, type FunctionWriter, type Piece, simple } from './writer.ts'

/** Writes `for (...) { body }` over an array; the body gets the item under a name. */
function loop(
  array: Typed,
  items: Piece,
  fcn: TypedFunction,
  writer: FunctionWriter,
  body: (item: Piece, inner: FunctionWriter) => void,
): void {
  const index = writer.names.name('i')
  const param = fcn.params.at(-1)
  if (param !== undefined) noteOrigin(array, items, index, param, writer)
  const inner = writer.inner()
  writer.program.tick(inner)
  const item = inner.keep(complex(code`${items.code}[${index}]`), 'item')
  body(item, inner)
  writer.line(code`for (let ${index} = 0; ${index} < ${items.code}.length; ${index}++) { ${inner.body} }`)
}

const isFunction = (arg: Typed | TypedFunction | undefined): arg is TypedFunction => arg?.kind === 'function'

const map: Inliner = (node, writer) => {
  const [array, fcn] = node.args
  if (array === undefined || isFunction(array) || !isFunction(fcn)) return undefined
  const items = writer.keep(writeValue(array, writer), 'items')
  const out = writer.keep(complex(code`[]`), 'out')
  loop(array, items, fcn, writer, (item, inner) => {
    const result = writeInlined(fcn, [item], inner)
    inner.line(code`${out.code}.push(${result.code});`)
  })
  return out
}

const filter: Inliner = (node, writer) => {
  const [array, fcn] = node.args
  if (array === undefined || isFunction(array) || !isFunction(fcn)) return undefined
  const items = writer.keep(writeValue(array, writer), 'items')
  const out = writer.keep(complex(code`[]`), 'out')
  loop(array, items, fcn, writer, (item, inner) => {
    const test = writeInlined(fcn, [item], inner)
    inner.line(code`if (${test.code}) ${out.code}.push(${item.code});`)
  })
  return out
}

/** `a.fold(array, zero, fcn(tally, item))`. */
const fold: Inliner = (node, writer) => {
  const [array, zero, fcn] = node.args
  if (array === undefined || isFunction(array) || zero === undefined || isFunction(zero) || !isFunction(fcn))
    return undefined
  const items = writer.keep(writeValue(array, writer), 'items')
  const tally = writer.names.name('tally')
  const start = writeValue(zero, writer)
  writer.line(code`let ${tally} = ${start.code};`)
  loop(array, items, fcn, writer, (item, inner) => {
    // A copy, since the function may keep its parameter while the tally changes.
    const before = inner.keep(complex(tally), 'before')
    const result = writeInlined(fcn, [before, item], inner)
    inner.line(code`${tally} = ${result.code};`)
  })
  return simple(tally)
}

/** True when the test holds for one item (any) or for every item (all); stops at the first that decides. */
const quantifier =
  (decisive: boolean): Inliner =>
  (node, writer) => {
    const [array, fcn] = node.args
    if (array === undefined || isFunction(array) || !isFunction(fcn)) return undefined
    const items = writer.keep(writeValue(array, writer), 'items')
    const result = writer.names.name('r')
    writer.line(code`let ${result} = ${!decisive};`)
    loop(array, items, fcn, writer, (item, inner) => {
      const test = writeInlined(fcn, [item], inner)
      const stop = code`{ ${result} = ${decisive}; break; }`
      inner.line(decisive ? code`if (${test.code}) ${stop}` : code`if (!${test.code}) ${stop}`)
    })
    return simple(result)
  }

const length: Inliner = (node, writer) => {
  const [array] = node.args
  if (array === undefined || isFunction(array)) return undefined
  return complex(code`${writeValue(array, writer).code}.length`)
}

export const arrayFunctions: Readonly<Record<string, Inliner>> = {
  'a.len': length,
  'a.map': map,
  'a.filter': filter,
  'a.fold': fold,
  'a.any': quantifier(true),
  'a.all': quantifier(false),
}
