// Symbols: reading, let, set.
import type { Let, Set_, TypedBinding, VariableUse } from '../check/typed.ts'
import { prepare } from './expressions.ts'
import type { Frame, Run } from './frame.ts'
import type { Machine } from './program.ts'

export const runUse =
  (node: VariableUse, _machine: Machine): Run =>
  (frame) =>
    frame.get(node.variable)

/** All values are evaluated before any is stored. */
export function prepareBindings(
  bindings: readonly TypedBinding[],
  machine: Machine,
  declare: boolean,
): (frame: Frame) => void {
  const prepared = bindings.map(({ variable, value }) => ({ variable, run: prepare(value, machine) }))
  return (frame) => {
    const values = prepared.map(({ run }) => run(frame))
    for (const [index, { variable }] of prepared.entries()) {
      if (declare) frame.declare(variable, values[index])
      else {
        machine.limitSize(values[index])
        frame.set(variable, values[index])
      }
    }
  }
}

export function runLet(node: Let, machine: Machine): Run {
  const bind = prepareBindings(node.bindings, machine, true)
  return (frame) => {
    bind(frame)
    return null
  }
}

export function runSet(node: Set_, machine: Machine): Run {
  const bind = prepareBindings(node.bindings, machine, false)
  return (frame) => {
    bind(frame)
    return null
  }
}
