// The library module `model.neural`: a datum goes through the layers of a network.
import type { LibraryModule } from '../library.ts'
import type { Rows, Vector } from '../vector.ts'

interface Layer {
  readonly weights: Rows
  readonly bias: Vector
}

export const neural: LibraryModule = {
  'model.neural.simpleLayers': (site) => {
    const outputs = ({ weights, bias }: Layer, inputs: Vector): number[] => {
      if (bias.length !== weights.length) throw site.error(11001)
      const result = new Array<number>(bias.length)
      for (let i = 0; i < weights.length; i++) {
        const row = weights[i]!
        if (row.length !== inputs.length) throw site.error(11001)
        let sum = 0
        for (let j = 0; j < row.length; j++) sum += row[j]! * inputs[j]!
        result[i] = sum + bias[i]!
      }
      return result
    }
    return (datum: Vector, model: readonly Layer[], activation: (x: number) => number) => {
      if (model.length === 0) throw site.error(11000)
      let values = datum
      for (let k = 0; k < model.length; k++) {
        const next = outputs(model[k]!, values)
        // The last layer has no activation function.
        if (k < model.length - 1) for (let i = 0; i < next.length; i++) next[i] = activation(next[i]!)
        values = next
      }
      return values
    }
  },
}
