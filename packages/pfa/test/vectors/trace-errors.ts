// Recorded documents where the reference is known to be wrong: by name and call, with the reason.

interface KnownCall {
  readonly test: string
  readonly calls: readonly number[]
  readonly reason: string
}

const missingLeaf = 'replacing what is not there must fail (2002 to 2011); the reference leaves the structure as it is'
const negativeIndex = 'a negative array index must fail; the reference counts from the end'

const knownCalls: readonly KnownCall[] = [
  { test: 'probe.attr-array-index', calls: [3, 4], reason: negativeIndex },
  { test: 'probe.attrto-map-missing-leaf', calls: [1], reason: missingLeaf },
  { test: 'probe.attrto-array-out-of-range-leaf', calls: [2, 3], reason: missingLeaf },
  { test: 'probe.cellto-map-missing-leaf', calls: [1], reason: missingLeaf },
  { test: 'probe.cellto-map-missing-leaf-fcn', calls: [1], reason: missingLeaf },
  { test: 'probe.int-input-float', calls: [0], reason: 'JavaScript does not tell 3.0 from 3' },
]

/** Every call of these. */
const knownTests: Readonly<Record<string, string>> = {
  'test.testGenpy.TestGeneratePython.testForkeyvalLoops': 'the order of a map is not specified',
  'test.lib.prob.testDist.TestLib1ProbDist.testHypergeometricDistribution':
    'above the largest possible count the distribution function is 1',
  'test.lib.testCast.TestLib1Cast.testCastJson': 'fields of a record are written in the order of its type',
  'test.lib.testImpute.TestLib1Impute.testErrorOnNonNum': 'a float is rounded to 32 bits',
  'test.lib.testLa.TestLib1La.testAccumulateACovarianceAndUseThatToUpdateAPCAMatrixUsingArrays': 'zero up to rounding',
}

/** Documents that the reference loads although they are wrong. */
const knownLoads: Readonly<Record<string, string>> = {
  'test.producer.testCart.TestProducerCart.testCartMustBuildCategoricalCategorical':
    'a cell of ints is filled with fractions',
  'test.producer.testCart.TestProducerCart.testCartMustBuildNumericalCategorical':
    'a cell of ints is filled with fractions',
}

/** Documents that the reference refuses although they are right. */
const knownRefusals: Readonly<Record<string, string>> = {
  'probe.bytes-value-literal': 'bytes in JSON are characters up to U+00FF; the reference takes ASCII only',
}

export const traceErrors = {
  call: (test: string, index: number): boolean =>
    Object.hasOwn(knownTests, test) || knownCalls.some((each) => each.test === test && each.calls.includes(index)),
  loads: (test: string): boolean => Object.hasOwn(knownRefusals, test),
  refused: (test: string): boolean => Object.hasOwn(knownLoads, test),
}
