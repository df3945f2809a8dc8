// Where the reference is known to be wrong: the case by name, why, and the value that is right. A case listed here must
// give our own value, or be named without one where the reason says why there is no single value.

interface KnownError {
  readonly name: string
  readonly sample: unknown
  /** What we give instead; compared with a relative tolerance of 1e-6. */
  readonly ours: unknown
  readonly reason: string
}

const notRounded = 'the reference computes float in double precision; a float has 32 bits'
const remainderOfHuge =
  'the remainder keeps the dividend when the divisor is larger; the reference adds the divisor and loses it'
const promoted =
  'a long beside a double is promoted to double, where both are the same number; the reference compares them exactly'
const lastOfBinomial = 'the reference gives 0 at x = size'
const discreteQuantile = 'the smallest k whose cumulative probability reaches p is 0; the reference rounds up'

const conformanceErrors: readonly KnownError[] = [
  { name: '+', sample: { x: 1, y: -0.99999 }, ours: 0.000010013580322265625, reason: notRounded },
  { name: '+', sample: { x: -0.99999, y: 1.00001 }, ours: 0.00002002716064453125, reason: notRounded },
  { name: '-', sample: { x: 0.99999, y: 1.00001 }, ours: -0.00002002716064453125, reason: notRounded },
  { name: 'cast.float', sample: { x: 0.1 }, ours: 0.10000000149011612, reason: notRounded },
  { name: 'cast.float', sample: { x: 123456789.123456 }, ours: 123456792, reason: notRounded },
  { name: 'cast.float', sample: { x: 9300000000000000000 }, ours: 9300000300729369000, reason: notRounded },
  { name: 'parse.float', sample: { x: '1.5e-3' }, ours: 0.001500000013038516, reason: notRounded },
  ...[
    { x: 2.5, y: -1e308 },
    { x: -1.5, y: 9300000000000000000 },
    { x: 3, y: -1e308 },
    { x: -3, y: 1e308 },
    { x: 1, y: -1e308 },
    { x: -1, y: 1e308 },
    { x: 2, y: -1e308 },
    { x: 7, y: -1e308 },
    { x: -7, y: 9300000000000000000 },
  ].map((sample) => ({ name: '%%', sample, ours: sample.x, reason: remainderOfHuge })),
  { name: '!=', sample: { x: 9007199254740993n, y: 9007199254740992 }, ours: false, reason: promoted },
  { name: '!=', sample: { x: 9223372036854775807n, y: 2 ** 63 }, ours: false, reason: promoted },
  { name: '<=', sample: { x: 9007199254740993n, y: 9007199254740992 }, ours: true, reason: promoted },
  { name: 'prob.dist.binomialPDF', sample: { x: 2, size: 2, prob: 0.5 }, ours: 0.25, reason: lastOfBinomial },
  { name: 'prob.dist.binomialPDF', sample: { x: 5, size: 5, prob: 1 }, ours: 1, reason: lastOfBinomial },
  {
    name: 'prob.dist.binomialPDF',
    sample: { x: 100, size: 100, prob: 0.99999 },
    ours: 0.9990004948383437,
    reason: lastOfBinomial,
  },
  {
    name: 'prob.dist.betaPDF',
    sample: { x: 0, a: 1, b: 100 },
    ours: 100,
    reason: 'the density at 0 of a beta with a = 1 is b',
  },
  {
    name: 'prob.dist.chi2QF',
    sample: { p: 0.00001, dof: 1 },
    ours: 1.5707963268771435e-10,
    reason: 'the reference stops searching too early',
  },
  { name: 'prob.dist.geometricQF', sample: { p: 0.5, prob: 0.5 }, ours: 0, reason: discreteQuantile },
  { name: 'prob.dist.geometricQF', sample: { p: 0.9, prob: 0.9 }, ours: 0, reason: discreteQuantile },
  {
    name: 'm.special.lnBeta',
    sample: { a: 0.99999, b: 1.00001 },
    ours: 1.644934e-10,
    reason: 'near (1, 1) the value is e² π²/6, which the reference loses in cancellation',
  },
]

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, item) =>
    typeof item === 'bigint' || typeof item === 'number'
      ? String(Number(item)) + (typeof item === 'bigint' ? String(item) : '')
      : typeof item === 'object' && item !== null && !Array.isArray(item)
        ? Object.fromEntries(Object.entries(item).sort())
        : item,
  )

const byCase = new Map(conformanceErrors.map((each) => [`${each.name} ${canonical(each.sample)}`, each]))

/** The entry of a trial, found by the function's name and its sample. */
export const findConformanceError = (name: string, sample: unknown): KnownError | undefined =>
  byCase.get(`${name} ${canonical(sample)}`)
