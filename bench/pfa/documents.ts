// The benchmark's work: five documents with their inputs, from the recorded set where it is present, else made here.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface Work {
  readonly name: string
  /** The document as JSON text. */
  readonly document: string
  /** Inputs as lines of JSON. */
  readonly lines: readonly string[]
}

const folder = fileURLToPath(new URL('../../../shared/pfa/perf', import.meta.url))
const names = ['a_arith', 'b_linreg', 'c_forest', 'd_kmeans', 'e_moving'] as const

export function works(): readonly Work[] {
  return names.map((name) => (existsSync(folder) ? recordedWork(name) : { name, ...makers[name]() }))
}

const recordedWork = (name: string): Work => ({
  name,
  document: readFileSync(`${folder}/${name}.json`, 'utf8'),
  lines: readFileSync(`${folder}/${name}.input.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line !== ''),
})

/** Numbers that are the same in every run, roughly normal. */
function numbers(seed: number): () => number {
  let state = seed
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
  return () => Number((uniform() + uniform() + uniform() + uniform() - 2).toFixed(6))
}

const vector = (next: () => number, length: number): number[] => Array.from({ length }, next)
const inputs = (make: () => unknown): string[] => Array.from({ length: 10_000 }, () => JSON.stringify(make()))
const fields = Array.from({ length: 10 }, (_, index) => `x${index}`)
const doubles = { type: 'array', items: 'double' }

function tree(next: () => number, depth: number): unknown {
  const branch = (): unknown => (depth > 1 && next() > -1.2 ? { TreeNode: tree(next, depth - 1) } : { double: next() })
  const field = fields[Math.abs(Math.round(next() * 5)) % fields.length]
  return { field, operator: '<', value: next(), pass: branch(), fail: branch() }
}

const makers: Readonly<Record<(typeof names)[number], () => Omit<Work, 'name'>>> = {
  a_arith: () => {
    const next = numbers(1)
    const document = { input: 'double', output: 'double', action: [{ '+': ['input', 10] }] }
    return { document: JSON.stringify(document), lines: inputs(next) }
  },
  b_linreg: () => {
    const next = numbers(2)
    const type = {
      type: 'record',
      name: 'Model',
      fields: [
        { name: 'coeff', type: doubles },
        { name: 'const', type: 'double' },
      ],
    }
    const document = {
      input: doubles,
      output: 'double',
      cells: { model: { type, init: { coeff: vector(next, 10), const: next() } } },
      action: [{ 'model.reg.linear': ['input', { cell: 'model' }] }],
    }
    return { document: JSON.stringify(document), lines: inputs(() => vector(next, 10)) }
  },
  c_forest: () => {
    const next = numbers(3)
    const node = {
      type: 'record',
      name: 'TreeNode',
      fields: [
        { name: 'field', type: { type: 'enum', name: 'Fields', symbols: fields } },
        { name: 'operator', type: 'string' },
        { name: 'value', type: 'double' },
        { name: 'pass', type: ['double', 'TreeNode'] },
        { name: 'fail', type: ['double', 'TreeNode'] },
      ],
    }
    const document = {
      input: { type: 'record', name: 'Datum', fields: fields.map((name) => ({ name, type: 'double' })) },
      output: 'double',
      cells: {
        forest: { type: { type: 'array', items: node }, init: Array.from({ length: 100 }, () => tree(next, 7)) },
      },
      action: [
        {
          'a.mean': {
            'a.map': [
              { cell: 'forest' },
              { params: [{ t: 'TreeNode' }], ret: 'double', do: { 'model.tree.simpleTree': ['input', 't'] } },
            ],
          },
        },
      ],
    }
    const datum = () => Object.fromEntries(fields.map((name) => [name, next()]))
    return { document: JSON.stringify(document), lines: inputs(datum) }
  },
  d_kmeans: () => {
    const next = numbers(4)
    const type = {
      type: 'record',
      name: 'Cluster',
      fields: [
        { name: 'id', type: 'string' },
        { name: 'center', type: doubles },
      ],
    }
    const metric = {
      params: [{ x: doubles }, { y: doubles }],
      ret: 'double',
      do: { 'metric.euclidean': [{ fcn: 'metric.absDiff' }, 'x', 'y'] },
    }
    const init = Array.from({ length: 10 }, (_, index) => ({ id: `c${index}`, center: vector(next, 10) }))
    const document = {
      input: doubles,
      output: 'string',
      cells: { clusters: { type: { type: 'array', items: type }, init } },
      action: [
        { attr: { 'model.cluster.closest': ['input', { cell: 'clusters' }, metric] }, path: [{ string: 'id' }] },
      ],
    }
    return { document: JSON.stringify(document), lines: inputs(() => vector(next, 10)) }
  },
  e_moving: () => {
    const next = numbers(5)
    const ewma = { type: 'record', name: 'Ewma', fields: [{ name: 'mean', type: 'double' }] }
    const out = {
      type: 'record',
      name: 'Out',
      fields: [
        { name: 'n', type: 'long' },
        { name: 'ewma', type: 'double' },
        { name: 'mean', type: 'double' },
      ],
    }
    const change = (cell: string, type: unknown, body: unknown) => ({
      cell,
      to: { params: [{ old: type }], ret: type, do: body },
    })
    const document = {
      input: 'double',
      output: out,
      cells: {
        n: { type: 'long', init: 0 },
        ewma: { type: ewma, init: { mean: 0 } },
        window: { type: doubles, init: [] },
      },
      action: [
        change('n', 'long', { '+': ['old', 1] }),
        change('ewma', 'Ewma', { 'stat.sample.updateEWMA': ['input', 0.1, 'old'] }),
        change('window', doubles, { 'a.cycle': ['old', 'input', 20] }),
        {
          type: 'Out',
          new: {
            n: { cell: 'n' },
            ewma: { cell: 'ewma', path: [{ string: 'mean' }] },
            mean: { 'a.mean': { cell: 'window' } },
          },
        },
      ],
    }
    return { document: JSON.stringify(document), lines: inputs(next) }
  },
}
