// The library module `model.svm`: the score of a datum by the support vectors of two classes.
import type { LibraryModule } from '../library.ts'
import type { Vector } from '../vector.ts'

interface SupportVector {
  readonly supVec: Vector
  readonly coeff: number
}

interface Model {
  readonly const: number
  readonly posClass: readonly SupportVector[]
  readonly negClass: readonly SupportVector[]
}

type Kernel = (x: Vector, y: Vector) => number

export const supportVectors: LibraryModule = {
  'model.svm.score': (site) => {
    const sumOf = (vectors: readonly SupportVector[], datum: Vector, kernel: Kernel): number => {
      let sum = 0
      for (const { supVec, coeff } of vectors) {
        if (supVec.length !== datum.length) throw site.error(12001)
        sum += kernel(supVec, datum) * coeff
      }
      return sum
    }
    return (datum: Vector, { const: constant, posClass, negClass }: Model, kernel: Kernel) => {
      if (posClass.length === 0 && negClass.length === 0) throw site.error(12000)
      return sumOf(negClass, datum, kernel) + sumOf(posClass, datum, kernel) + constant
    }
  },
}
