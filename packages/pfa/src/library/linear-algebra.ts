// The library module `la`: vectors and matrices as arrays (dense) or as maps (sparse: what is missing is zero).
import {
  determinant,
  fromRows,
  inverse,
  type Matrix,
  matrix,
  symmetricEigen,
  type Tick,
  toRows,
} from '../numerics/matrix.ts'
import { arrayDepth } from './argument.ts'
import type { CallSite, Implementation, LibraryModule } from './library.ts'
import { columnKeys, entry, type Rows, type RowsMap, type Vector, type VectorMap } from './vector.ts'

type Unary = (x: number) => number
type Binary = (x: number, y: number) => number

const tickOf =
  ({ host }: CallSite): Tick =>
  () =>
    host.tick()

const isMap = (site: CallSite) => site.params[0]?.kind === 'map'

/** True when the argument in this place is a matrix, not a vector. */
function isMatrix(site: CallSite, place: number): boolean {
  const type = site.params[place]
  return type?.kind === 'map' ? type.values.kind === 'map' : arrayDepth(type) > 1
}

// ---- item by item

function mapValues<Old, New>(x: ReadonlyMap<string, Old>, change: (value: Old) => New): Map<string, New> {
  const result = new Map<string, New>()
  for (const [key, value] of x) result.set(key, change(value))
  return result
}

const map: Implementation = (site) =>
  isMap(site)
    ? (x: RowsMap, change: Unary) => mapValues(x, (row) => mapValues(row, (value) => change(value)))
    : (x: Rows, change: Unary) => x.map((row) => row.map((value) => change(value)))

const scale: Implementation = (site) => {
  const vector = isMap(site)
    ? (x: VectorMap, factor: number) => mapValues(x, (value) => value * factor)
    : (x: Vector, factor: number) => x.map((value) => value * factor)
  if (!isMatrix(site, 0)) return vector
  return isMap(site)
    ? (x: RowsMap, factor: number) => mapValues(x, (row) => mapValues(row, (value) => value * factor))
    : (x: Rows, factor: number) => x.map((row) => row.map((value) => value * factor))
}

function zipVectors(site: CallSite, code: number, x: Vector, y: Vector, combine: Binary): number[] {
  if (x.length !== y.length) throw site.error(code)
  const result = new Array<number>(x.length)
  for (let i = 0; i < x.length; i++) result[i] = combine(x[i]!, y[i]!)
  return result
}

function zipRows(site: CallSite, code: number, x: Rows, y: Rows, combine: Binary): number[][] {
  if (x.length !== y.length || x.some((row, i) => row.length !== y[i]!.length)) throw site.error(code)
  return x.map((row, i) => zipVectors(site, code, row, y[i]!, combine))
}

function zipVectorMaps(x: VectorMap, y: VectorMap, combine: Binary): Map<string, number> {
  const result = new Map<string, number>()
  for (const key of new Set([...x.keys(), ...y.keys()])) result.set(key, combine(x.get(key) ?? 0, y.get(key) ?? 0))
  return result
}

function zipRowMaps(x: RowsMap, y: RowsMap, combine: Binary): Map<string, Map<string, number>> {
  const columns = columnKeys(y, columnKeys(x))
  const result = new Map<string, Map<string, number>>()
  for (const row of new Set([...x.keys(), ...y.keys()])) {
    const values = new Map<string, number>()
    for (const column of columns) values.set(column, combine(entry(x, row, column), entry(y, row, column)))
    result.set(row, values)
  }
  return result
}

const zipmap: Implementation = (site) =>
  isMap(site)
    ? (x: RowsMap, y: RowsMap, combine: Binary) => zipRowMaps(x, y, combine)
    : (x: Rows, y: Rows, combine: Binary) => zipRows(site, 24020, x, y, combine)

function combined(code: number, combine: Binary): Implementation {
  return (site) => {
    if (isMatrix(site, 0)) {
      return isMap(site)
        ? (x: RowsMap, y: RowsMap) => zipRowMaps(x, y, combine)
        : (x: Rows, y: Rows) => zipRows(site, code, x, y, combine)
    }
    return isMap(site)
      ? (x: VectorMap, y: VectorMap) => zipVectorMaps(x, y, combine)
      : (x: Vector, y: Vector) => zipVectors(site, code, x, y, combine)
  }
}

// ---- products

const allFinite = (vector: Vector) => vector.every(Number.isFinite)

function allFiniteMap(vector: VectorMap): boolean {
  for (const value of vector.values()) if (!Number.isFinite(value)) return false
  return true
}

function dotRow(row: Vector, y: Vector): number {
  let sum = 0
  for (let i = 0; i < row.length; i++) sum += row[i]! * y[i]!
  return sum
}

const dot: Implementation = (site) => {
  if (isMap(site)) return isMatrix(site, 1) ? dotMaps(site) : dotMapVector(site)
  if (!isMatrix(site, 1)) {
    return (x: Rows, y: Vector) => {
      if (x.length === 0 || x[0]!.length === 0 || y.length === 0) throw site.error(24051)
      if (!x.every(allFinite) || !allFinite(y)) throw site.error(24052)
      if (x.some((row) => row.length !== y.length)) throw site.error(24050)
      return x.map((row) => dotRow(row, y))
    }
  }
  return (x: Rows, y: Rows) => {
    if (x.length === 0 || x[0]!.length === 0 || y.length === 0 || y[0]!.length === 0) throw site.error(24051)
    if (!x.every(allFinite) || !y.every(allFinite)) throw site.error(24052)
    const width = y[0]!.length
    if (x.some((row) => row.length !== y.length) || y.some((row) => row.length !== width)) throw site.error(24050)
    const columns = y[0]!.map((_, j) => y.map((row) => row[j]!))
    return x.map((row) => {
      site.host.tick()
      return columns.map((column) => dotRow(row, column))
    })
  }
}

function dotMapVector(site: CallSite) {
  return (x: RowsMap, y: VectorMap) => {
    if (x.size === 0 || (columnKeys(x).size === 0 && y.size === 0)) throw site.error(24051)
    if (![...x.values()].every(allFiniteMap) || !allFiniteMap(y)) throw site.error(24052)
    return mapValues(x, (row) => {
      let sum = 0
      for (const [key, value] of row) sum += value * (y.get(key) ?? 0)
      return sum
    })
  }
}

function dotMaps(site: CallSite) {
  return (x: RowsMap, y: RowsMap) => {
    const columns = columnKeys(y)
    if (x.size === 0 || columns.size === 0 || (columnKeys(x).size === 0 && y.size === 0)) throw site.error(24051)
    if (![...x.values(), ...y.values()].every(allFiniteMap)) throw site.error(24052)
    return mapValues(x, (row) => {
      site.host.tick()
      const result = new Map<string, number>()
      for (const column of columns) {
        let sum = 0
        for (const [key, value] of row) sum += value * entry(y, key, column)
        result.set(column, sum)
      }
      return result
    })
  }
}

// ---- whole matrices

/** Checks that a matrix has rows, columns, and rows of one length. */
function rectangular(site: CallSite, tooFew: number, ragged: number, x: Rows): void {
  if (x.length === 0 || x[0]!.length === 0) throw site.error(tooFew)
  if (x.some((row) => row.length !== x[0]!.length)) throw site.error(ragged)
}

/** Row and column keys of a map as the numbers of a matrix. */
function dense(x: RowsMap, rows: readonly string[], columns: readonly string[]): Matrix {
  const result = matrix(rows.length, columns.length)
  rows.forEach((row, i) => {
    columns.forEach((column, j) => {
      result.data[i * columns.length + j] = entry(x, row, column)
    })
  })
  return result
}

function sparse(m: Matrix, rows: readonly string[], columns: readonly string[]): Map<string, Map<string, number>> {
  return new Map(rows.map((row, i) => [row, new Map(columns.map((column, j) => [column, m.data[i * m.columns + j]!]))]))
}

/** All keys of a map taken as a square matrix. */
function squareKeys(site: CallSite, tooFew: number, x: RowsMap): string[] {
  const columns = columnKeys(x)
  if (columns.size === 0) throw site.error(tooFew)
  return [...new Set([...x.keys(), ...columns])]
}

const transpose: Implementation = (site) =>
  isMap(site)
    ? (x: RowsMap) => {
        const columns = columnKeys(x)
        if (columns.size === 0) throw site.error(24060)
        for (const row of x.values()) if (row.size !== columns.size) throw site.error(24061)
        return new Map([...columns].map((column) => [column, mapValues(x, (row) => row.get(column)!)]))
      }
    : (x: Rows) => {
        rectangular(site, 24060, 24061, x)
        return x[0]!.map((_, j) => x.map((row) => row[j]!))
      }

const invert: Implementation = (site) =>
  isMap(site)
    ? (x: RowsMap) => {
        const rows = [...x.keys()]
        const columns = [...columnKeys(x)]
        if (columns.length === 0) throw site.error(24070)
        return sparse(inverse(dense(x, rows, columns), tickOf(site)), columns, rows)
      }
    : (x: Rows) => {
        rectangular(site, 24070, 24071, x)
        return toRows(inverse(fromRows(x), tickOf(site)))
      }

const trace: Implementation = (site) =>
  isMap(site)
    ? (x: RowsMap) => {
        let sum = 0
        for (const [key, row] of x) sum += row.get(key) ?? 0
        return sum
      }
    : (x: Rows) => {
        if (x.some((row) => row.length !== x[0]!.length)) throw site.error(24080)
        let sum = 0
        for (let i = 0; i < x.length && i < x[0]!.length; i++) sum += x[i]![i]!
        return sum
      }

const det: Implementation = (site) =>
  isMap(site)
    ? (x: RowsMap) => {
        const keys = squareKeys(site, 24090, x)
        return [...x.values()].every(allFiniteMap) ? determinant(dense(x, keys, keys), tickOf(site)) : Number.NaN
      }
    : (x: Rows) => {
        rectangular(site, 24090, 24091, x)
        if (x.length !== x[0]!.length) throw site.error(24092)
        return x.every(allFinite) ? determinant(fromRows(x), tickOf(site)) : Number.NaN
      }

/** Equal infinities count as the same, and so do two values that are no numbers. */
function isSymmetric({ data, rows }: Matrix, tolerance: number): boolean {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j <= i; j++) {
      const x = data[i * rows + j]!
      const y = data[j * rows + i]!
      if (Number.isFinite(x) && Number.isFinite(y)) {
        if (!(Math.abs(x - y) < tolerance)) return false
      } else if (!Object.is(x, y)) return false
    }
  }
  return true
}

const symmetric: Implementation = (site) =>
  isMap(site)
    ? (x: RowsMap, tolerance: number) => {
        const keys = squareKeys(site, 24100, x)
        return isSymmetric(dense(x, keys, keys), tolerance)
      }
    : (x: Rows, tolerance: number) => {
        rectangular(site, 24100, 24101, x)
        if (x.length !== x[0]!.length) throw site.error(24102)
        return isSymmetric(fromRows(x), tolerance)
      }

/**
 * Each row is an eigenvector of (x + x^T) / 2 divided by the root of its eigenvalue, the largest eigenvalue first, the first
 * component not negative.
 */
function eigenRows(x: Matrix, tick: Tick): Matrix {
  const n = x.rows
  const half = matrix(n, n)
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) half.data[i * n + j] = (x.data[i * n + j]! + x.data[j * n + i]!) / 2
  }
  const { values, vectors } = symmetricEigen(half, tick)
  const order = Array.from(values.keys()).sort((i, j) => Math.abs(values[j]!) - Math.abs(values[i]!))
  const result = matrix(n, n)
  order.forEach((from, to) => {
    const factor = (vectors.data[from * n]! < 0 ? -1 : 1) / Math.sqrt(Math.abs(values[from]!))
    for (let j = 0; j < n; j++) result.data[to * n + j] = vectors.data[from * n + j]! * factor
  })
  return result
}

const eigenBasis: Implementation = (site) =>
  isMap(site)
    ? (x: RowsMap) => {
        const keys = squareKeys(site, 24110, x)
        if (![...x.values()].every(allFiniteMap)) throw site.error(24113)
        return sparse(
          eigenRows(dense(x, keys, keys), tickOf(site)),
          keys.map((_, i) => String(i)),
          keys,
        )
      }
    : (x: Rows) => {
        rectangular(site, 24110, 24111, x)
        if (x.length !== x[0]!.length) throw site.error(24112)
        if (!x.every(allFinite)) throw site.error(24113)
        return toRows(eigenRows(fromRows(x), tickOf(site)))
      }

const truncate: Implementation = (site) =>
  isMap(site)
    ? (x: RowsMap, keep: readonly string[]) => {
        if (columnKeys(x).size === 0) throw site.error(24120)
        const kept = new Set(keep)
        return new Map([...x].filter(([key]) => kept.has(key)))
      }
    : (x: Rows, keep: number) => {
        rectangular(site, 24120, 24121, x)
        return x.slice(0, Math.max(0, keep))
      }

export const linearAlgebra: LibraryModule = {
  'la.map': map,
  'la.scale': scale,
  'la.zipmap': zipmap,
  'la.add': combined(24030, (x, y) => x + y),
  'la.sub': combined(24040, (x, y) => x - y),
  'la.dot': dot,
  'la.transpose': transpose,
  'la.inverse': invert,
  'la.trace': trace,
  'la.det': det,
  'la.symmetric': symmetric,
  'la.eigenBasis': eigenBasis,
  'la.truncate': truncate,
}
