// How deep records may hold themselves, unless somebody says otherwise.

export const MAXIMUM_DEPTH = 1000
