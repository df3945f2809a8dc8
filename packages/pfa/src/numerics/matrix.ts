// Dense matrices come in; determinant, inverse, pseudo-inverse, symmetric eigensystem and triangular factors go out.

/** Called once per row or so of the work, which grows with the third power of the size: throws when the time is up. */
export type Tick = () => void

const noTick: Tick = () => {}

export interface Matrix {
  readonly rows: number
  readonly columns: number
  /** Row after row. */
  readonly data: Float64Array
}

export function matrix(rows: number, columns: number): Matrix {
  return { rows, columns, data: new Float64Array(rows * columns) }
}

export function fromRows(rows: readonly (readonly number[])[]): Matrix {
  const result = matrix(rows.length, rows[0]?.length ?? 0)
  for (let i = 0; i < rows.length; i++) result.data.set(rows[i]!, i * result.columns)
  return result
}

export function toRows(m: Matrix): number[][] {
  const rows: number[][] = []
  for (let i = 0; i < m.rows; i++) rows.push(Array.from(m.data.subarray(i * m.columns, (i + 1) * m.columns)))
  return rows
}

export function transpose(m: Matrix): Matrix {
  const result = matrix(m.columns, m.rows)
  for (let i = 0; i < m.rows; i++) {
    for (let j = 0; j < m.columns; j++) result.data[j * m.rows + i] = m.data[i * m.columns + j]!
  }
  return result
}

interface Factors {
  /** L below the diagonal (its own diagonal is 1), U on and above it, rows in the order of `order`. */
  readonly data: Float64Array
  readonly order: Int32Array
  readonly sign: number
  readonly singular: boolean
}

/** LU with row exchanges: each pivot is the largest in its column. */
function factorise(m: Matrix, tick: Tick): Factors {
  const n = m.rows
  const data = m.data.slice()
  const order = Int32Array.from({ length: n }, (_, i) => i)
  let sign = 1
  let singular = false
  for (let k = 0; k < n; k++) {
    tick()
    let pivot = k
    for (let i = k + 1; i < n; i++) if (Math.abs(data[i * n + k]!) > Math.abs(data[pivot * n + k]!)) pivot = i
    if (data[pivot * n + k] === 0) {
      singular = true
      continue
    }
    if (pivot !== k) {
      exchange(data, n, pivot, k)
      const row = order[pivot]!
      order[pivot] = order[k]!
      order[k] = row
      sign = -sign
    }
    for (let i = k + 1; i < n; i++) {
      const factor = data[i * n + k]! / data[k * n + k]!
      data[i * n + k] = factor
      if (factor === 0) continue
      for (let j = k + 1; j < n; j++) data[i * n + j]! -= factor * data[k * n + j]!
    }
  }
  return { data, order, sign, singular }
}

function exchange(data: Float64Array, width: number, one: number, other: number): void {
  for (let j = 0; j < width; j++) {
    const value = data[one * width + j]!
    data[one * width + j] = data[other * width + j]!
    data[other * width + j] = value
  }
}

export function determinant(m: Matrix, tick: Tick = noTick): number {
  const { data, sign, singular } = factorise(m, tick)
  if (singular) return 0
  let product = sign
  for (let i = 0; i < m.rows; i++) product *= data[i * m.rows + i]!
  return product
}

/** x with m x = right, or undefined for a singular matrix. */
export function solve(m: Matrix, right: ArrayLike<number>, tick: Tick = noTick): Float64Array | undefined {
  const factors = factorise(m, tick)
  return factors.singular ? undefined : substitute(factors, m.rows, right)
}

function substitute({ data, order }: Factors, n: number, right: ArrayLike<number>): Float64Array {
  const x = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    let sum = right[order[i]!]!
    for (let j = 0; j < i; j++) sum -= data[i * n + j]! * x[j]!
    x[i] = sum
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i]!
    for (let j = i + 1; j < n; j++) sum -= data[i * n + j]! * x[j]!
    x[i] = sum / data[i * n + i]!
  }
  return x
}

/** The inverse of a square matrix; the Moore-Penrose inverse of a matrix that has no other. */
export function inverse(m: Matrix, tick: Tick = noTick): Matrix {
  if (m.rows !== m.columns) return pseudoInverse(m, tick)
  const factors = factorise(m, tick)
  if (factors.singular) return pseudoInverse(m, tick)
  const n = m.rows
  const result = matrix(n, n)
  const unit = new Float64Array(n)
  for (let j = 0; j < n; j++) {
    tick()
    unit.fill(0)
    unit[j] = 1
    const column = substitute(factors, n, unit)
    for (let i = 0; i < n; i++) result.data[i * n + j] = column[i]!
  }
  return result
}

const SWEEPS = 60

/**
 * The Moore-Penrose inverse V S^+ U^T by the one-sided Jacobi method: rotations make the columns of m orthogonal, their
 * lengths are then the singular values.
 */
export function pseudoInverse(m: Matrix, tick: Tick = noTick): Matrix {
  if (m.rows < m.columns) return transpose(pseudoInverse(transpose(m), tick))
  const { rows, columns } = m
  // Columns as rows, so that the rotations run over memory in order.
  const u = transpose(m).data
  const v = identity(columns)
  for (let sweep = 0, rotated = true; rotated && sweep < SWEEPS; sweep++) {
    rotated = false
    for (let p = 0; p < columns; p++) {
      tick()
      for (let q = p + 1; q < columns; q++) if (orthogonalise(u, v, rows, columns, p, q)) rotated = true
    }
  }
  const squares = new Float64Array(columns)
  for (let j = 0; j < columns; j++) squares[j] = product(u, rows, j, j)
  const largest = Math.sqrt(Math.max(...squares))
  const negligible = largest * rows * Number.EPSILON
  const result = matrix(columns, rows)
  for (let k = 0; k < columns; k++) {
    if (Math.sqrt(squares[k]!) <= negligible) continue
    for (let i = 0; i < columns; i++) {
      const factor = v[k * columns + i]! / squares[k]!
      for (let j = 0; j < rows; j++) result.data[i * rows + j]! += factor * u[k * rows + j]!
    }
  }
  return result
}

/** Rotates columns p and q of U (and of V alike) until they are orthogonal; false when they are already. */
function orthogonalise(u: Float64Array, v: Float64Array, rows: number, columns: number, p: number, q: number): boolean {
  const pp = product(u, rows, p, p)
  const qq = product(u, rows, q, q)
  const pq = product(u, rows, p, q)
  if (!(Math.abs(pq) > Number.EPSILON * 0.5 * Math.sqrt(pp * qq))) return false
  const { cosine, sine } = rotation(pp, qq, pq)
  rotate(u, rows, p, q, cosine, sine)
  rotate(v, columns, p, q, cosine, sine)
  return true
}

/** The rotation that makes the symmetric matrix (pp pq; pq qq) diagonal, by the smaller of the two angles. */
function rotation(pp: number, qq: number, pq: number): { cosine: number; sine: number; tangent: number } {
  const cotangent = (qq - pp) / (2 * pq)
  const tangent = (cotangent < 0 ? -1 : 1) / (Math.abs(cotangent) + Math.hypot(1, cotangent))
  const cosine = 1 / Math.sqrt(1 + tangent * tangent)
  return { cosine, sine: tangent * cosine, tangent }
}

function rotate(data: Float64Array, width: number, p: number, q: number, cosine: number, sine: number): void {
  for (let k = 0; k < width; k++) {
    const x = data[p * width + k]!
    const y = data[q * width + k]!
    data[p * width + k] = cosine * x - sine * y
    data[q * width + k] = sine * x + cosine * y
  }
}

function product(data: Float64Array, width: number, p: number, q: number): number {
  let sum = 0
  for (let k = 0; k < width; k++) sum += data[p * width + k]! * data[q * width + k]!
  return sum
}

function identity(n: number): Float64Array {
  const data = new Float64Array(n * n)
  for (let i = 0; i < n; i++) data[i * n + i] = 1
  return data
}

/** Eigenvalues of a symmetric matrix, and its eigenvectors as the rows of a matrix, by Jacobi's method. */
export function symmetricEigen(m: Matrix, tick: Tick = noTick): { values: Float64Array; vectors: Matrix } {
  const n = m.rows
  const a = m.data.slice()
  const vectors = identity(n)
  for (let sweep = 0, rotated = true; rotated && sweep < SWEEPS; sweep++) {
    rotated = false
    for (let p = 0; p < n; p++) {
      tick()
      for (let q = p + 1; q < n; q++) {
        const pq = a[p * n + q]!
        const pp = a[p * n + p]!
        const qq = a[q * n + q]!
        if (!(Math.abs(pq) > Number.EPSILON * 0.5 * Math.sqrt(Math.abs(pp * qq))) || Math.abs(pq) < 1e-300) continue
        rotated = true
        const { cosine, sine, tangent } = rotation(pp, qq, pq)
        rotate(a, n, p, q, cosine, sine)
        for (let k = 0; k < n; k++) {
          a[k * n + p] = a[p * n + k]!
          a[k * n + q] = a[q * n + k]!
        }
        a[p * n + p] = pp - tangent * pq
        a[q * n + q] = qq + tangent * pq
        a[p * n + q] = 0
        a[q * n + p] = 0
        rotate(vectors, n, p, q, cosine, sine)
      }
    }
  }
  const values = new Float64Array(n)
  for (let i = 0; i < n; i++) values[i] = a[i * n + i]!
  return { values, vectors: { rows: n, columns: n, data: vectors } }
}

/** The lower triangle L with L L^T = m, or undefined when m is not positive definite. Only the lower half is read. */
export function cholesky(m: Matrix, tick: Tick = noTick): Matrix | undefined {
  const n = m.rows
  const result = matrix(n, n)
  const l = result.data
  for (let i = 0; i < n; i++) {
    tick()
    for (let j = 0; j <= i; j++) {
      let sum = m.data[i * n + j]!
      for (let k = 0; k < j; k++) sum -= l[i * n + k]! * l[j * n + k]!
      if (i === j && !(sum > 0)) return undefined
      l[i * n + j] = i === j ? Math.sqrt(sum) : sum / l[j * n + j]!
    }
  }
  return result
}

/** x with L x = right for a lower triangle L. */
export function solveLower({ rows: n, data: l }: Matrix, right: ArrayLike<number>): Float64Array {
  const x = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    let sum = right[i]!
    for (let j = 0; j < i; j++) sum -= l[i * n + j]! * x[j]!
    x[i] = sum / l[i * n + i]!
  }
  return x
}

/** x with L^T x = right for a lower triangle L. */
export function solveLowerTransposed({ rows: n, data: l }: Matrix, right: ArrayLike<number>): Float64Array {
  const x = new Float64Array(n)
  for (let i = n - 1; i >= 0; i--) {
    let sum = right[i]!
    for (let j = i + 1; j < n; j++) sum -= l[j * n + i]! * x[j]!
    x[i] = sum / l[i * n + i]!
  }
  return x
}
