// error, try, log.
import { compileJson } from '@pitot/avro'
import type { Fail, Log, Try } from '../check/typed.ts'
import { catcher, userError } from '../runtime/failures.ts'
import { prepare, prepareBlock } from './expressions.ts'
import type { Run } from './frame.ts'
import type { Machine } from './program.ts'

export function runFail(node: Fail, _machine: Machine): Run {
  const fail = userError(node.message, node.code, node.at)
  return () => {
    throw fail()
  }
}

export function runTry(node: Try, machine: Machine): Run {
  const body = prepareBlock(node.body, machine)
  const catches = catcher(node.filter)
  return (frame) => {
    try {
      return body(frame)
    } catch (error) {
      if (!catches(error)) throw error
      return null
    }
  }
}

export function runLog(node: Log, machine: Machine): Run {
  const values = node.values.map((value) => {
    const run = prepare(value, machine)
    const write = value.type.kind === 'exception' ? undefined : compileJson(value.type, { generate: false }).writeValue
    return write === undefined ? run : (((frame) => write(run(frame))) satisfies Run)
  })
  return (frame) => {
    machine.environment.log(
      values.map((value) => value(frame)),
      node.namespace,
    )
    return null
  }
}
