// Literals and new arrays, maps and records.
import type { Constant, NewArray, NewMap, NewRecord } from '../check/typed.ts'
import { prepare, prepareAll } from './expressions.ts'
import type { Run } from './frame.ts'
import type { Machine } from './program.ts'

export const runConstant =
  (node: Constant, _machine: Machine): Run =>
  () =>
    node.value

export function runNewArray(node: NewArray, machine: Machine): Run {
  const items = prepareAll(node.items, machine)
  return (frame) => items.map((item) => item(frame))
}

export function runNewMap(node: NewMap, machine: Machine): Run {
  const entries = node.entries.map(([key, value]) => [key, prepare(value, machine)] as const)
  return (frame) => new Map(entries.map(([key, value]) => [key, value(frame)]))
}

export function runNewRecord(node: NewRecord, machine: Machine): Run {
  const entries = node.entries.map(([name, value]) => [name, prepare(value, machine)] as const)
  const names = node.type.fields.map((field) => field.name)
  return (frame) => {
    const values = new Map(entries.map(([name, value]) => [name, value(frame)]))
    return record(names, (name) => values.get(name))
  }
}

/** Own properties in the order of the fields, `__proto__` like any other. */
export function record(names: readonly string[], value: (name: string) => unknown): object {
  return Object.fromEntries(names.map((name) => [name, value(name)]))
}
