// The library modules `model.*`, one file each.
import type { LibraryModule } from './library.ts'
import { cluster } from './model/cluster.ts'
import { gaussianProcess } from './model/gaussian-process.ts'
import { naive } from './model/naive.ts'
import { neighbor } from './model/neighbor.ts'
import { neural } from './model/neural.ts'
import { regression } from './model/regression.ts'
import { supportVectors } from './model/support-vectors.ts'
import { tree } from './model/tree.ts'

export const model: LibraryModule = {
  ...regression,
  ...gaussianProcess,
  ...tree,
  ...cluster,
  ...neighbor,
  ...naive,
  ...supportVectors,
  ...neural,
}
