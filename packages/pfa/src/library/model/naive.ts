// The library module `model.naive`: the log-likelihood of a datum for one class of a naive Bayes model.
import type { CallSite, Implementation, LibraryModule } from '../library.ts'
import { sameKeys, type Vector, type VectorMap } from '../vector.ts'

interface Normal {
  readonly mean: number
  readonly variance: number
}

/** What is added to each likelihood of a multinomial model, so that none is zero: the smallest normal number. */
const TINY = 2.2250738585072014e-308

function normalLikelihood(site: CallSite, x: number, { mean, variance }: Normal): number {
  if (variance <= 0) throw site.error(10001)
  return -0.5 * Math.log(2 * Math.PI * variance) - (0.5 * (x - mean) ** 2) / variance
}

const gaussian: Implementation = (site) =>
  site.params[0]?.kind === 'map'
    ? (datum: VectorMap, model: ReadonlyMap<string, Normal>) => {
        if (!sameKeys(datum, model)) throw site.error(10000)
        let sum = 0
        for (const [key, x] of datum) sum += normalLikelihood(site, x, model.get(key)!)
        return sum
      }
    : (datum: Vector, model: readonly Normal[]) => {
        if (datum.length !== model.length) throw site.error(10000)
        let sum = 0
        for (let i = 0; i < datum.length; i++) sum += normalLikelihood(site, datum[i]!, model[i]!)
        return sum
      }

/** A class model is given by itself, or as the values of a histogram or counter. */
function classModel<Model>(site: CallSite): (given: Model | { readonly values: Model }) => Model {
  if (site.params[1]?.kind === 'record') return (given) => (given as { readonly values: Model }).values
  return (given) => given as Model
}

function multinomialArray(site: CallSite) {
  const modelOf = classModel<Vector>(site)
  return (datum: Vector, given: Vector | { values: Vector }) => {
    const likelihoods = modelOf(given)
    if (likelihoods.length === 0) throw site.error(10011)
    let total = 0
    for (let i = 0; i < likelihoods.length; i++) {
      if (!(likelihoods[i]! > 0)) throw site.error(10011)
      total += likelihoods[i]!
    }
    if (datum.length !== likelihoods.length) throw site.error(10010)
    let sum = 0
    for (let i = 0; i < datum.length; i++) sum += datum[i]! * Math.log(likelihoods[i]! / total + TINY)
    return sum
  }
}

function multinomialMap(site: CallSite) {
  const modelOf = classModel<VectorMap>(site)
  return (datum: VectorMap, given: VectorMap | { values: VectorMap }) => {
    const likelihoods = modelOf(given)
    if (likelihoods.size === 0) throw site.error(10011)
    for (const likelihood of likelihoods.values()) if (!(likelihood > 0)) throw site.error(10011)
    if (!sameKeys(datum, likelihoods)) throw site.error(10010)
    let sum = 0
    for (const [key, count] of datum) sum += count * Math.log(likelihoods.get(key)!)
    return sum
  }
}

const bernoulli: Implementation = (site) => {
  const modelOf = classModel<VectorMap>(site)
  return (datum: readonly string[], given: VectorMap | { values: VectorMap }) => {
    const likelihoods = modelOf(given)
    let sum = 0
    for (const likelihood of likelihoods.values()) {
      if (likelihood <= 0 || likelihood >= 1) throw site.error(10020)
      sum += Math.log(1 - likelihood)
    }
    for (const item of datum) {
      const likelihood = likelihoods.get(item)
      if (likelihood !== undefined) sum += Math.log(likelihood) - Math.log(1 - likelihood)
    }
    return sum
  }
}

export const naive: LibraryModule = {
  'model.naive.gaussian': gaussian,
  'model.naive.multinomial': (site) => (site.params[0]?.kind === 'map' ? multinomialMap(site) : multinomialArray(site)),
  'model.naive.bernoulli': bernoulli,
}
