// Which cells can be changed in place: the checked program comes in, the cells into which nothing else can see go out.
//
// A cell qualifies when all changes reach equally deep, nobody uses what a change gives back, and everything that reads
// the cell reads at least as deep: then the containers above that depth belong to the cell alone. Appending to an array
// and adding to a map reach one step deep. A whole cell may also be given to a library function whose result holds no part of it.
import { type AvroType, typesIn } from '@pitot/avro'
import type {
  Block,
  CallLibrary,
  CellTo,
  CheckedProgram,
  Replacement,
  StoreInfo,
  Typed,
  TypedFunction,
} from '../check/typed.ts'
import { sameTypes } from '../check/types.ts'

interface Uses {
  /** How deep changes reach; several different depths do not go together. */
  readonly depths: Set<number>
  shallowestRead: number
  resultUsed: boolean
}

/** Cells that are changed in place, with the depth of the change. */
export function cellsChangedInPlace(checked: CheckedProgram): ReadonlyMap<StoreInfo, number> {
  const survey = new Survey()
  survey.block(checked.begin.body, false)
  survey.block(checked.action.body, checked.method !== 'emit')
  survey.block(checked.end.body, false)
  if (checked.merge !== undefined) survey.block(checked.merge.body, true)
  for (const { body } of checked.functions) survey.block(body, true)
  const chosen = new Map<StoreInfo, number>()
  for (const cell of checked.cells) {
    const uses = survey.uses.get(cell)
    const [depth] = uses?.depths ?? []
    if (uses === undefined || depth === undefined || cell.shared || cell.rollback) continue
    if (uses.depths.size === 1 && depth > 0 && !uses.resultUsed && uses.shallowestRead >= depth) chosen.set(cell, depth)
  }
  return chosen
}

/** `a.append(old, item)` and `map.add(old, key, value)`: what is added, when the function does nothing else with the old value. */
export function additionOf(node: CellTo): CallLibrary | undefined {
  if (node.path.length > 0 || node.to.kind !== 'function') return undefined
  const { params, body, bindings } = node.to
  const [call] = body
  const [old] = params
  if (bindings.length > 0 || body.length !== 1 || call?.kind !== 'call-library' || old === undefined) return undefined
  const adds = call.name === 'a.append' || (call.name === 'map.add' && call.args.length === 3)
  const [first, ...rest] = call.args
  if (!adds || first?.kind !== 'variable' || first.variable !== old || !sameTypes(call.type, node.cell.type))
    return undefined
  return rest.some((arg) => mentions(arg, old)) ? undefined : call
}

function mentions(node: unknown, variable: object): boolean {
  if (node === variable) return true
  if (typeof node !== 'object' || node === null || ArrayBuffer.isView(node)) return false
  if (Reflect.get(node, 'kind') === 'constant') return false
  return Object.entries(node).some(
    ([key, member]) =>
      key !== 'type' && key !== 'callee' && key !== 'cell' && key !== 'pool' && mentions(member, variable),
  )
}

const containers: ReadonlySet<string> = new Set(['array', 'map', 'record'])
const holdsNothing = (type: AvroType): boolean => ![...typesIn(type)].some((each) => containers.has(each.kind))

class Survey {
  readonly uses = new Map<StoreInfo, Uses>()

  block(block: Block, used: boolean): void {
    for (const [index, node] of block.entries()) this.expression(node, used && index === block.length - 1)
  }

  private usesOf(cell: StoreInfo): Uses {
    let uses = this.uses.get(cell)
    if (uses === undefined) {
      uses = { depths: new Set(), shallowestRead: Number.POSITIVE_INFINITY, resultUsed: false }
      this.uses.set(cell, uses)
    }
    return uses
  }

  private read(cell: StoreInfo, depth: number): void {
    const uses = this.usesOf(cell)
    uses.shallowestRead = Math.min(uses.shallowestRead, depth)
  }

  private replacement(to: Replacement): void {
    if (to.kind === 'function') this.fcn(to)
    else this.expression(to, true)
  }

  private fcn(node: TypedFunction): void {
    for (const { value } of node.bindings) this.expression(value, true)
    this.block(node.body, true)
  }

  private all(nodes: readonly Typed[]): void {
    for (const node of nodes) this.expression(node, true)
  }

  private path(path: CellTo['path']): void {
    for (const step of path) if (step.kind !== 'field') this.expression(step.value, true)
  }

  private cellTo(node: CellTo, used: boolean): void {
    const uses = this.usesOf(node.cell)
    uses.depths.add(additionOf(node) === undefined ? node.path.length : 1)
    uses.resultUsed ||= used
    this.path(node.path)
    this.replacement(node.to)
  }

  private call(node: CallLibrary): void {
    const safe = holdsNothing(node.type)
    for (const arg of node.args) {
      if (arg.kind === 'function') this.fcn(arg)
      else if (arg.kind === 'cell' && safe) this.usesOf(arg.cell)
      else this.expression(arg, true)
    }
  }

  private expression(node: Typed, used: boolean): void {
    switch (node.kind) {
      case 'constant':
      case 'variable':
      case 'fail':
        break
      case 'cell':
        this.read(node.cell, 0)
        break
      case 'get':
        if (node.target.kind === 'cell') this.read(node.target.cell, node.path.length)
        else this.expression(node.target, true)
        this.path(node.path)
        break
      case 'update':
        this.expression(node.target, true)
        this.path(node.path)
        this.replacement(node.to)
        break
      case 'cell-to':
        this.cellTo(node, used)
        break
      case 'pool':
      case 'pool-del':
        this.expression(node.key, true)
        break
      case 'pool-to':
        this.all([node.key, node.init])
        this.path(node.path)
        this.replacement(node.to)
        break
      case 'new-array':
        this.all(node.items)
        break
      case 'new-map':
      case 'new-record':
        this.all(node.entries.map(([, value]) => value))
        break
      case 'let':
      case 'set':
        this.all(node.bindings.map(({ value }) => value))
        break
      case 'convert':
      case 'emit':
        this.expression(node.value, true)
        break
      case 'do':
        this.block(node.body, used)
        break
      case 'try':
        this.block(node.body, true)
        break
      case 'cond':
        for (const { test, body } of node.branches) {
          this.expression(test, true)
          this.block(body, used && node.otherwise !== undefined)
        }
        this.block(node.otherwise ?? [], used)
        break
      case 'while':
      case 'until':
        this.expression(node.test, true)
        this.block(node.body, false)
        break
      case 'for':
        this.all([...node.bindings, ...node.steps].map(({ value }) => value))
        this.expression(node.test, true)
        this.block(node.body, false)
        break
      case 'foreach':
      case 'forkeyval':
        this.expression(node.over, true)
        this.block(node.body, false)
        break
      case 'cast':
        this.expression(node.value, true)
        for (const { body } of node.cases) this.block(body, used && !node.partial)
        break
      case 'ifnotnull':
        this.all(node.bindings.map(({ value }) => value))
        this.block(node.body, used && node.otherwise !== undefined)
        this.block(node.otherwise ?? [], used)
        break
      case 'unpack':
        this.expression(node.value, true)
        this.block(node.body, used && node.otherwise !== undefined)
        this.block(node.otherwise ?? [], used)
        break
      case 'pack':
        this.all(node.items.map(({ value }) => value))
        break
      case 'log':
        // The log gets a copy, but only after the value has been read whole.
        this.all(node.values)
        break
      case 'call-library':
        this.call(node)
        break
      case 'call-user':
        this.all(node.args)
        break
      case 'choose':
        this.all([node.choice, ...node.args.map(({ value }) => value), ...node.options.map(({ body }) => body)])
    }
  }
}
