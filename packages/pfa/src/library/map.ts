// The library module `map`: everything about maps, by theme.
import type { LibraryModule } from './library.ts'
import { access } from './map/access.ts'
import { functional } from './map/functional.ts'
import { order } from './map/order.ts'

export const map: LibraryModule = { ...access, ...order, ...functional }
