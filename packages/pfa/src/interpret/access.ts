// Paths into values, cells and pools; updates copy what lies on the path.
import { cellToErrors, poolErrors, poolToErrors } from '../check/access.ts'
import type {
  CellTo,
  CellUse,
  Get,
  PathErrors,
  PathStep,
  PoolDel,
  PoolTo,
  PoolUse,
  Replacement,
  Update,
} from '../check/typed.ts'
import { pathError } from '../runtime/failures.ts'
import { prepare } from './expressions.ts'
import type { Frame, Run } from './frame.ts'
import { prepareFunction } from './functions.ts'
import { record } from './literals.ts'
import type { Machine } from './program.ts'

interface PreparedStep {
  readonly step: PathStep
  readonly key: Run
}

const preparePath = (path: readonly PathStep[], machine: Machine): readonly PreparedStep[] =>
  path.map((step) => ({ step, key: step.kind === 'field' ? () => step.name : prepare(step.value, machine) }))

const keysOf = (path: readonly PreparedStep[], frame: Frame): unknown[] => path.map(({ key }) => key(frame))

/** What one step leads to; fails when the index or key is not there. */
function stepInto(value: unknown, step: PathStep, key: unknown, errors: PathErrors, at: string): unknown {
  switch (step.kind) {
    case 'field':
      return Reflect.get(value as object, step.name)
    case 'index': {
      const array = value as readonly unknown[]
      const index = key as number
      if (!(index >= 0 && index < array.length))
        throw pathError(errors.index, errors.name, 'array index not found', at)()
      return array[index]
    }
    case 'key': {
      const map = value as ReadonlyMap<string, unknown>
      if (!map.has(key as string)) throw pathError(errors.key, errors.name, 'map key not found', at)()
      return map.get(key as string)
    }
  }
}

export function runGet(node: Get, machine: Machine): Run {
  const target = prepare(node.target, machine)
  const path = preparePath(node.path, machine)
  return (frame) => {
    const start = target(frame)
    const keys = keysOf(path, frame)
    return path.reduce((value, { step }, index) => stepInto(value, step, keys[index], node.errors, node.at), start)
  }
}

type Change = (old: unknown) => unknown

function prepareReplacement(to: Replacement, machine: Machine): (frame: Frame) => Change {
  if (to.kind === 'function') {
    const make = prepareFunction(to, machine)
    return (frame) => {
      const call = make(frame)
      return (old) => call(old)
    }
  }
  const run = prepare(to, machine)
  return (frame) => {
    const value = run(frame)
    return () => value
  }
}

/** A copy with the end of the path changed. */
function changed(
  value: unknown,
  path: readonly PreparedStep[],
  keys: readonly unknown[],
  place: number,
  errors: PathErrors,
  at: string,
  change: Change,
): unknown {
  const current = path[place]
  if (current === undefined) return change(value)
  const { step } = current
  const key = keys[place]
  const inside = changed(stepInto(value, step, key, errors, at), path, keys, place + 1, errors, at, change)
  if (step.kind === 'field') {
    const names = step.record.fields.map((field) => field.name)
    return record(names, (name) => (name === step.name ? inside : Reflect.get(value as object, name)))
  }
  if (step.kind === 'index') return (value as readonly unknown[]).with(Number(key), inside)
  return new Map(value as ReadonlyMap<string, unknown>).set(key as string, inside)
}

export function runUpdate(node: Update, machine: Machine): Run {
  const target = prepare(node.target, machine)
  const path = preparePath(node.path, machine)
  const replace = prepareReplacement(node.to, machine)
  return (frame) => {
    const start = target(frame)
    return changed(start, path, keysOf(path, frame), 0, node.errors, node.at, replace(frame))
  }
}

export const runCell = (node: CellUse, machine: Machine): Run => {
  const box = machine.cell(node.cell)
  return () => box.value
}

export function runCellTo(node: CellTo, machine: Machine): Run {
  const box = machine.cell(node.cell)
  const path = preparePath(node.path, machine)
  const replace = prepareReplacement(node.to, machine)
  // A plain value replaces the whole without looking at it.
  const whole = node.path.length === 0 && node.to.kind !== 'function'
  return (frame) => {
    const keys = keysOf(path, frame)
    const change = replace(frame)
    const update = () => {
      const value = changed(whole ? undefined : box.value, path, keys, 0, cellToErrors, node.at, change)
      machine.limitSize(value)
      box.value = value
      return value
    }
    return whole ? update() : machine.whileLocked(node.cell, '', update)
  }
}

export function runPool(node: PoolUse, machine: Machine): Run {
  const pool = machine.pool(node.pool)
  const key = prepare(node.key, machine)
  return (frame) => {
    const name = key(frame) as string
    if (!pool.has(name)) throw pathError(poolErrors.key, poolErrors.name, 'map key not found', node.at)()
    return pool.get(name)
  }
}

export function runPoolTo(node: PoolTo, machine: Machine): Run {
  const pool = machine.pool(node.pool)
  const key = prepare(node.key, machine)
  const path = preparePath(node.path, machine)
  const replace = prepareReplacement(node.to, machine)
  const init = prepare(node.init, machine)
  const whole = node.path.length === 0 && node.to.kind !== 'function'
  return (frame) => {
    const name = key(frame) as string
    const keys = keysOf(path, frame)
    const change = replace(frame)
    const first = init(frame)
    const update = () => {
      // A new item is there before its change is made, and stays when that fails.
      if (!whole && !pool.has(name)) {
        machine.remember(node.pool, name)
        pool.set(name, first)
      }
      const old = whole ? first : pool.get(name)
      const item = changed(old, path, keys, 0, poolToErrors, node.at, change)
      machine.remember(node.pool, name)
      pool.set(name, item)
      return item
    }
    return whole ? update() : machine.whileLocked(node.pool, name, update)
  }
}

export function runPoolDel(node: PoolDel, machine: Machine): Run {
  const pool = machine.pool(node.pool)
  const key = prepare(node.key, machine)
  return (frame) => {
    const name = key(frame) as string
    machine.remember(node.pool, name)
    pool.delete(name)
    return null
  }
}
