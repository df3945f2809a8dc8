// Calls of library and user functions, functions as arguments, emit.
import type { CallLibrary, CallUser, Choose, Emit, Typed, TypedFunction } from '../check/typed.ts'
import { prepare, prepareAll, prepareBlock } from './expressions.ts'
import { Frame, type Run } from './frame.ts'
import type { Machine } from './program.ts'
import { prepareBindings } from './variables.ts'

type Call = (...args: unknown[]) => unknown

/** A function that sees the frame in which it stands. */
export function prepareFunction(node: TypedFunction, machine: Machine): (frame: Frame) => Call {
  const bind = prepareBindings(node.bindings, machine, true)
  const body = prepareBlock(node.body, machine)
  return (frame) => {
    const around = new Frame(frame)
    bind(around)
    return (...args) => {
      const inside = new Frame(around)
      for (const [index, param] of node.params.entries()) inside.declare(param, args[index])
      return body(inside)
    }
  }
}

/** The second operand of these is evaluated only when the first does not decide. */
const decides: Readonly<Record<string, boolean>> = { '&&': false, '||': true }

export function runLibraryCall(node: CallLibrary, machine: Machine): Run {
  if (Object.hasOwn(decides, node.name)) return runShortCircuit(node, machine)
  const call = machine.libraryFunction(node) as Call
  const args = node.args.map((arg) => (arg.kind === 'function' ? prepareFunction(arg, machine) : prepare(arg, machine)))
  return (frame) => call(...args.map((arg) => arg(frame)))
}

function runShortCircuit(node: CallLibrary, machine: Machine): Run {
  const [first, second] = prepareAll(node.args as readonly Typed[], machine)
  const decisive = decides[node.name]
  return (frame) => (first?.(frame) === decisive ? decisive : second?.(frame))
}

export function runUserCall(node: CallUser, machine: Machine): Run {
  const args = prepareAll(node.args, machine)
  const callee = machine.userFunction(node.callee)
  return (frame) => callee(args.map((arg) => arg(frame)))
}

export function runChoose(node: Choose, machine: Machine): Run {
  const choice = prepare(node.choice, machine)
  const bind = prepareBindings(node.args, machine, true)
  const options = new Map(node.options.map(({ symbol, body }) => [symbol, prepare(body, machine)]))
  return (frame) => {
    const symbol = choice(frame) as string
    bind(frame)
    return options.get(symbol)?.(frame)
  }
}

export function runEmit(node: Emit, machine: Machine): Run {
  const value = prepare(node.value, machine)
  return (frame) => {
    machine.environment.emit(value(frame))
    return null
  }
}
