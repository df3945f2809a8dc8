// Taps: the points of a service that sensors can watch. A service registers them; nobody watching, they cost nothing.
import type { Reading, SensorProgram } from '@pitot/sensor'

/** Asked for its value whenever a sensor reads. */
export interface GaugeTap {
  readonly kind: 'gauge'
  readonly read: () => Reading
}

/**
 * Pushed to by whoever owns it: `tap.watch?.(value)`. The field is undefined unless a sensor watches, so that a tap which
 * nobody watches is one comparison, and whoever makes costly values can ask first.
 */
export class EventTap<Value extends Reading = Reading> {
  readonly kind = 'event'
  watch: ((value: Value) => void) | undefined
  readonly #watchers = new Set<(value: Value) => void>()

  /** The function given back ends it. */
  attach(watcher: (value: Value) => void): () => void {
    this.#watchers.add(watcher)
    this.#connect()
    return () => {
      this.#watchers.delete(watcher)
      this.#connect()
    }
  }

  #connect(): void {
    const [only, second] = this.#watchers
    if (second === undefined) this.watch = only
    else
      this.watch = (value) => {
        for (const watcher of this.#watchers) watcher(value)
      }
  }
}

/**
 * A tap whose readings are made elsewhere, in jets, and are aggregated there: whoever owns it runs the program in each of
 * those places, with `SensorRun` of the sensor package.
 */
export interface DistantTap {
  readonly kind: 'distant'
  /** Called when a sensor switches the tap on. */
  readonly start: (program: SensorProgram) => DistantWatch
}

export interface DistantWatch {
  /** What `takePartial` gives in all those places; called for each report, one call at a time. Rejects when it takes too long. */
  collect(): Promise<readonly unknown[]>
  /** Called when the sensor switches off, after a last `collect`. */
  stop(): void
}

export type Tap = GaugeTap | EventTap | DistantTap

/** Makes the taps below a name: `rest` is what a tap's name has more. */
type StartBelow = (rest: string, program: SensorProgram) => DistantWatch

type Listener = (tap: Tap | undefined) => void

/** All taps of one service. Taps may come and go; who follows a name is told. */
export class Taps {
  readonly #taps = new Map<string, Tap>()
  readonly #below = new Map<string, StartBelow>()
  readonly #aliases = new Map<string, string>()
  readonly #expected: ((name: string) => boolean)[] = []
  readonly #followers = new Map<string, Set<Listener>>()

  gauge(name: string, read: () => Reading): void {
    this.#add(name, { kind: 'gauge', read })
  }

  event<Value extends Reading = Reading>(name: string): EventTap<Value> {
    const tap = new EventTap<Value>()
    this.#add(name, tap as unknown as EventTap)
    return tap
  }

  distant(name: string, start: DistantTap['start']): void {
    this.#add(name, { kind: 'distant', start })
  }

  /** Every name below this one is a tap. None of them is listed: nobody knows which there are. */
  distantBelow(name: string, start: StartBelow): void {
    if (this.#below.has(name)) throw new Error(`there are taps below ${name} already`)
    this.#below.set(name, start)
    for (const followed of this.#followers.keys())
      if (followed.startsWith(`${name}.`)) this.#tell(followed, this.#tapOf(followed))
  }

  /** Removes a tap, or all taps whose names begin with it and a dot. */
  remove(name: string): void {
    if (this.#below.delete(name)) {
      for (const followed of this.#followers.keys())
        if (followed.startsWith(`${name}.`)) this.#tell(followed, undefined)
    }
    for (const known of [...this.#taps.keys()]) {
      if (known !== name && !known.startsWith(`${name}.`)) continue
      this.#taps.delete(known)
      this.#tell(known, undefined)
    }
  }

  /** Taps of such names may come later: a sensor may be attached to them already. `*` stands for one part or more. */
  expect(pattern: string): void {
    const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    const expression = new RegExp(`^${parts.join('.+')}$`)
    this.#expected.push((name) => expression.test(name))
  }

  /** Another spelling: `alias('manifold.input', 'manifold.0')` makes every tap below the second one a tap below the first. */
  alias(other: string, current: string): void {
    this.#aliases.set(other, current)
  }

  /** Sorted, in all spellings. */
  names(): string[] {
    const names = [...this.#taps.keys()]
    for (const [other, current] of this.#aliases) {
      for (const name of this.#taps.keys())
        if (name.startsWith(`${current}.`)) names.push(other + name.slice(current.length))
    }
    return names.sort()
  }

  /** The spelling of a name that is no alias. */
  current(name: string): string {
    for (const [other, current] of this.#aliases)
      if (name.startsWith(`${other}.`)) return current + name.slice(other.length)
    return name
  }

  find(name: string): Tap | undefined {
    return this.#tapOf(this.current(name))
  }

  isExpected(name: string): boolean {
    const current = this.current(name)
    return this.#expected.some((matches) => matches(current))
  }

  /** Calls back now, and whenever the tap of this name comes or goes. The function given back ends it. */
  follow(name: string, listener: Listener): () => void {
    const current = this.current(name)
    const followers = this.#followers.getOrInsertComputed(current, () => new Set())
    followers.add(listener)
    listener(this.#tapOf(current))
    return () => {
      followers.delete(listener)
      if (followers.size === 0) this.#followers.delete(current)
    }
  }

  #tapOf(name: string): Tap | undefined {
    const tap = this.#taps.get(name)
    if (tap !== undefined) return tap
    for (const [above, start] of this.#below) {
      const rest = name.slice(above.length + 1)
      if (rest !== '' && name.startsWith(`${above}.`))
        return { kind: 'distant', start: (program) => start(rest, program) }
    }
    return undefined
  }

  #add(name: string, tap: Tap): void {
    if (this.#taps.has(name)) throw new Error(`there is a tap ${name} already`)
    this.#taps.set(name, tap)
    this.#tell(name, tap)
  }

  #tell(name: string, tap: Tap | undefined): void {
    for (const listener of [...(this.#followers.get(name) ?? [])]) listener(tap)
  }
}
