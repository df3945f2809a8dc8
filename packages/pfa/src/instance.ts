// One running copy of a program: records come in, scores go out; cells, pools, counters and random numbers are its own.
import { AvroError, type AvroType, type MapType, parseExact } from '@pitot/avro'
import type { StoreInfo } from './check/typed.ts'
import { PfaError } from './errors.ts'
import { findFunction } from './library/index.ts'
import type { Host } from './library/library.ts'
import { callSite } from './library/site.ts'
import { invalidValue, type Program, type ValueCodec } from './program.ts'
import { explain, timeUp } from './runtime/failures.ts'
import { generator, randomSeed } from './runtime/random.ts'
import type { Box, Environment, PoolItems, Routines, Undo } from './runtime/routines.ts'
import { LocalCell, RemoteCell, RemotePool, type SharedStore } from './runtime/shared.ts'

export interface StartOptions {
  /** Gets each value that an `emit` document emits. */
  readonly emit?: (value: unknown) => void
  /** Gets the same as Avro-JSON text. */
  readonly emitJson?: (text: string) => void
  readonly log?: (values: readonly unknown[], namespace: string | undefined) => void
  /** Instead of the document's own seed. */
  readonly randseed?: number | bigint
  /** First values of cells and pools, instead of those in the document. */
  readonly cells?: Readonly<Record<string, unknown>>
  readonly pools?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Where cells and pools marked "shared" are kept; without it they are shared by the instances of this program. */
  readonly shared?: SharedStore
  /** Seconds since 1970 UTC. */
  readonly now?: () => number
}

/**
 * The state of an instance as plain JSON values; a long that a number cannot hold is a bigint. What is kept in a
 * `SharedStore` is not part of it.
 */
export interface State {
  readonly cells: Readonly<Record<string, unknown>>
  readonly pools: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly actionsStarted: number
  readonly actionsFinished: number
  readonly tally?: unknown
}

export class Instance {
  readonly program: Program
  private readonly options: StartOptions
  private readonly host: Host
  private readonly clock = { limit: Number.POSITIVE_INFINITY, deadline: Number.POSITIVE_INFINITY }
  private readonly number: number
  private readonly inputCodec: ValueCodec
  private readonly outputCodec: ValueCodec
  private routines!: Routines
  private pools: readonly PoolItems[] = []

  /** Runs the `begin` routine; once, before the first action. */
  begin!: () => void
  /**
   * Scores one record: what `JSON.parse` gives or a decoded value. Gives the result of `map` and the new tally of `fold`;
   * what `emit` documents give goes to `emit`.
   */
  action!: (value: unknown) => unknown
  /** The same for a record that is known to be a value of the input type: it is neither checked nor converted. */
  run!: (input: unknown) => unknown
  /** Runs the `end` routine. */
  end!: () => void

  /** @internal Use `program.start()`. */
  constructor(program: Program, options: StartOptions, number: number) {
    this.program = program
    this.options = options
    this.number = number
    this.inputCodec = program.codec(program.checked.input)
    this.outputCodec = program.codec(program.checked.output)
    const random = generator(options.randseed ?? ownSeed(program.checked.randseed, number))
    this.host = {
      random,
      now: options.now ?? (() => Date.now() / 1000),
      tick: () => this.checkTime(),
      isLimited: () => this.clock.deadline !== Number.POSITIVE_INFINITY,
    }
    this.load({ cells: options.cells ?? {}, pools: options.pools ?? {}, actionsStarted: 0, actionsFinished: 0 })
  }

  /** Scores one record of Avro-JSON text, and gives the result as such; nothing for `emit` documents. */
  actionJson(text: string): string | undefined {
    let input: unknown
    try {
      input = this.inputCodec.read(text)
    } catch (error) {
      throw invalidValue(error, 'the input')
    }
    const result = this.run(input)
    return this.program.method === 'emit' ? undefined : this.writeOutput(result)
  }

  /** The tally of a `fold` document. */
  get tally(): unknown {
    return this.routines.tally()
  }

  set tally(value: unknown) {
    this.routines.setTally(this.program.converter(this.program.checked.output)(value))
  }

  /** Joins two partial tallies of a `fold` document; the result becomes the tally of this instance. */
  merge(one: unknown, two: unknown): unknown {
    const { merge } = this.routines
    if (merge === undefined) throw new PfaError('runtime', 'only documents with method "fold" can merge')
    const convert = this.program.converter(this.program.checked.output)
    return merge(convert(one), convert(two))
  }

  /** The same for the tallies of two instances: the first one gets the result. */
  static merge(one: Instance, two: Instance): unknown {
    return one.merge(one.tally, two.tally)
  }

  snapshot(): State {
    const { checked } = this.program
    const values = this.routines.cells()
    const { started, finished } = this.routines.counts()
    const cells = checked.cells
      .filter((cell) => this.isOwn(cell))
      .map((cell) => [cell.name, this.program.codec(cell.type).writeValue(values[checked.cells.indexOf(cell)])])
    const pools = checked.pools
      .filter((pool) => this.isOwn(pool))
      .map((pool) => [
        pool.name,
        this.program.codec(poolType(pool)).writeValue(this.pools[checked.pools.indexOf(pool)]),
      ])
    const tally = checked.method === 'fold' ? { tally: this.program.codec(checked.output).writeValue(this.tally) } : {}
    // Written and read as text, so that nothing is shared with the running instance.
    return parseExact(
      JSON.stringify({
        cells: Object.fromEntries(cells),
        pools: Object.fromEntries(pools),
        actionsStarted: started,
        actionsFinished: finished,
        ...tally,
      }),
    ) as State
  }

  restore(state: State): void {
    this.load(state)
  }

  // ---- inside

  private load(state: State): void {
    const { checked, compiled } = this.program
    const cells = checked.cells.map((cell) => this.cell(cell, state.cells))
    this.pools = checked.pools.map((pool) => this.pool(pool, state.pools))
    const tally = Object.hasOwn(state, 'tally') ? this.read(checked.output, state.tally, 'the tally') : checked.zero
    const environment: Environment = {
      instance: this.number,
      started: state.actionsStarted,
      finished: state.actionsFinished,
      tally,
      cells,
      pools: this.pools,
      input: this.inputConverter(),
      emit: this.emitter(),
      log: this.options.log ?? (() => {}),
      library: (place) => this.libraryFunction(place),
      startClock: (milliseconds) => {
        this.clock.limit = milliseconds
        this.clock.deadline = performance.now() + milliseconds
      },
      checkTime: () => this.checkTime(),
      rollBack,
      explain,
    }
    this.routines = compiled.factory(environment)
    this.begin = this.routines.begin
    this.action = this.routines.action
    this.run = this.routines.run
    this.end = this.routines.end
  }

  /** Whether nobody outside this process sees it. */
  private isOwn(store: StoreInfo): boolean {
    return !store.shared || this.options.shared === undefined
  }

  private cell(cell: StoreInfo, given: Readonly<Record<string, unknown>>): Box {
    const { shared } = this.options
    if (cell.shared && shared !== undefined) {
      const remote = new RemoteCell(shared, { cell: cell.name }, this.program.codec(cell.type), cell.init)
      // What nobody writes to is looked at once.
      return cell.written ? remote : new LocalCell(remote.value)
    }
    const value = this.firstValue(cell, cell.type, given)
    const local = this.program.shared.cells.get(cell)
    if (local === undefined) return { value }
    if (Object.hasOwn(given, cell.name)) local.value = value
    return local
  }

  private pool(pool: StoreInfo, given: Readonly<Record<string, unknown>>): PoolItems {
    const { shared } = this.options
    if (pool.shared && shared !== undefined) {
      return new RemotePool(shared, pool.name, this.program.codec(pool.type), pool.init as Map<string, unknown>)
    }
    const items = this.firstValue(pool, poolType(pool), given) as Map<string, unknown>
    const local = this.program.shared.pools.get(pool)
    if (local === undefined) return new Map(items)
    if (Object.hasOwn(given, pool.name)) {
      local.clear()
      for (const [key, item] of items) local.set(key, item)
    }
    return local
  }

  /** From the state if it is there, else from the document. */
  private firstValue(store: StoreInfo, type: AvroType, given: Readonly<Record<string, unknown>>): unknown {
    if (!Object.hasOwn(given, store.name)) return store.init
    return this.read(type, given[store.name], `${store.kind} ${store.name}`)
  }

  private read(type: AvroType, value: unknown, what: string): unknown {
    try {
      return this.program.converter(type)(value)
    } catch (error) {
      throw new PfaError('initialization', invalidValue(error, what).message)
    }
  }

  private inputConverter(): (value: unknown) => unknown {
    const convert = this.program.converter(this.program.checked.input)
    return (value) => {
      try {
        return convert(value)
      } catch (error) {
        throw error instanceof AvroError ? invalidValue(error, 'the input') : error
      }
    }
  }

  private emitter(): (value: unknown) => void {
    const { emit, emitJson } = this.options
    if (emitJson === undefined) return emit ?? (() => {})
    return (value) => {
      emit?.(value)
      emitJson(this.writeOutput(value))
    }
  }

  /** What the library counted beyond its type, say, is an error of the call and not of the caller. */
  private writeOutput(value: unknown): string {
    try {
      return this.outputCodec.write(value)
    } catch (error) {
      throw error instanceof AvroError ? invalidValue(error, 'the result') : error
    }
  }

  private libraryFunction(place: number): (...args: never[]) => unknown {
    const call = this.program.compiled.libraryCalls[place]
    const implementation = call && findFunction(call.name)?.implementation
    if (call === undefined || implementation === undefined) throw new Error(`no library call ${place}`)
    return implementation(callSite(call.name, call.params, call.result, call.at, this.host))
  }

  private checkTime(): void {
    if (performance.now() > this.clock.deadline) throw timeUp(this.clock.limit)
  }
}

/** "The randseed is used to generate different seeds for all of the scoring engines" made from one document. */
const ownSeed = (seed: number | bigint | undefined, number: number): bigint =>
  seed === undefined ? randomSeed() : BigInt(seed) + BigInt(number)

const poolTypes = new WeakMap<StoreInfo, MapType>()
function poolType(pool: StoreInfo): MapType {
  const type = poolTypes.get(pool) ?? { kind: 'map', values: pool.type }
  poolTypes.set(pool, type)
  return type
}

function rollBack(changes: readonly Undo[]): void {
  for (const { pool, key, item } of changes.toReversed()) {
    if (item === undefined) pool.delete(key)
    else pool.set(key, item)
  }
}
