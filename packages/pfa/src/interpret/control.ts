// Order and repetition. Every turn of a loop looks at the clock.
import type { Cond, Do, For, Foreach, Forkeyval, Until, While } from '../check/typed.ts'
import { prepare, prepareBlock } from './expressions.ts'
import type { Run } from './frame.ts'
import type { Machine } from './program.ts'
import { prepareBindings } from './variables.ts'

export const runDo = (node: Do, machine: Machine): Run => prepareBlock(node.body, machine)

export function runCond(node: Cond, machine: Machine): Run {
  const branches = node.branches.map(({ test, body }) => ({
    test: prepare(test, machine),
    body: prepareBlock(body, machine),
  }))
  const otherwise = node.otherwise && prepareBlock(node.otherwise, machine)
  return (frame) => {
    for (const { test, body } of branches) {
      if (test(frame)) {
        const result = body(frame)
        return otherwise === undefined ? null : result
      }
    }
    return otherwise === undefined ? null : otherwise(frame)
  }
}

export function runWhile(node: While, machine: Machine): Run {
  const test = prepare(node.test, machine)
  const body = prepareBlock(node.body, machine)
  return (frame) => {
    while (test(frame)) {
      machine.checkTime()
      body(frame)
    }
    return null
  }
}

export function runUntil(node: Until, machine: Machine): Run {
  const test = prepare(node.test, machine)
  const body = prepareBlock(node.body, machine)
  return (frame) => {
    do {
      machine.checkTime()
      body(frame)
    } while (!test(frame))
    return null
  }
}

export function runFor(node: For, machine: Machine): Run {
  const start = prepareBindings(node.bindings, machine, true)
  const test = prepare(node.test, machine)
  const step = prepareBindings(node.steps, machine, false)
  const body = prepareBlock(node.body, machine)
  return (frame) => {
    for (start(frame); test(frame); step(frame)) {
      machine.checkTime()
      body(frame)
    }
    return null
  }
}

export function runForeach(node: Foreach, machine: Machine): Run {
  const over = prepare(node.over, machine)
  const body = prepareBlock(node.body, machine)
  return (frame) => {
    for (const item of over(frame) as readonly unknown[]) {
      machine.checkTime()
      frame.declare(node.variable, item)
      body(frame)
    }
    return null
  }
}

export function runForkeyval(node: Forkeyval, machine: Machine): Run {
  const over = prepare(node.over, machine)
  const body = prepareBlock(node.body, machine)
  return (frame) => {
    for (const [key, value] of over(frame) as ReadonlyMap<string, unknown>) {
      machine.checkTime()
      frame.declare(node.key, key)
      frame.declare(node.value, value)
      body(frame)
    }
    return null
  }
}
