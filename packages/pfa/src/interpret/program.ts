// A program without generated code, for pages whose content policy forbids it: the checked document comes in, routines that
// walk its tree go out. Slower than generated code, and what generated code is compared with.
import { type Child, childrenOf, programChildren } from '../check/children.ts'
import type { CallLibrary, CheckedProgram, Routine, StoreInfo, UserFunctionInfo, Variable } from '../check/typed.ts'
import { tooLarge } from '../runtime/failures.ts'
import type { Box, Environment, LibraryCall, PoolItems, Routines, RoutinesFactory, Undo } from '../runtime/routines.ts'
import type { SharedCell, SharedPool } from '../runtime/shared.ts'
import { prepareBlock } from './expressions.ts'
import { Frame, type Run } from './frame.ts'

const largest = 2 ** 24

/** What prepared code shares inside one instance. */
export class Machine {
  readonly environment: Environment
  readonly undo: Undo[] = []
  private readonly checked: CheckedProgram
  private readonly calls: readonly CallLibrary[]
  private readonly functions = new Map<UserFunctionInfo, Run>()

  constructor(checked: CheckedProgram, environment: Environment, calls: readonly CallLibrary[]) {
    this.checked = checked
    this.environment = environment
    this.calls = calls
  }

  cell(store: StoreInfo): Box {
    return this.environment.cells[this.checked.cells.indexOf(store)] as Box
  }

  pool(store: StoreInfo): PoolItems {
    return this.environment.pools[this.checked.pools.indexOf(store)] as PoolItems
  }

  /** What is shared is locked from the look at it to its change, also when the change fails. */
  whileLocked<Result>(store: StoreInfo, key: string, update: () => Result): Result {
    if (!store.shared) return update()
    const holder = (store.kind === 'cell' ? this.cell(store) : this.pool(store)) as SharedCell & SharedPool
    holder.lock(key)
    try {
      return update()
    } finally {
      holder.release(key)
    }
  }

  libraryFunction(node: CallLibrary): (...args: never[]) => unknown {
    return this.environment.library(this.calls.indexOf(node))
  }

  /** Bodies are prepared at the first call, so that functions can call each other. */
  userFunction(info: UserFunctionInfo): (args: readonly unknown[]) => unknown {
    return (args) => {
      let body = this.functions.get(info)
      if (body === undefined) {
        body = prepareBlock(info.body, this)
        this.functions.set(info, body)
      }
      this.checkTime()
      const frame = new Frame(undefined)
      for (const [index, param] of info.params.entries()) frame.declare(param, args[index])
      return body(frame)
    }
  }

  checkTime(): void {
    this.environment.checkTime()
  }

  remember(store: StoreInfo, key: string): void {
    const pool = this.pool(store)
    if (store.rollback) this.undo.push({ pool, key, item: pool.get(key) })
  }

  limitSize(value: unknown): void {
    const size = Array.isArray(value) ? value.length : value instanceof Map ? value.size : 0
    if (size > largest) throw tooLarge()
  }
}

export function interpretProgram(checked: CheckedProgram): {
  readonly source: string
  readonly factory: RoutinesFactory
  readonly libraryCalls: readonly LibraryCall[]
} {
  const calls = collectCalls(checked)
  return {
    source: '',
    factory: (environment) => makeRoutines(checked, new Machine(checked, environment, calls)),
    libraryCalls: calls.map(({ name, params, type, at }) => ({ name, params, result: type, at })),
  }
}

/** Every library call anywhere in the program, in the order in which they are met. */
function collectCalls(checked: CheckedProgram): readonly CallLibrary[] {
  const calls: CallLibrary[] = []
  const visit = (children: readonly Child[]): void => {
    for (const { node } of children) {
      if (node.kind === 'call-library') calls.push(node)
      visit(childrenOf(node))
    }
  }
  visit(programChildren(checked))
  return calls
}

function makeRoutines(checked: CheckedProgram, machine: Machine): Routines {
  const { environment } = machine
  let { started, finished, tally } = environment
  const symbols: Readonly<Record<string, () => unknown>> = {
    name: () => checked.name,
    version: () => checked.version,
    instance: () => environment.instance,
    metadata: () => checked.metadata,
    actionsStarted: () => started,
    actionsFinished: () => finished,
    tally: () => tally,
  }
  const prepareRoutine = (routine: Routine) => {
    const body = prepareBlock(routine.body, machine)
    return (given: Readonly<Record<string, unknown>>): unknown => {
      const frame = new Frame(undefined)
      for (const [name, variable] of routine.symbols) {
        frame.declare(variable as Variable, Object.hasOwn(given, name) ? given[name] : symbols[name]?.())
      }
      return body(new Frame(frame))
    }
  }
  const rolling = checked.cells.filter((cell) => cell.rollback && !cell.shared).map((cell) => machine.cell(cell))
  /** When an action or a merge fails, what rolls back is put back. */
  const guarded = (phase: 'begin' | 'action' | 'end' | 'merge', run: () => unknown): unknown => {
    environment.startClock(checked.timeouts[phase === 'merge' ? 'end' : phase] ?? Number.POSITIVE_INFINITY)
    machine.undo.length = 0
    const before = rolling.map((box) => box.value)
    try {
      return run()
    } catch (error) {
      if (phase === 'action' || phase === 'merge') {
        for (const [index, box] of rolling.entries()) box.value = before[index]
        environment.rollBack(machine.undo)
      }
      throw environment.explain(error)
    }
  }
  const run = (input: unknown): unknown => {
    started++
    return guarded('action', () => {
      const result = action({ input })
      finished++
      if (checked.method === 'fold') tally = result
      return checked.method === 'emit' ? undefined : result
    })
  }
  const begin = prepareRoutine(checked.begin)
  const action = prepareRoutine(checked.action)
  const end = prepareRoutine(checked.end)
  const merge = checked.merge && prepareRoutine(checked.merge)
  return {
    begin: () => void guarded('begin', () => begin({})),
    action: (value) => run(environment.input(value)),
    run,
    end: () => void guarded('end', () => end({})),
    merge:
      merge &&
      ((tallyOne, tallyTwo) =>
        guarded('merge', () => {
          tally = merge({ tallyOne, tallyTwo })
          return tally
        })),
    counts: () => ({ started, finished }),
    tally: () => tally,
    setTally: (value) => {
      tally = value
    },
    cells: () => checked.cells.map((cell) => machine.cell(cell).value),
  }
}
