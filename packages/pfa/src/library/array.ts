// The library module `a`: everything about arrays, by theme.
import { access } from './array/access.ts'
import { functional } from './array/functional.ts'
import { order } from './array/order.ts'
import { restructure } from './array/restructure.ts'
import { search } from './array/search.ts'
import { sets } from './array/sets.ts'
import { statistics } from './array/statistics.ts'
import type { LibraryModule } from './library.ts'

export const array: LibraryModule = {
  ...access,
  ...search,
  ...order,
  ...statistics,
  ...sets,
  ...functional,
  ...restructure,
}
