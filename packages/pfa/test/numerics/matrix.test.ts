import { describe, expect, it } from 'vitest'
import {
  cholesky,
  determinant,
  fromRows,
  inverse,
  type Matrix,
  pseudoInverse,
  solve,
  solveLower,
  solveLowerTransposed,
  symmetricEigen,
  toRows,
  transpose,
} from '../../src/numerics/matrix.ts'
import { table } from './tables.ts'

function eigenBasis(m: Matrix): number[] {
  const mirrored = transpose(m).data
  const { values, vectors } = symmetricEigen({ ...m, data: m.data.map((x, i) => (x + mirrored[i]!) / 2) })
  const order = [...values.keys()].sort((i, j) => Math.abs(values[j]!) - Math.abs(values[i]!))
  return order.flatMap((i) => {
    const row = toRows(vectors)[i]!
    const factor = Math.sign(row[0]!) / Math.sqrt(Math.abs(values[i]!))
    return row.map((x) => x * factor)
  })
}

const functions: Record<string, (m: Matrix) => ArrayLike<number>> = {
  det: (m) => [determinant(m)],
  inverse: (m) => inverse(m).data,
  eigenBasis,
}

describe('agrees with R', () => {
  it.each(table('matrices.csv').map(({ name, numbers }, line) => [line + 1, name, numbers] as const))(
    'line %d: %s',
    (_, name, [rows, columns, ...numbers]) => {
      const size = rows! * columns!
      const value = functions[name]!({
        rows: rows!,
        columns: columns!,
        data: Float64Array.from(numbers.slice(0, size)),
      })
      const expected = numbers.slice(size)
      const scale = Math.max(...expected.map(Math.abs))
      expect(value.length).toBe(expected.length)
      for (let i = 0; i < expected.length; i++) {
        expect(Math.abs(value[i]! - expected[i]!) / scale).toBeLessThan(1e-10)
      }
    },
  )
})

describe('singular and odd matrices', () => {
  it('takes the pseudo-inverse where there is no inverse', () => {
    const rows = toRows(
      inverse(
        fromRows([
          [1, 2],
          [2, 4],
        ]),
      ),
    )
    expect(rows.flat().map((x) => Number(x.toFixed(12)))).toEqual([0.04, 0.08, 0.08, 0.16])
  })
  it('has determinant zero when singular', () => {
    expect(
      determinant(
        fromRows([
          [0, 0],
          [1, 2],
        ]),
      ),
    ).toBe(0)
  })
  it('ends on numbers that are none', () => {
    expect(toRows(pseudoInverse(fromRows([[Number.NaN, 1, 2]]))).flat()).toEqual([Number.NaN, Number.NaN, Number.NaN])
    expect(
      symmetricEigen(
        fromRows([
          [Number.NaN, 1],
          [1, 2],
        ]),
      ).values,
    ).toHaveLength(2)
  })
  it('solves, or says that it cannot', () => {
    expect([
      ...solve(
        fromRows([
          [0, 2],
          [1, 0],
        ]),
        [4, 3],
      )!,
    ]).toEqual([3, 2])
    expect(
      solve(
        fromRows([
          [1, 1],
          [1, 1],
        ]),
        [1, 2],
      ),
    ).toBeUndefined()
  })
  it('factorises positive definite matrices only', () => {
    const lower = cholesky(
      fromRows([
        [4, 2],
        [2, 5],
      ]),
    )!
    expect(toRows(lower)).toEqual([
      [2, 0],
      [1, 2],
    ])
    expect([...solveLowerTransposed(lower, solveLower(lower, [8, 8]))]).toEqual([1.5, 1])
    expect(
      cholesky(
        fromRows([
          [1, 2],
          [2, 1],
        ]),
      ),
    ).toBeUndefined()
  })
})
