// The parts of a checked expression: an expression comes in, what it evaluates goes out, and whether the value is used.
import type { Block, CheckedProgram, PathStep, Replacement, Typed, TypedBinding, TypedFunction } from './typed.ts'

export interface Child {
  readonly node: Typed | TypedFunction
  /** False where a value is thrown away: all but the last of a block, bodies of loops, forms that give null. */
  readonly used: boolean
}

const value = (node: Typed | TypedFunction): Child => ({ node, used: true })
const values = (nodes: readonly (Typed | TypedFunction)[]): Child[] => nodes.map(value)
const bindings = (list: readonly TypedBinding[]): Child[] => list.map((binding) => value(binding.value))
const path = (steps: readonly PathStep[]): Child[] =>
  steps.flatMap((step) => (step.kind === 'field' ? [] : [value(step.value)]))

const blockChildren = (block: Block, used: boolean): Child[] =>
  block.map((node, index) => ({ node, used: used && index === block.length - 1 }))

/** A block with an optional "else": without one the form gives null, so that the value of the block is not used. */
const alternatives = (blocks: readonly Block[], otherwise: Block | undefined, used: boolean): Child[] => [
  ...blocks.flatMap((block) => blockChildren(block, used && otherwise !== undefined)),
  ...blockChildren(otherwise ?? [], used),
]

const change = (keys: Child[], steps: readonly PathStep[], to: Replacement): Child[] => [
  ...keys,
  ...path(steps),
  value(to),
]

/** In the order of evaluation, as far as it is fixed. `used`: whether the value of the expression itself is. */
export function childrenOf(node: Typed | TypedFunction, used = true): readonly Child[] {
  switch (node.kind) {
    case 'constant':
    case 'variable':
    case 'fail':
    case 'cell':
      return []
    case 'new-array':
      return values(node.items)
    case 'new-map':
    case 'new-record':
      return values(node.entries.map(([, entry]) => entry))
    case 'let':
    case 'set':
      return bindings(node.bindings)
    case 'convert':
    case 'emit':
      return [value(node.value)]
    case 'get':
      return [value(node.target), ...path(node.path)]
    case 'update':
      return change([value(node.target)], node.path, node.to)
    case 'cell-to':
      return change([], node.path, node.to)
    case 'pool':
    case 'pool-del':
      return [value(node.key)]
    case 'pool-to':
      return [...change([value(node.key)], node.path, node.to), value(node.init)]
    case 'do':
      return blockChildren(node.body, used)
    case 'try':
      return blockChildren(node.body, true)
    case 'cond':
      return [
        ...values(node.branches.map(({ test }) => test)),
        ...alternatives(
          node.branches.map(({ body }) => body),
          node.otherwise,
          used,
        ),
      ]
    case 'while':
    case 'until':
      return [value(node.test), ...blockChildren(node.body, false)]
    case 'for':
      return [...bindings(node.bindings), value(node.test), ...bindings(node.steps), ...blockChildren(node.body, false)]
    case 'foreach':
    case 'forkeyval':
      return [value(node.over), ...blockChildren(node.body, false)]
    case 'cast':
      return [value(node.value), ...node.cases.flatMap(({ body }) => blockChildren(body, used && !node.partial))]
    case 'ifnotnull':
      return [...bindings(node.bindings), ...alternatives([node.body], node.otherwise, used)]
    case 'unpack':
      return [value(node.value), ...alternatives([node.body], node.otherwise, used)]
    case 'pack':
      return values(node.items.map((item) => item.value))
    case 'log':
      return values(node.values)
    case 'call-library':
    case 'call-user':
      return values(node.args)
    case 'choose':
      return [value(node.choice), ...bindings(node.args), ...values(node.options.map(({ body }) => body))]
    case 'function':
      return [...bindings(node.bindings), ...blockChildren(node.body, true)]
  }
}

/** Everything that the routines and functions of a program evaluate. */
export const programChildren = (program: CheckedProgram): readonly Child[] => [
  ...blockChildren(program.begin.body, false),
  ...blockChildren(program.action.body, program.method !== 'emit'),
  ...blockChildren(program.end.body, false),
  ...blockChildren(program.merge?.body ?? [], true),
  ...program.functions.flatMap(({ body }) => blockChildren(body, true)),
]
