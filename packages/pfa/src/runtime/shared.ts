// Cells and pools marked "shared": those of one process, and those that are kept elsewhere, for instances in several processes.
//
// Code that changes a store by what it holds locks it first; a plain new value needs no lock.
import type { ValueCodec } from '../program.ts'
import type { Box, PoolItems } from './routines.ts'

export type SharedItem = { readonly cell: string } | { readonly pool: string; readonly key: string }

/** Where shared cells and pools are kept. Values are JSON values as `snapshot` gives them; undefined where there is none. */
export interface SharedStore {
  get(item: SharedItem): unknown
  /** Undefined removes the item. */
  set(item: SharedItem, value: unknown): void
  /** Waits until nobody else holds the item, and gives its value. */
  lock(item: SharedItem): unknown
  /** Lets go of the item, with its new value unless that is undefined. */
  release(item: SharedItem, value?: unknown): void
}

export interface SharedCell extends Box {
  lock(): void
  release(): void
}

export interface SharedPool extends PoolItems {
  lock(key: string): void
  release(key: string): void
}

/** In one process nothing comes between reading and writing. */
export class LocalCell implements SharedCell {
  value: unknown

  constructor(value: unknown) {
    this.value = value
  }

  lock(): void {}
  release(): void {}
}

export class LocalPool extends Map<string, unknown> implements SharedPool {
  lock(): void {}
  release(): void {}
}

/** A cell, or one item of a pool. While it is locked its value is here; else each look at it asks the store. */
export class RemoteCell implements SharedCell {
  readonly #store: SharedStore
  readonly #item: SharedItem
  readonly #codec: ValueCodec
  readonly #first: unknown
  #locks = 0
  #held: unknown
  #isChanged = false

  /** `first` is its value as long as the store has none. */
  constructor(store: SharedStore, item: SharedItem, codec: ValueCodec, first: unknown) {
    this.#store = store
    this.#item = item
    this.#codec = codec
    this.#first = first
  }

  get value(): unknown {
    return this.#locks > 0 ? this.#held : this.#read(this.#store.get(this.#item))
  }

  set value(value: unknown) {
    if (this.#locks === 0) this.#store.set(this.#item, this.#written(value))
    this.#held = value
    this.#isChanged = true
  }

  lock(): void {
    if (this.#locks === 0) this.#held = this.#read(this.#store.lock(this.#item))
    if (this.#locks++ === 0) this.#isChanged = false
  }

  release(): void {
    if (--this.#locks > 0) return
    const [value, isChanged] = [this.#held, this.#isChanged]
    this.#held = undefined
    if (isChanged && value === undefined) this.#store.set(this.#item, undefined)
    this.#store.release(this.#item, isChanged ? this.#written(value) : undefined)
  }

  #read(json: unknown): unknown {
    return json === undefined ? this.#first : this.#codec.readValue(json)
  }

  #written(value: unknown): unknown {
    return value === undefined ? undefined : this.#codec.writeValue(value)
  }
}

export class RemotePool implements SharedPool {
  readonly #store: SharedStore
  readonly #name: string
  readonly #codec: ValueCodec
  /** Items of the document that are not in the store yet; undefined once that is sure. */
  #first: ReadonlyMap<string, unknown> | undefined
  readonly #locked = new Map<string, RemoteCell>()

  constructor(store: SharedStore, name: string, codec: ValueCodec, first: ReadonlyMap<string, unknown>) {
    this.#store = store
    this.#name = name
    this.#codec = codec
    this.#first = first.size === 0 ? undefined : first
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  get(key: string): unknown {
    return this.#item(key).value
  }

  set(key: string, value: unknown): void {
    this.#item(key).value = value
  }

  delete(key: string): void {
    this.#item(key).value = undefined
  }

  lock(key: string): void {
    const item = this.#item(key)
    item.lock()
    this.#locked.set(key, item)
  }

  release(key: string): void {
    const item = this.#locked.get(key)
    this.#locked.delete(key)
    item?.release()
  }

  #item(key: string): RemoteCell {
    if (this.#first !== undefined) this.#fill(this.#first)
    return this.#locked.get(key) ?? new RemoteCell(this.#store, { pool: this.#name, key }, this.#codec, undefined)
  }

  /** The document's items are put into the store by one instance only: they would come back after they were removed. */
  #fill(first: ReadonlyMap<string, unknown>): void {
    // No cell of a document can have such a name.
    const isFilled = { cell: `${this.#name} is filled` }
    if (this.#store.lock(isFilled) === undefined) {
      for (const [key, value] of first) this.#store.set({ pool: this.#name, key }, this.#codec.writeValue(value))
    }
    this.#store.release(isFilled, true)
    this.#first = undefined
  }
}
