// State that all jets of a job share, for models in JavaScript: names go in, cells and pools come out.
import type { AskHost } from './models.ts'

export interface Cell {
  get(): unknown
  set(value: unknown): void
  /** Gives the new value. Nobody else changes the cell between the look at it and its change. */
  update(change: (value: unknown) => unknown): unknown
}

export interface Pool {
  get(key: string): unknown
  set(key: string, value: unknown): void
  update(key: string, change: (value: unknown) => unknown): unknown
  delete(key: string): void
}

type Item = { readonly cell: string } | { readonly pool: string; readonly key: string }

export function sharedState(ask: AskHost): { cells(name: string): Cell; pools(name: string): Pool } {
  const update = (item: Item, change: (value: unknown) => unknown): unknown => {
    const old = ask({ do: 'lock', ...item })
    let value: unknown
    try {
      value = change(old)
    } finally {
      ask(value === undefined ? { do: 'release', ...item } : { do: 'release', ...item, value })
    }
    return value
  }
  return {
    cells: (name) => ({
      get: () => ask({ do: 'get', cell: name }),
      set: (value) => void ask({ do: 'set', cell: name, value }),
      update: (change) => update({ cell: name }, change),
    }),
    pools: (name) => ({
      get: (key) => ask({ do: 'get', pool: name, key }),
      set: (key, value) => void ask({ do: 'set', pool: name, key, value }),
      update: (key, change) => update({ pool: name, key }, change),
      delete: (key) => void ask({ do: 'set', pool: name, key }),
    }),
  }
}
