// Which cells can be changed in place: the checked program comes in, the cells that nothing else can see into go out.
import type { CheckedProgram, StoreInfo } from '../check/typed.ts'

export function storesChangedInPlace(_checked: CheckedProgram): ReadonlySet<StoreInfo> {
  return new Set()
}
