// Vectors and matrices as documents hold them, and what several modules do with them.

export type Vector = readonly number[]
export type Rows = readonly Vector[]
export type VectorMap = ReadonlyMap<string, number>
export type RowsMap = ReadonlyMap<string, VectorMap>

/** The sum of squared differences over the components of x; y is at least as long. */
export function squaredDistance(x: Vector, y: Vector): number {
  let sum = 0
  for (let i = 0; i < x.length; i++) {
    const difference = x[i]! - y[i]!
    sum += difference * difference
  }
  return sum
}

/** True when both maps have the same keys. */
export function sameKeys(x: ReadonlyMap<string, unknown>, y: ReadonlyMap<string, unknown>): boolean {
  if (x.size !== y.size) return false
  for (const key of x.keys()) if (!y.has(key)) return false
  return true
}

/** The item of a sparse matrix: what is missing is zero. */
export function entry(rows: RowsMap, row: string, column: string): number {
  return rows.get(row)?.get(column) ?? 0
}

/** The keys of all columns that any row has, added to `keys`. */
export function columnKeys(rows: RowsMap, keys: Set<string> = new Set()): Set<string> {
  for (const row of rows.values()) for (const key of row.keys()) keys.add(key)
  return keys
}
