// Cells and pools that the jets of a job share: questions of jets go in, answers come out, at once or when an item is free.
import type { SharedStateStore } from '../jet.ts'
import type { Answer, Ask, SharedState } from '../messages.ts'
import { sizeInWords, sizeOf, sizeOfItem, sizeOfPool } from './state-size.ts'

/** A jet that waits for an item, for whoever wants to know why nothing moves. */
export interface Waiting {
  readonly holder: string
  /** In words: `cell count`, `item "a" of pool users`. */
  readonly item: string
  readonly heldBy: string
  /** Milliseconds since the epoch. */
  readonly since: number
}

interface Item {
  readonly ask: ItemName
  readonly name: string
  /** Where it is kept as long as anything is to be known of it. */
  readonly home: Map<string, Item>
  readonly key: string
  value: unknown
  /** Of the value; 0 without one. */
  bytes: number
  /** Who has locked it, and how often: a jet may lock again what it holds. */
  holder: string | undefined
  depth: number
  /** First come, first served. */
  readonly queue: Waiter[]
}

interface Waiter {
  readonly holder: string
  readonly item: Item
  readonly since: number
  readonly take: () => void
  readonly refuse: (sentence: string) => void
}

/** One step of a circle of jets that wait for each other. */
export interface WaitsFor {
  readonly holder: string
  readonly item: ItemName
  readonly heldBy: string
}

const KEPT_DEADLOCKS = 10
const USUAL_LIMIT = 256 * 2 ** 20

export class SharedStateTable implements SharedStateStore {
  /** Bytes that cells and pools may hold together: they are kept in the engine, which all jets need. */
  readonly limit: number
  #bytes = 0
  readonly #cells = new Map<string, Item>()
  readonly #pools = new Map<string, Map<string, Item>>()
  /** A jet asks one thing at a time, so it waits for one item at most. */
  readonly #waiters = new Map<string, Waiter>()
  readonly #held = new Map<string, Set<Item>>()
  readonly #deadlocks: (readonly WaitsFor[])[] = []
  #deadlockCount = 0

  constructor(limit = USUAL_LIMIT) {
    this.limit = limit
  }

  /** What cells and pools hold, counted as it changes. */
  get bytes(): number {
    return this.#bytes
  }

  async ask(holder: string, ask: Ask): Promise<Answer> {
    switch (ask.do) {
      case 'get':
        return answerWith(this.#find(ask)?.value)
      case 'set':
        return this.#set(holder, ask)
      case 'lock':
        return this.#lock(holder, ask)
      case 'release':
        return this.#release(holder, ask)
    }
  }

  forget(holder: string): void {
    const waiter = this.#waiters.get(holder)
    if (waiter) {
      this.#waiters.delete(holder)
      waiter.item.queue.splice(waiter.item.queue.indexOf(waiter), 1)
      waiter.refuse(`jet ${holder} is gone`)
    }
    for (const item of this.#held.get(holder) ?? []) this.#free(item)
    this.#held.delete(holder)
  }

  /** What cells and pools hold now. What a jet has locked is as it was before. */
  snapshot(): SharedState {
    const values = (items: Map<string, Item>) =>
      Object.fromEntries(
        Array.from(items, ([name, item]) => [name, item.value]).filter(([, value]) => value !== undefined),
      )
    return {
      cells: values(this.#cells),
      pools: Object.fromEntries(Array.from(this.#pools, ([name, pool]) => [name, values(pool)])),
    }
  }

  /** Everything is as in the snapshot, and what is not in it is gone. Locks stay with whoever has them. */
  restore(state: SharedState): void {
    this.#clear(this.#cells)
    for (const [name, pool] of this.#pools) {
      this.#clear(pool)
      if (pool.size > 0) continue
      this.#pools.delete(name)
      this.#bytes -= sizeOfPool(name)
    }
    for (const [cell, value] of Object.entries(state.cells)) this.#put(this.#item({ cell }), value, sizeOf(value))
    for (const [pool, items] of Object.entries(state.pools)) {
      this.#pool(pool)
      for (const [key, value] of Object.entries(items)) this.#put(this.#item({ pool, key }), value, sizeOf(value))
    }
  }

  waiting(): Waiting[] {
    return Array.from(this.#waiters.values(), ({ holder, item, since }) => ({
      holder,
      item: item.name,
      heldBy: item.holder ?? '',
      since,
    }))
  }

  /** How often jets would have waited for each other without end. */
  get deadlockCount(): number {
    return this.#deadlockCount
  }

  /** The circles of jets that would have waited for each other without end, since the last time it was asked. */
  takeDeadlocks(): (readonly WaitsFor[])[] {
    return this.#deadlocks.splice(0)
  }

  #lock(holder: string, ask: Ask): Promise<Answer> | Answer {
    if (!this.#hasRoomFor(ask)) return this.#refusal(ask)
    return this.#whenFree(holder, this.#item(ask), (item) => {
      this.#hold(holder, item)
      return answerWith(item.value)
    })
  }

  /** Waits for a lock as `lock` does: otherwise the release would undo what was set meanwhile. */
  #set(holder: string, ask: Ask): Promise<Answer> | Answer {
    if (ask.value === undefined && this.#find(ask) === undefined) return {}
    if (!this.#hasRoomFor(ask)) return this.#refusal(ask)
    return this.#whenFree(holder, this.#item(ask), (item) => {
      const answer = this.#change(item, ask.value)
      this.#tidy(item)
      return answer
    })
  }

  /** Lets go even of what is refused: nobody would do so later. */
  #release(holder: string, ask: Ask): Answer {
    const item = this.#find(ask)
    if (item?.holder !== holder)
      return { failed: `${nameOf(ask)} is not locked by this jet: lock it before the release` }
    const answer = ask.value === undefined ? {} : this.#change(item, ask.value)
    item.depth--
    if (item.depth > 0) return answer
    this.#held.get(holder)?.delete(item)
    this.#free(item)
    return answer
  }

  /** What takes no more room than before is always good. */
  #change(item: Item, value: unknown): Answer {
    const bytes = value === undefined ? 0 : sizeOf(value)
    if (bytes > item.bytes && this.#bytes + bytes - item.bytes > this.limit) return this.#refusal(item.ask)
    this.#put(item, value, bytes)
    return {}
  }

  #put(item: Item, value: unknown, bytes: number): void {
    this.#bytes += bytes - item.bytes
    item.bytes = bytes
    item.value = value
  }

  /** Whether the item is there, or may come. */
  #hasRoomFor(ask: ItemName): boolean {
    if (this.#find(ask) !== undefined) return true
    const pool = 'cell' in ask || this.#pools.has(ask.pool) ? 0 : sizeOfPool(ask.pool)
    return this.#bytes + pool + sizeOfItem(keyOf(ask)) <= this.limit
  }

  #refusal(ask: ItemName): Answer {
    const limit = sizeInWords(this.limit)
    return {
      failed: `${nameOf(ask)} was not changed: with it the cells and pools of the job would hold more than the ${limit} that they may (--state-memory)`,
    }
  }

  #whenFree(holder: string, item: Item, act: (item: Item) => Answer): Promise<Answer> | Answer {
    if (item.holder === undefined || item.holder === holder) return act(item)
    const circle = this.#circle(holder, item)
    if (circle) {
      this.#deadlockCount++
      this.#deadlocks.push(circle)
      if (this.#deadlocks.length > KEPT_DEADLOCKS) this.#deadlocks.shift()
      return { failed: sentenceOf(circle) }
    }
    return new Promise((resolve) => {
      const waiter: Waiter = {
        holder,
        item,
        since: Date.now(),
        take: () => resolve(act(item)),
        refuse: (failed) => resolve({ failed }),
      }
      item.queue.push(waiter)
      this.#waiters.set(holder, waiter)
    })
  }

  /** The circle that would close if `asker` waited for the item; undefined when none would. */
  #circle(asker: string, wanted: Item): WaitsFor[] | undefined {
    const steps: WaitsFor[] = [{ holder: asker, item: wanted.ask, heldBy: wanted.holder! }]
    let holder = wanted.holder!
    while (holder !== asker) {
      const item = this.#waiters.get(holder)?.item
      // Whoever takes from a queue holds the item before anybody can ask again, so a waiter's item has a holder.
      if (item?.holder === undefined) return undefined
      steps.push({ holder, item: item.ask, heldBy: item.holder })
      holder = item.holder
    }
    return steps
  }

  #hold(holder: string, item: Item): void {
    item.holder = holder
    item.depth++
    const held = this.#held.get(holder)
    if (held) held.add(item)
    else this.#held.set(holder, new Set([item]))
  }

  /** Hands the item to those who wait, until one of them keeps it. */
  #free(item: Item): void {
    item.holder = undefined
    item.depth = 0
    while (item.holder === undefined && item.queue.length > 0) {
      const waiter = item.queue.shift()!
      this.#waiters.delete(waiter.holder)
      waiter.take()
    }
    this.#tidy(item)
  }

  /** An item without a value that nobody has locked or waits for costs no memory. */
  #tidy(item: Item): void {
    if (item.value !== undefined || item.holder !== undefined || item.queue.length > 0) return
    if (item.home.delete(item.key)) this.#bytes -= sizeOfItem(item.key)
  }

  #clear(items: Map<string, Item>): void {
    for (const item of items.values()) {
      this.#put(item, undefined, 0)
      this.#tidy(item)
    }
  }

  #find(ask: ItemName): Item | undefined {
    return 'cell' in ask ? this.#cells.get(ask.cell) : this.#pools.get(ask.pool)?.get(ask.key)
  }

  #item(given: ItemName): Item {
    // What was asked has more in it than the name.
    const ask: ItemName = 'cell' in given ? { cell: given.cell } : { pool: given.pool, key: given.key }
    const home = 'cell' in ask ? this.#cells : this.#pool(ask.pool)
    const key = keyOf(ask)
    let item = home.get(key)
    if (!item) {
      item = { ask, name: nameOf(ask), home, key, value: undefined, bytes: 0, holder: undefined, depth: 0, queue: [] }
      home.set(key, item)
      this.#bytes += sizeOfItem(key)
    }
    return item
  }

  #pool(name: string): Map<string, Item> {
    let pool = this.#pools.get(name)
    if (!pool) {
      pool = new Map()
      this.#pools.set(name, pool)
      this.#bytes += sizeOfPool(name)
    }
    return pool
  }
}

type ItemName = { readonly cell: string } | { readonly pool: string; readonly key: string }

function sentenceOf(circle: readonly WaitsFor[]): string {
  const steps = circle.map(
    ({ holder, item, heldBy }) => `jet ${holder} waits for ${nameOf(item)}, held by jet ${heldBy}`,
  )
  return `waiting would never end: ${steps.join('; ')}. Lock items in the same order everywhere`
}

function keyOf(ask: ItemName): string {
  return 'cell' in ask ? ask.cell : ask.key
}

function nameOf(ask: ItemName): string {
  return 'cell' in ask ? `cell ${ask.cell}` : `item ${JSON.stringify(ask.key)} of pool ${ask.pool}`
}

function answerWith(value: unknown): Answer {
  return value === undefined ? {} : { value }
}
