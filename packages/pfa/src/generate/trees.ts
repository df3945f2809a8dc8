// Decision trees held in cells that nothing writes: walks over flat arrays instead of records.
import type { Inliner } from './functions.ts'

export const trees: Readonly<Record<string, Inliner>> = {}
