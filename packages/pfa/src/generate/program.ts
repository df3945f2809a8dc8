// The whole program: the checked document comes in, JavaScript source that makes the routines of one instance goes out.
import { type Code, code, evaluate, join, Scope } from '@pitot/avro'
import type { CallLibrary, CheckedProgram, Routine, StoreInfo, UserFunctionInfo, Variable } from '../check/typed.ts'
import type { PfaType } from '../library/library.ts'
import { probeSite } from '../library/site.ts'
import type { PackErrors } from '../runtime/binary.ts'
import { cloneContainers } from '../runtime/clone.ts'
import { catcher, packErrors, pathError, tooLarge, userError } from '../runtime/failures.ts'
import type { LibraryCall, RoutinesFactory } from '../runtime/routines.ts'
import { writeBlock } from './expressions.ts'
import { cellsChangedInPlace } from './in-place.ts'
import type { Origin } from './origins.ts'
import { FunctionWriter, word } from './writer.ts'

export interface Generated {
  readonly source: string
  readonly factory: RoutinesFactory
}

/** Arrays and maps of more items, strings of more characters, are taken for runaway growth. */
const largestCollection = 2 ** 24
const largestString = 2 ** 27

export class ProgramWriter {
  readonly names = new Scope()
  readonly globals = new Map<Variable, Code>()
  readonly origins = new Map<Variable, Origin>()
  /** While a function is written that may be entered again before it has finished. */
  reentrant = false
  readonly libraryCalls: LibraryCall[] = []
  private readonly checked: CheckedProgram
  private readonly env = this.names.name('env')
  readonly emit = this.names.name('emit')
  readonly log = this.names.name('log')
  private readonly checkTime = this.names.name('checkTime')
  private readonly ticks = this.names.name('ticks')
  private readonly undo = this.names.name('undo')
  private readonly tally = this.names.name('tally')
  private readonly started = this.names.name('started')
  private readonly finished = this.names.name('finished')
  /** Declarations at the level of the instance, in order. */
  private readonly declarations: Code[] = []
  private readonly hoisted: Code[] = []
  private readonly cells = new Map<StoreInfo, Code>()
  private readonly pools = new Map<StoreInfo, Code>()
  /** What holds the value of each shared cell. */
  private readonly holders = new Map<StoreInfo, Code>()
  private readonly functions = new Map<UserFunctionInfo, Code>()
  private readonly changedInPlace: ReadonlyMap<StoreInfo, number>

  constructor(checked: CheckedProgram) {
    this.checked = checked
    this.changedInPlace = cellsChangedInPlace(checked)
  }

  // ---- what expressions ask for

  constant(value: unknown, name: string): Code {
    return this.names.constant(value, name)
  }

  hoist(expression: Code, name: string): Code {
    const identifier = this.names.name(name)
    this.hoisted.push(code`const ${identifier} = ${expression};`)
    return identifier
  }

  libraryFunction(node: CallLibrary): Code {
    const place = this.libraryCalls.length
    this.libraryCalls.push({ name: node.name, params: node.params, result: node.type, at: node.at })
    const name = this.names.name(word(node.name))
    this.declarations.push(code`const ${name} = ${this.env}.library(${place});`)
    return name
  }

  libraryError(name: string, errorCode: number, at: string): Code {
    const site = probeSite(name, [], { kind: 'null' }, at)
    return this.constant(() => site.error(errorCode), 'fail')
  }

  pathError(errorCode: number, name: string, message: string, at: string): Code {
    return this.constant(pathError(errorCode, name, message, at), 'missing')
  }

  userError(message: string, errorCode: number | undefined, at: string) {
    return userError(message, errorCode, at)
  }

  catcher(filter: readonly (string | number)[] | undefined) {
    return catcher(filter)
  }

  packErrors(at: string): PackErrors {
    return packErrors(at)
  }

  /** A look at the clock every thousand turns, in documents with a time limit. */
  tick(writer: FunctionWriter): void {
    if (this.timed) writer.line(code`if ((++${this.ticks} & 1023) === 0) ${this.checkTime}();`)
  }

  /** Growth that doubles again and again must end as an error of the document, not of the process. */
  limitSize(writer: FunctionWriter, type: PfaType, value: Code): void {
    const fail = () => this.constant(tooLarge, 'tooLarge')
    if (type.kind === 'array') writer.line(code`if (${value}.length > ${largestCollection}) throw ${fail()}();`)
    else if (type.kind === 'map') writer.line(code`if (${value}.size > ${largestCollection}) throw ${fail()}();`)
    else if (type.kind === 'string' || type.kind === 'bytes')
      writer.line(code`if (${value}.length > ${largestString}) throw ${fail()}();`)
  }

  cellName(cell: StoreInfo): Code {
    let name = this.cells.get(cell)
    if (name === undefined) {
      const identifier = this.names.name(`cell${word(cell.name)}`)
      const box = code`${this.env}.cells[${this.checked.cells.indexOf(cell)}]`
      const depth = this.changedInPlace.get(cell)
      const first =
        depth === undefined
          ? code`${box}.value`
          : code`${this.constant(cloneContainers, 'clone')}(${box}.value, ${depth})`
      name = cell.shared ? code`${identifier}.value` : identifier
      if (cell.shared) {
        this.declarations.push(code`const ${identifier} = ${box};`)
        this.holders.set(cell, identifier)
      } else if (cell.written) this.declarations.push(code`let ${identifier} = ${first};`)
      else this.declarations.push(code`const ${identifier} = ${first};`)
      this.cells.set(cell, name)
    }
    return name
  }

  poolName(pool: StoreInfo): Code {
    let name = this.pools.get(pool)
    if (name === undefined) {
      name = this.names.name(`pool${word(pool.name)}`)
      this.declarations.push(code`const ${name} = ${this.env}.pools[${this.checked.pools.indexOf(pool)}];`)
      this.pools.set(pool, name)
    }
    return name
  }

  /** What can be locked of a shared cell or pool. */
  sharedName(store: StoreInfo): Code {
    if (store.kind === 'pool') return this.poolName(store)
    this.cellName(store)
    return this.holders.get(store) as Code
  }

  inPlace(cell: StoreInfo): boolean {
    return this.changedInPlace.has(cell)
  }

  /** Before an item of a pool that rolls back is changed: what it was. */
  remember(pool: StoreInfo, key: Code, writer: FunctionWriter): void {
    if (pool.rollback) {
      const name = this.poolName(pool)
      writer.line(code`${this.undo}.push({ pool: ${name}, key: ${key}, item: ${name}.get(${key}) });`)
    }
  }

  userFunction(callee: UserFunctionInfo): Code {
    const name = this.functions.get(callee)
    if (name === undefined) throw new Error(`user function ${callee.name} has not been declared`)
    return name
  }

  // ---- the program

  private get timed(): boolean {
    const { begin, action, end } = this.checked.timeouts
    return begin !== undefined || action !== undefined || end !== undefined
  }

  write(): Code {
    const { checked, env } = this
    for (const each of checked.functions) this.functions.set(each, this.names.name(`user${word(each.name)}`))
    const functions = checked.functions.map((each) => this.writeUserFunction(each))
    const begin = this.writeBlockRoutine(checked.begin, 'begin')
    const end = this.writeBlockRoutine(checked.end, 'end')
    const merge = checked.merge === undefined ? code`undefined` : this.writeMerge(checked.merge)
    const run = this.writeAction(checked.action)
    const convert = this.hoist(code`${env}.input`, 'convert')
    const fold = checked.method === 'fold'
    return code`(${env}) => {
const ${this.emit} = ${env}.emit;
const ${this.log} = ${env}.log;
const ${this.checkTime} = ${env}.checkTime;
let ${this.ticks} = 0;
let ${this.started} = ${env}.started;
let ${this.finished} = ${env}.finished;
let ${this.tally} = ${env}.tally;
const ${this.undo} = [];
${this.declarations}
${this.hoisted}
${functions}
return {
begin: ${begin},
action: (value) => ${run}(${convert}(value)),
run: ${run},
end: ${end},
merge: ${merge},
counts() { return { started: ${this.started}, finished: ${this.finished} }; },
tally() { return ${this.tally}; },
setTally(value) { ${fold ? code`${this.tally} = value;` : code``} },
cells() { return [${join(
      checked.cells.map((cell) => this.cells.get(cell) ?? code`${env}.cells[${checked.cells.indexOf(cell)}].value`),
      code`, `,
    )}]; },
};
}`
  }

  private writeUserFunction(info: UserFunctionInfo): Code {
    const writer = new FunctionWriter(this)
    const params = info.params.map((param) => writer.declare(param))
    if (info.recursive) this.tick(writer)
    this.reentrant = info.recursive
    writeBlock(info.body, writer, { kind: 'return' })
    this.reentrant = false
    return code`function ${this.userFunction(info)}(${join(params, code`, `)}) { ${writer.body} }`
  }

  /** Symbols that every routine finds defined. */
  private declareSymbols(routine: Routine): void {
    const { checked, env } = this
    const codes: Readonly<Record<string, () => Code>> = {
      name: () => code`${checked.name}`,
      version: () => code`${checked.version ?? null}`,
      instance: () => code`${env}.instance`,
      metadata: () => this.constant(checked.metadata, 'metadata'),
      actionsStarted: () => this.started,
      actionsFinished: () => this.finished,
      tally: () => this.tally,
    }
    for (const [name, variable] of routine.symbols) {
      const source = Object.hasOwn(codes, name) ? codes[name]?.() : undefined
      if (source !== undefined) this.globals.set(variable, source)
    }
  }

  private writeBlockRoutine(routine: Routine, phase: 'begin' | 'end'): Code {
    this.declareSymbols(routine)
    const writer = new FunctionWriter(this)
    writeBlock(routine.body, writer, { kind: 'nothing' })
    return code`() => { ${this.guarded(writer.body, phase)} }`
  }

  private writeMerge(routine: Routine): Code {
    this.declareSymbols(routine)
    const writer = new FunctionWriter(this)
    const params = ['tallyOne', 'tallyTwo'].map((name) => writer.declare(routine.symbols.get(name) as Variable))
    writeBlock(routine.body, writer, { kind: 'return' })
    const run = this.hoist(code`(${join(params, code`, `)}) => { ${writer.body} }`, 'merge')
    return code`(${join(params, code`, `)}) => { ${this.guarded(code`return ${this.tally} = ${run}(${join(params, code`, `)});`, 'merge')} }`
  }

  /** Input is counted and scored; a failed action leaves cells that roll back as they were. */
  private writeAction(routine: Routine): Code {
    this.declareSymbols(routine)
    const { method } = this.checked
    const writer = new FunctionWriter(this)
    const name = writer.declare(routine.symbols.get('input') as Variable)
    writeBlock(routine.body, writer, method === 'emit' ? { kind: 'nothing' } : { kind: 'return' })
    const score = this.hoist(code`(${name}) => { ${writer.body} }`, 'score')
    const result = method === 'fold' ? code`${this.tally} = ${score}(${name})` : code`${score}(${name})`
    const body = code`const result = ${result}; ${this.finished}++; return result;`
    return this.hoist(code`(${name}) => { ${this.started}++; ${this.guarded(body, 'action')} }`, 'run')
  }

  /** Sets the time limit; when an action or a merge fails, what rolls back is put back. */
  private guarded(body: Code, phase: 'begin' | 'action' | 'end' | 'merge'): Code {
    const limit = this.checked.timeouts[phase === 'merge' ? 'end' : phase]
    const setLimit = this.timed ? code`${this.env}.startClock(${limit ?? Number.POSITIVE_INFINITY});` : code``
    if (phase === 'begin' || phase === 'end')
      return code`${setLimit} try { ${body} } catch (error) { throw ${this.env}.explain(error); }`
    const rolling = [...this.cells].filter(([cell]) => cell.rollback && cell.written && !cell.shared)
    const saved = rolling.map(([, name]) => ({ name, before: this.names.name('before') }))
    const saves = saved.map(({ name, before }) => code`const ${before} = ${name};`)
    const restores = saved.map(({ name, before }) => code`${name} = ${before};`)
    const pools = this.checked.pools.some((pool) => pool.rollback)
    const clear = pools ? code`${this.undo}.length = 0;` : code``
    const undo = pools ? code`${this.env}.rollBack(${this.undo});` : code``
    return code`${setLimit} ${clear} ${saves} try { ${body} } catch (error) { ${restores} ${undo} throw ${this.env}.explain(error); }`
  }
}

export function generateProgram(
  checked: CheckedProgram,
): Generated & { readonly libraryCalls: readonly LibraryCall[] } {
  const writer = new ProgramWriter(checked)
  const source = writer.write()
  return {
    source: source.text,
    factory: evaluate<RoutinesFactory>(source, writer.names),
    libraryCalls: writer.libraryCalls,
  }
}
