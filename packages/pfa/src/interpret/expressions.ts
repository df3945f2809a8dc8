// Any checked expression, without generated code: the expression comes in, once; a function that evaluates it goes out.
import type { Block, Typed } from '../check/typed.ts'
import * as access from './access.ts'
import * as casts from './casts.ts'
import * as control from './control.ts'
import * as effects from './effects.ts'
import type { Run } from './frame.ts'
import * as functions from './functions.ts'
import * as literals from './literals.ts'
import type { Machine } from './program.ts'
import * as variables from './variables.ts'

type Rules = { readonly [Kind in Typed['kind']]: (node: Extract<Typed, { kind: Kind }>, machine: Machine) => Run }

const rules: Rules = {
  constant: literals.runConstant,
  'new-array': literals.runNewArray,
  'new-map': literals.runNewMap,
  'new-record': literals.runNewRecord,
  variable: variables.runUse,
  let: variables.runLet,
  set: variables.runSet,
  convert: casts.runConvert,
  get: access.runGet,
  update: access.runUpdate,
  cell: access.runCell,
  'cell-to': access.runCellTo,
  pool: access.runPool,
  'pool-to': access.runPoolTo,
  'pool-del': access.runPoolDel,
  do: control.runDo,
  cond: control.runCond,
  while: control.runWhile,
  until: control.runUntil,
  for: control.runFor,
  foreach: control.runForeach,
  forkeyval: control.runForkeyval,
  cast: casts.runCast,
  ifnotnull: casts.runIfNotNull,
  pack: casts.runPack,
  unpack: casts.runUnpack,
  fail: effects.runFail,
  try: effects.runTry,
  log: effects.runLog,
  'call-library': functions.runLibraryCall,
  'call-user': functions.runUserCall,
  choose: functions.runChoose,
  emit: functions.runEmit,
}

export const prepare = (node: Typed, machine: Machine): Run =>
  (rules[node.kind] as (node: Typed, machine: Machine) => Run)(node, machine)

export const prepareAll = (nodes: readonly Typed[], machine: Machine): readonly Run[] =>
  nodes.map((node) => prepare(node, machine))

export function prepareBlock(block: Block, machine: Machine): Run {
  const steps = prepareAll(block, machine)
  return (frame) => {
    let result: unknown = null
    for (const step of steps) result = step(frame)
    return result
  }
}
