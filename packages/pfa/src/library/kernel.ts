// The library module `m.kernel`: how alike two vectors are, for support vector machines and Gaussian processes.
import type { CallSite, LibraryModule } from './library.ts'
import type { Vector } from './vector.ts'

function dot(site: CallSite, code: number, x: Vector, y: Vector): number {
  if (x.length !== y.length) throw site.error(code)
  let sum = 0
  for (let i = 0; i < x.length; i++) sum += x[i]! * y[i]!
  return sum
}

export const kernel: LibraryModule = {
  'm.kernel.linear': (site) => (x: Vector, y: Vector) => dot(site, 23000, x, y),
  'm.kernel.rbf': (site) => (x: Vector, y: Vector, gamma: number) => {
    if (x.length !== y.length) throw site.error(23010)
    let sum = 0
    for (let i = 0; i < x.length; i++) {
      const difference = x[i]! - y[i]!
      sum += difference * difference
    }
    return Math.exp(-gamma * sum)
  },
  'm.kernel.poly': (site) => (x: Vector, y: Vector, gamma: number, intercept: number, degree: number) =>
    (gamma * dot(site, 23020, x, y) + intercept) ** degree,
  'm.kernel.sigmoid': (site) => (x: Vector, y: Vector, gamma: number, intercept: number) =>
    Math.tanh(gamma * dot(site, 23030, x, y) + intercept),
}
