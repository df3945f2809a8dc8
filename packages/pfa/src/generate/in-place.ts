// Which cells can be changed in place: the checked program comes in, the cells into which nothing else can see go out.
//
// A cell qualifies when all changes reach equally deep, nobody uses what a change gives back, and everything that reads
// the cell reads at least as deep: then the containers above that depth belong to the cell alone. Appending to an array
// and adding to a map reach one step deep. A whole cell may also be given to a library function whose result holds no part of it.
import { type AvroType, typesIn } from '@pitot/avro'
import { type Child, childrenOf, programChildren } from '../check/children.ts'
import type { CallLibrary, CellTo, CheckedProgram, StoreInfo, Typed, TypedFunction, Variable } from '../check/typed.ts'
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
  survey.visit(programChildren(checked))
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

const mentions = (node: Typed | TypedFunction, variable: Variable): boolean =>
  (node.kind === 'variable' && node.variable === variable) ||
  childrenOf(node).some((child) => mentions(child.node, variable))

const containers: ReadonlySet<string> = new Set(['array', 'map', 'record'])
const holdsNothing = (type: AvroType): boolean => ![...typesIn(type)].some((each) => containers.has(each.kind))

class Survey {
  readonly uses = new Map<StoreInfo, Uses>()

  visit(children: readonly Child[]): void {
    for (const { node, used } of children) this.visitOne(node, used)
  }

  private visitOne(node: Typed | TypedFunction, used: boolean): void {
    let children = childrenOf(node, used)
    if (node.kind === 'cell') this.read(node.cell, 0)
    else if (node.kind === 'cell-to') this.change(node, used)
    else if (node.kind === 'get' && node.target.kind === 'cell') {
      this.read(node.target.cell, node.path.length)
      children = children.filter((child) => child.node !== node.target)
    } else if (node.kind === 'call-library' && holdsNothing(node.type)) {
      children = children.filter((child) => child.node.kind !== 'cell')
    }
    this.visit(children)
  }

  private change(node: CellTo, used: boolean): void {
    const uses = this.usesOf(node.cell)
    uses.depths.add(additionOf(node) === undefined ? node.path.length : 1)
    uses.resultUsed ||= used
  }

  private read(cell: StoreInfo, depth: number): void {
    const uses = this.usesOf(cell)
    uses.shallowestRead = Math.min(uses.shallowestRead, depth)
  }

  private usesOf(cell: StoreInfo): Uses {
    let uses = this.uses.get(cell)
    if (uses === undefined) {
      uses = { depths: new Set(), shallowestRead: Number.POSITIVE_INFINITY, resultUsed: false }
      this.uses.set(cell, uses)
    }
    return uses
  }
}
