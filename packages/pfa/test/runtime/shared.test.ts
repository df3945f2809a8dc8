// Cells and pools that are kept outside the process: what documents ask of the store, and what they make of its answers.
import { describe, expect, test } from 'vitest'
import { compile, type SharedItem, type SharedStore } from '../../src/index.ts'

/** Keeps JSON texts, as a store in another process does, and writes down what it is asked. */
class TextStore implements SharedStore {
  readonly asked: string[] = []
  readonly texts = new Map<string, string>()
  readonly held = new Set<string>()

  get(item: SharedItem): unknown {
    return this.#answer('get', item)
  }

  set(item: SharedItem, value: unknown): void {
    this.#keep(this.#name('set', item), value)
  }

  lock(item: SharedItem): unknown {
    const name = nameOf(item)
    expect(this.held.has(name)).toBe(false)
    this.held.add(name)
    return this.#answer('lock', item)
  }

  release(item: SharedItem, value?: unknown): void {
    const name = this.#name('release', item)
    expect(this.held.delete(name)).toBe(true)
    if (value !== undefined) this.#keep(name, value)
  }

  #name(act: string, item: SharedItem): string {
    this.asked.push(`${act} ${nameOf(item)}`)
    return nameOf(item)
  }

  #answer(act: string, item: SharedItem): unknown {
    const text = this.texts.get(this.#name(act, item))
    return text === undefined ? undefined : JSON.parse(text)
  }

  #keep(name: string, value: unknown): void {
    if (value === undefined) this.texts.delete(name)
    else this.texts.set(name, JSON.stringify(value))
  }
}

const nameOf = (item: SharedItem): string => ('cell' in item ? item.cell : `${item.pool}.${item.key}`)

describe.each([
  ['generated', true],
  ['interpreted', false],
])('shared stores, %s', (_, generate) => {
  const start = (document: object, shared: SharedStore) => compile(document, { generate }).start({ shared })
  const add = { params: [{ old: 'int' }], ret: 'int', do: { '+': ['old', 'input'] } }
  const failing = { params: [{ old: 'int' }], ret: 'int', do: [{ error: 'no' }, 'old'] }
  const cell = { type: 'int', init: 100, shared: true }
  const pool = { type: 'int', shared: true }

  test('an update is made under a lock, and starts from the document', () => {
    const store = new TextStore()
    const document = { input: 'int', output: 'int', cells: { c: cell }, action: { cell: 'c', to: add } }
    const [one, two] = [start(document, store), start(document, store)]
    expect([one.action(1), two.action(2), one.action(3)]).toEqual([101, 103, 106])
    expect(store.asked).toEqual(['lock c', 'release c', 'lock c', 'release c', 'lock c', 'release c'])
  })

  test('a plain value and a look need no lock', () => {
    const store = new TextStore()
    const document = {
      input: 'int',
      output: 'int',
      cells: { c: cell },
      action: [{ cell: 'c', to: 'input' }, { cell: 'c' }],
    }
    expect(start(document, store).action(7)).toBe(7)
    expect(store.asked).toEqual(['set c', 'get c'])
  })

  test('an update that fails lets go and changes nothing', () => {
    const store = new TextStore()
    const document = { input: 'int', output: 'int', cells: { c: cell }, action: { cell: 'c', to: failing } }
    expect(() => start(document, store).action(1)).toThrow('no')
    expect(store.asked).toEqual(['lock c', 'release c'])
    expect(store.texts.size).toBe(0)
  })

  test('a part of a cell', () => {
    const store = new TextStore()
    const map = { type: { type: 'map', values: 'int' }, init: { a: 1 }, shared: true }
    const document = {
      input: 'int',
      output: 'int',
      cells: { c: map },
      action: [
        { cell: 'c', path: [['a']], to: add },
        { cell: 'c', path: [['a']] },
      ],
    }
    expect(start(document, store).action(5)).toBe(6)
    expect(store.asked).toEqual(['lock c', 'release c', 'get c'])
  })

  test('a cell that nothing writes to is looked at once', () => {
    const store = new TextStore()
    store.set({ cell: 'c' }, 5)
    const document = { input: 'int', output: 'int', cells: { c: cell }, action: { '+': ['input', { cell: 'c' }] } }
    const instance = start(document, store)
    expect([instance.action(1), instance.action(2)]).toEqual([6, 7])
    expect(store.asked).toEqual(['set c', 'get c'])
  })

  test('items of a pool are locked one by one', () => {
    const store = new TextStore()
    const document = {
      input: 'string',
      output: 'int',
      pools: { p: pool },
      action: {
        pool: 'p',
        path: ['input'],
        to: { params: [{ old: 'int' }], ret: 'int', do: { '+': ['old', 1] } },
        init: 10,
      },
    }
    const [one, two] = [start(document, store), start(document, store)]
    expect([one.action('a'), two.action('a'), two.action('b')]).toEqual([11, 12, 11])
    expect(store.asked.slice(0, 2)).toEqual(['lock p.a', 'release p.a'])
    expect(store.held.size).toBe(0)
  })

  test("a pool's first items are put into the store once, so that what is removed stays away", () => {
    const store = new TextStore()
    const document = {
      input: 'boolean',
      output: 'int',
      pools: { p: { ...pool, init: { k: 3 } } },
      action: [
        { if: 'input', then: { pool: 'p', del: { string: 'k' } } },
        { pool: 'p', path: [['k']] },
      ],
    }
    const [one, two] = [start(document, store), start(document, store)]
    expect(one.action(false)).toBe(3)
    expect(() => one.action(true)).toThrow('map key not found')
    expect(() => two.action(false)).toThrow('map key not found')
  })

  test('longs keep their digits, and a snapshot holds only what is not shared', () => {
    const store = new TextStore()
    const document = {
      input: 'long',
      output: 'long',
      cells: { c: { type: 'long', init: 0, shared: true }, own: { type: 'int', init: 1 } },
      pools: { p: pool, mine: { type: 'int', init: { a: 1 } } },
      action: { cell: 'c', to: 'input' },
    }
    const instance = start(document, store)
    instance.action(9007199254740993n)
    expect(store.texts.get('c')).toBe('9007199254740993')
    expect(instance.snapshot()).toMatchObject({ cells: { own: 1 }, pools: { mine: { a: 1 } } })
    expect(Object.keys(instance.snapshot().cells)).toEqual(['own'])
    expect(Object.keys(instance.snapshot().pools)).toEqual(['mine'])
  })
})
