// Made by scripts/pfa-signatures.ts from libfcns.xml of PFA 0.8.1: change the script, not this file.
import type { LibrarySignatures } from './signatures.ts'

export const signatures = {
  '+': {
    signatures: ['(x: any A of {int, long, float, double}, y: A) -> A'],
    errors: { 18000: 'int overflow', 18001: 'long overflow' },
  },
  '-': {
    signatures: ['(x: any A of {int, long, float, double}, y: A) -> A'],
    errors: { 18010: 'int overflow', 18011: 'long overflow' },
  },
  '*': {
    signatures: ['(x: any A of {int, long, float, double}, y: A) -> A'],
    errors: { 18020: 'int overflow', 18021: 'long overflow' },
  },
  '/': {
    signatures: ['(x: double, y: double) -> double'],
  },
  '//': {
    signatures: ['(x: any A of {int, long}, y: A) -> A'],
    errors: { 18040: 'integer division by zero' },
  },
  'u-': {
    signatures: ['(x: any A of {int, long, float, double}) -> A'],
    errors: { 18050: 'int overflow', 18051: 'long overflow' },
  },
  '%': {
    signatures: ['(k: any A of {int, long, float, double}, n: A) -> A'],
    errors: { 18060: 'integer division by zero' },
  },
  '%%': {
    signatures: ['(k: any A of {int, long, float, double}, n: A) -> A'],
    errors: { 18070: 'integer division by zero' },
  },
  '**': {
    signatures: ['(x: any A of {int, long, float, double}, y: A) -> A'],
    errors: { 18080: 'int overflow', 18081: 'long overflow' },
  },
  cmp: {
    signatures: ['(x: any A, y: A) -> int'],
  },
  '==': {
    signatures: ['(x: any A, y: A) -> boolean'],
  },
  '>=': {
    signatures: ['(x: any A, y: A) -> boolean'],
  },
  '>': {
    signatures: ['(x: any A, y: A) -> boolean'],
  },
  '!=': {
    signatures: ['(x: any A, y: A) -> boolean'],
  },
  '<': {
    signatures: ['(x: any A, y: A) -> boolean'],
  },
  '<=': {
    signatures: ['(x: any A, y: A) -> boolean'],
  },
  max: {
    signatures: ['(x: any A, y: A) -> A'],
  },
  min: {
    signatures: ['(x: any A, y: A) -> A'],
  },
  '&&': {
    signatures: ['(x: boolean, y: boolean) -> boolean'],
  },
  '||': {
    signatures: ['(x: boolean, y: boolean) -> boolean'],
  },
  '^^': {
    signatures: ['(x: boolean, y: boolean) -> boolean'],
  },
  '!': {
    signatures: ['(x: boolean) -> boolean'],
  },
  '&&&': {
    signatures: ['(x: union(boolean, null), y: union(boolean, null)) -> union(boolean, null)'],
  },
  '|||': {
    signatures: ['(x: union(boolean, null), y: union(boolean, null)) -> union(boolean, null)'],
  },
  '!!!': {
    signatures: ['(x: union(boolean, null)) -> union(boolean, null)'],
  },
  '&': {
    signatures: ['(x: int, y: int) -> int', '(x: long, y: long) -> long'],
  },
  '|': {
    signatures: ['(x: int, y: int) -> int', '(x: long, y: long) -> long'],
  },
  '^': {
    signatures: ['(x: int, y: int) -> int', '(x: long, y: long) -> long'],
  },
  '~': {
    signatures: ['(x: int) -> int', '(x: long) -> long'],
  },
  'm.pi': {
    signatures: ['() -> double'],
  },
  'm.e': {
    signatures: ['() -> double'],
  },
  'm.abs': {
    signatures: ['(x: any A of {int, long, float, double}) -> A'],
    errors: { 27020: 'int overflow', 27021: 'long overflow' },
  },
  'm.acos': {
    signatures: ['(x: double) -> double'],
  },
  'm.asin': {
    signatures: ['(x: double) -> double'],
  },
  'm.atan': {
    signatures: ['(x: double) -> double'],
  },
  'm.atan2': {
    signatures: ['(y: double, x: double) -> double'],
  },
  'm.ceil': {
    signatures: ['(x: double) -> double'],
  },
  'm.copysign': {
    signatures: ['(mag: any A of {int, long, float, double}, sign: A) -> A'],
  },
  'm.cos': {
    signatures: ['(x: double) -> double'],
  },
  'm.cosh': {
    signatures: ['(x: double) -> double'],
  },
  'm.exp': {
    signatures: ['(x: double) -> double'],
  },
  'm.expm1': {
    signatures: ['(x: double) -> double'],
  },
  'm.floor': {
    signatures: ['(x: double) -> double'],
  },
  'm.hypot': {
    signatures: ['(x: double, y: double) -> double'],
  },
  'm.ln': {
    signatures: ['(x: double) -> double'],
  },
  'm.log10': {
    signatures: ['(x: double) -> double'],
  },
  'm.log': {
    signatures: ['(x: double, base: int) -> double'],
    errors: { 27170: 'base must be positive' },
  },
  'm.ln1p': {
    signatures: ['(x: double) -> double'],
  },
  'm.round': {
    signatures: ['(x: float) -> int', '(x: double) -> long'],
    errors: { 27190: 'int overflow', 27191: 'long overflow' },
  },
  'm.rint': {
    signatures: ['(x: double) -> double'],
  },
  'm.signum': {
    signatures: ['(x: double) -> int'],
  },
  'm.sin': {
    signatures: ['(x: double) -> double'],
  },
  'm.sinh': {
    signatures: ['(x: double) -> double'],
  },
  'm.sqrt': {
    signatures: ['(x: double) -> double'],
  },
  'm.tan': {
    signatures: ['(x: double) -> double'],
  },
  'm.tanh': {
    signatures: ['(x: double) -> double'],
  },
  'm.special.nChooseK': {
    signatures: ['(n: int, k: int) -> int'],
    errors: { 36000: 'domain error' },
  },
  'm.special.lnBeta': {
    signatures: ['(a: double, b: double) -> double'],
    errors: { 36010: 'domain error' },
  },
  'm.special.erf': {
    signatures: ['(x: double) -> double'],
  },
  'm.special.erfc': {
    signatures: ['(x: double) -> double'],
  },
  'm.special.lnGamma': {
    signatures: ['(x: double) -> double'],
  },
  'm.link.softmax': {
    signatures: ['(x: array(double)) -> array(double)', '(x: map(double)) -> map(double)'],
    errors: { 25000: 'empty input' },
  },
  'm.link.logit': {
    signatures: ['(x: double) -> double', '(x: array(double)) -> array(double)', '(x: map(double)) -> map(double)'],
  },
  'm.link.probit': {
    signatures: ['(x: double) -> double', '(x: array(double)) -> array(double)', '(x: map(double)) -> map(double)'],
  },
  'm.link.cloglog': {
    signatures: ['(x: double) -> double', '(x: array(double)) -> array(double)', '(x: map(double)) -> map(double)'],
  },
  'm.link.loglog': {
    signatures: ['(x: double) -> double', '(x: array(double)) -> array(double)', '(x: map(double)) -> map(double)'],
  },
  'm.link.cauchit': {
    signatures: ['(x: double) -> double', '(x: array(double)) -> array(double)', '(x: map(double)) -> map(double)'],
  },
  'm.link.softplus': {
    signatures: ['(x: double) -> double', '(x: array(double)) -> array(double)', '(x: map(double)) -> map(double)'],
  },
  'm.link.relu': {
    signatures: ['(x: double) -> double', '(x: array(double)) -> array(double)', '(x: map(double)) -> map(double)'],
  },
  'm.link.tanh': {
    signatures: ['(x: double) -> double', '(x: array(double)) -> array(double)', '(x: map(double)) -> map(double)'],
  },
  'm.kernel.linear': {
    signatures: ['(x: array(double), y: array(double)) -> double'],
    errors: { 23000: 'arrays must have same length' },
  },
  'm.kernel.rbf': {
    signatures: ['(x: array(double), y: array(double), gamma: double) -> double'],
    errors: { 23010: 'arrays must have same length' },
  },
  'm.kernel.poly': {
    signatures: ['(x: array(double), y: array(double), gamma: double, intercept: double, degree: double) -> double'],
    errors: { 23020: 'arrays must have same length' },
  },
  'm.kernel.sigmoid': {
    signatures: ['(x: array(double), y: array(double), gamma: double, intercept: double) -> double'],
    errors: { 23030: 'arrays must have same length' },
  },
  'la.map': {
    signatures: [
      '(x: array(array(double)), fcn: fcn(double -> double)) -> array(array(double))',
      '(x: map(map(double)), fcn: fcn(double -> double)) -> map(map(double))',
    ],
  },
  'la.scale': {
    signatures: [
      '(x: array(double), alpha: double) -> array(double)',
      '(x: array(array(double)), alpha: double) -> array(array(double))',
      '(x: map(double), alpha: double) -> map(double)',
      '(x: map(map(double)), alpha: double) -> map(map(double))',
    ],
  },
  'la.zipmap': {
    signatures: [
      '(x: array(array(double)), y: array(array(double)), fcn: fcn(double, double -> double)) -> array(array(double))',
      '(x: map(map(double)), y: map(map(double)), fcn: fcn(double, double -> double)) -> map(map(double))',
    ],
    errors: { 24020: 'misaligned matrices' },
  },
  'la.add': {
    signatures: [
      '(x: array(double), y: array(double)) -> array(double)',
      '(x: array(array(double)), y: array(array(double))) -> array(array(double))',
      '(x: map(double), y: map(double)) -> map(double)',
      '(x: map(map(double)), y: map(map(double))) -> map(map(double))',
    ],
    errors: { 24030: 'misaligned matrices' },
  },
  'la.sub': {
    signatures: [
      '(x: array(double), y: array(double)) -> array(double)',
      '(x: array(array(double)), y: array(array(double))) -> array(array(double))',
      '(x: map(double), y: map(double)) -> map(double)',
      '(x: map(map(double)), y: map(map(double))) -> map(map(double))',
    ],
    errors: { 24040: 'misaligned matrices' },
  },
  'la.dot': {
    signatures: [
      '(x: array(array(double)), y: array(double)) -> array(double)',
      '(x: map(map(double)), y: map(double)) -> map(double)',
      '(x: array(array(double)), y: array(array(double))) -> array(array(double))',
      '(x: map(map(double)), y: map(map(double))) -> map(map(double))',
    ],
    errors: { 24050: 'misaligned matrices', 24051: 'too few rows/cols', 24052: 'contains non-finite value' },
  },
  'la.transpose': {
    signatures: ['(x: array(array(double))) -> array(array(double))', '(x: map(map(double))) -> map(map(double))'],
    errors: { 24060: 'too few rows/cols', 24061: 'ragged columns' },
  },
  'la.inverse': {
    signatures: ['(x: array(array(double))) -> array(array(double))', '(x: map(map(double))) -> map(map(double))'],
    errors: { 24070: 'too few rows/cols', 24071: 'ragged columns' },
  },
  'la.trace': {
    signatures: ['(x: array(array(double))) -> double', '(x: map(map(double))) -> double'],
    errors: { 24080: 'ragged columns' },
  },
  'la.det': {
    signatures: ['(x: array(array(double))) -> double', '(x: map(map(double))) -> double'],
    errors: { 24090: 'too few rows/cols', 24091: 'ragged columns', 24092: 'non-square matrix' },
  },
  'la.symmetric': {
    signatures: [
      '(x: array(array(double)), tolerance: double) -> boolean',
      '(x: map(map(double)), tolerance: double) -> boolean',
    ],
    errors: { 24100: 'too few rows/cols', 24101: 'ragged columns', 24102: 'non-square matrix' },
  },
  'la.eigenBasis': {
    signatures: ['(x: array(array(double))) -> array(array(double))', '(x: map(map(double))) -> map(map(double))'],
    errors: {
      24110: 'too few rows/cols',
      24111: 'ragged columns',
      24112: 'non-square matrix',
      24113: 'non-finite matrix',
    },
    nondeterministic: 'unstable',
  },
  'la.truncate': {
    signatures: [
      '(x: array(array(double)), keep: int) -> array(array(double))',
      '(x: map(map(double)), keep: array(string)) -> map(map(double))',
    ],
    errors: { 24120: 'too few rows/cols', 24121: 'ragged columns' },
  },
  'metric.simpleEuclidean': {
    signatures: ['(x: array(double), y: array(double)) -> double'],
    errors: { 28000: 'dimensions of vectors do not match' },
  },
  'metric.absDiff': {
    signatures: ['(x: double, y: double) -> double'],
  },
  'metric.gaussianSimilarity': {
    signatures: ['(x: double, y: double, sigma: double) -> double'],
  },
  'metric.euclidean': {
    signatures: [
      '(similarity: fcn(any A, any B -> double), x: array(union(null, A)), y: array(union(null, B))) -> double',
      '(similarity: fcn(any A, any B -> double), x: array(union(null, A)), y: array(union(null, B)), missingWeight: array(double)) -> double',
    ],
    errors: { 28030: 'dimensions of vectors do not match' },
  },
  'metric.squaredEuclidean': {
    signatures: [
      '(similarity: fcn(double, double -> double), x: array(union(null, double)), y: array(union(null, double))) -> double',
      '(similarity: fcn(double, double -> double), x: array(union(null, double)), y: array(union(null, double)), missingWeight: array(double)) -> double',
    ],
    errors: { 28040: 'dimensions of vectors do not match' },
  },
  'metric.chebyshev': {
    signatures: [
      '(similarity: fcn(double, double -> double), x: array(union(null, double)), y: array(union(null, double))) -> double',
      '(similarity: fcn(double, double -> double), x: array(union(null, double)), y: array(union(null, double)), missingWeight: array(double)) -> double',
    ],
    errors: { 28050: 'dimensions of vectors do not match' },
  },
  'metric.taxicab': {
    signatures: [
      '(similarity: fcn(double, double -> double), x: array(union(null, double)), y: array(union(null, double))) -> double',
      '(similarity: fcn(double, double -> double), x: array(union(null, double)), y: array(union(null, double)), missingWeight: array(double)) -> double',
    ],
    errors: { 28060: 'dimensions of vectors do not match' },
  },
  'metric.minkowski': {
    signatures: [
      '(similarity: fcn(double, double -> double), x: array(union(null, double)), y: array(union(null, double)), p: double) -> double',
      '(similarity: fcn(double, double -> double), x: array(union(null, double)), y: array(union(null, double)), p: double, missingWeight: array(double)) -> double',
    ],
    errors: { 28070: 'dimensions of vectors do not match', 28071: 'Minkowski parameter p must be positive' },
  },
  'metric.simpleMatching': {
    signatures: ['(x: array(boolean), y: array(boolean)) -> double'],
    errors: { 28080: 'dimensions of vectors do not match' },
  },
  'metric.jaccard': {
    signatures: ['(x: array(boolean), y: array(boolean)) -> double'],
    errors: { 28090: 'dimensions of vectors do not match' },
  },
  'metric.tanimoto': {
    signatures: ['(x: array(boolean), y: array(boolean)) -> double'],
    errors: { 28100: 'dimensions of vectors do not match' },
  },
  'metric.binarySimilarity': {
    signatures: [
      '(x: array(boolean), y: array(boolean), c00: double, c01: double, c10: double, c11: double, d00: double, d01: double, d10: double, d11: double) -> double',
    ],
    errors: { 28110: 'dimensions of vectors do not match' },
  },
  'rand.int': {
    signatures: ['() -> int', '(low: int, high: int) -> int'],
    errors: { 34000: 'high must be greater than low' },
    nondeterministic: 'pseudorandom',
  },
  'rand.long': {
    signatures: ['() -> long', '(low: long, high: long) -> long'],
    errors: { 34010: 'high must be greater than low' },
    nondeterministic: 'pseudorandom',
  },
  'rand.float': {
    signatures: ['(low: float, high: float) -> float'],
    errors: { 34020: 'high must be greater than low' },
    nondeterministic: 'pseudorandom',
  },
  'rand.double': {
    signatures: ['(low: double, high: double) -> double'],
    errors: { 34030: 'high must be greater than low' },
    nondeterministic: 'pseudorandom',
  },
  'rand.choice': {
    signatures: ['(population: array(any A)) -> A'],
    errors: { 34040: 'population must not be empty' },
    nondeterministic: 'pseudorandom',
  },
  'rand.choices': {
    signatures: ['(size: int, population: array(any A)) -> array(A)'],
    errors: { 34050: 'population must not be empty' },
    nondeterministic: 'pseudorandom',
  },
  'rand.sample': {
    signatures: ['(size: int, population: array(any A)) -> array(A)'],
    errors: { 34060: 'population must not be empty', 34061: 'population smaller than requested subsample' },
    nondeterministic: 'pseudorandom',
  },
  'rand.histogram': {
    signatures: ['(distribution: array(double)) -> int', '(distribution: array(record A {prob: double})) -> A'],
    errors: {
      34070: 'distribution must be non-empty',
      34071: 'distribution must be finite',
      34072: 'distribution must be non-negative',
    },
    nondeterministic: 'pseudorandom',
  },
  'rand.string': {
    signatures: [
      '(size: int) -> string',
      '(size: int, population: string) -> string',
      '(size: int, low: int, high: int) -> string',
    ],
    errors: {
      34080: 'size must be positive',
      34081: 'high must be greater than low',
      34082: 'invalid char',
      34083: 'population must be non-empty',
    },
    nondeterministic: 'pseudorandom',
  },
  'rand.bytes': {
    signatures: [
      '(size: int) -> bytes',
      '(size: int, population: bytes) -> bytes',
      '(size: int, low: int, high: int) -> bytes',
    ],
    errors: {
      34090: 'size must be positive',
      34091: 'high must be greater than low',
      34092: 'invalid byte',
      34093: 'population must be non-empty',
    },
    nondeterministic: 'pseudorandom',
  },
  'rand.uuid': {
    signatures: ['() -> string'],
    nondeterministic: 'pseudorandom',
  },
  'rand.uuid4': {
    signatures: ['() -> string'],
    nondeterministic: 'pseudorandom',
  },
  'rand.gaussian': {
    signatures: ['(mu: double, sigma: double) -> double'],
    nondeterministic: 'pseudorandom',
  },
  's.len': {
    signatures: ['(s: string) -> int'],
  },
  's.substr': {
    signatures: ['(s: string, start: int, end: int) -> string'],
  },
  's.substrto': {
    signatures: ['(s: string, start: int, end: int, replacement: string) -> string'],
  },
  's.contains': {
    signatures: ['(haystack: string, needle: string) -> boolean'],
  },
  's.count': {
    signatures: ['(haystack: string, needle: string) -> int'],
  },
  's.index': {
    signatures: ['(haystack: string, needle: string) -> int'],
  },
  's.rindex': {
    signatures: ['(haystack: string, needle: string) -> int'],
  },
  's.startswith': {
    signatures: ['(haystack: string, needle: string) -> boolean'],
  },
  's.endswith': {
    signatures: ['(haystack: string, needle: string) -> boolean'],
  },
  's.join': {
    signatures: ['(array: array(string), sep: string) -> string'],
  },
  's.split': {
    signatures: ['(s: string, sep: string) -> array(string)'],
  },
  's.hex': {
    signatures: ['(x: long) -> string', '(x: long, width: int, zeroPad: boolean) -> string'],
    errors: { 39110: 'negative width cannot be used with zero-padding', 39111: 'negative number' },
  },
  's.int': {
    signatures: ['(x: long) -> string', '(x: long, width: int, zeroPad: boolean) -> string'],
    errors: { 39240: 'negative width cannot be used with zero-padding' },
  },
  's.number': {
    signatures: [
      '(x: long) -> string',
      '(x: long, width: int, zeroPad: boolean) -> string',
      '(x: double, width: union(int, null), precision: union(int, null)) -> string',
      '(x: double, width: union(int, null), precision: union(int, null), minNoExp: double, maxNoExp: double) -> string',
    ],
    errors: { 39120: 'negative width cannot be used with zero-padding', 39121: 'negative precision' },
    nondeterministic: 'unstable',
  },
  's.concat': {
    signatures: ['(x: string, y: string) -> string'],
  },
  's.repeat': {
    signatures: ['(s: string, n: int) -> string'],
  },
  's.lower': {
    signatures: ['(s: string) -> string'],
  },
  's.upper': {
    signatures: ['(s: string) -> string'],
  },
  's.lstrip': {
    signatures: ['(s: string, chars: string) -> string'],
  },
  's.rstrip': {
    signatures: ['(s: string, chars: string) -> string'],
  },
  's.strip': {
    signatures: ['(s: string, chars: string) -> string'],
  },
  's.replaceall': {
    signatures: ['(s: string, original: string, replacement: string) -> string'],
  },
  's.replacefirst': {
    signatures: ['(s: string, original: string, replacement: string) -> string'],
  },
  's.replacelast': {
    signatures: ['(s: string, original: string, replacement: string) -> string'],
  },
  's.translate': {
    signatures: ['(s: string, oldchars: string, newchars: string) -> string'],
  },
  're.index': {
    signatures: [
      '(haystack: string, pattern: string) -> array(int)',
      '(haystack: bytes, pattern: bytes) -> array(int)',
    ],
    errors: { 35000: 'bad pattern' },
  },
  're.contains': {
    signatures: ['(haystack: string, pattern: string) -> boolean', '(haystack: bytes, pattern: bytes) -> boolean'],
    errors: { 35010: 'bad pattern' },
  },
  're.count': {
    signatures: ['(haystack: string, pattern: string) -> int', '(haystack: bytes, pattern: bytes) -> int'],
    errors: { 35020: 'bad pattern' },
  },
  're.rindex': {
    signatures: [
      '(haystack: string, pattern: string) -> array(int)',
      '(haystack: bytes, pattern: bytes) -> array(int)',
    ],
    errors: { 35030: 'bad pattern' },
  },
  're.groups': {
    signatures: [
      '(haystack: string, pattern: string) -> array(array(int))',
      '(haystack: bytes, pattern: bytes) -> array(array(int))',
    ],
    errors: { 35040: 'bad pattern' },
  },
  're.indexall': {
    signatures: [
      '(haystack: string, pattern: string) -> array(array(int))',
      '(haystack: bytes, pattern: bytes) -> array(array(int))',
    ],
    errors: { 35050: 'bad pattern' },
  },
  're.findall': {
    signatures: [
      '(haystack: string, pattern: string) -> array(string)',
      '(haystack: bytes, pattern: bytes) -> array(bytes)',
    ],
    errors: { 35060: 'bad pattern' },
  },
  're.findfirst': {
    signatures: [
      '(haystack: string, pattern: string) -> union(string, null)',
      '(haystack: bytes, pattern: bytes) -> union(bytes, null)',
    ],
    errors: { 35070: 'bad pattern' },
  },
  're.findgroupsfirst': {
    signatures: [
      '(haystack: string, pattern: string) -> array(string)',
      '(haystack: bytes, pattern: bytes) -> array(bytes)',
    ],
    errors: { 35080: 'bad pattern' },
  },
  're.findgroupsall': {
    signatures: [
      '(haystack: string, pattern: string) -> array(array(string))',
      '(haystack: bytes, pattern: bytes) -> array(array(bytes))',
    ],
    errors: { 35090: 'bad pattern' },
  },
  're.groupsall': {
    signatures: [
      '(haystack: string, pattern: string) -> array(array(array(int)))',
      '(haystack: bytes, pattern: bytes) -> array(array(array(int)))',
    ],
    errors: { 35100: 'bad pattern' },
  },
  're.replacefirst': {
    signatures: [
      '(haystack: string, pattern: string, replacement: string) -> string',
      '(haystack: bytes, pattern: bytes, replacement: bytes) -> bytes',
    ],
    errors: { 35110: 'bad pattern' },
  },
  're.replacelast': {
    signatures: [
      '(haystack: string, pattern: string, replacement: string) -> string',
      '(haystack: bytes, pattern: bytes, replacement: bytes) -> bytes',
    ],
    errors: { 35120: 'bad pattern' },
  },
  're.split': {
    signatures: [
      '(haystack: string, pattern: string) -> array(string)',
      '(haystack: bytes, pattern: bytes) -> array(bytes)',
    ],
    errors: { 35130: 'bad pattern' },
  },
  're.replaceall': {
    signatures: [
      '(haystack: string, pattern: string, replacement: string) -> string',
      '(haystack: bytes, pattern: bytes, replacement: bytes) -> bytes',
    ],
    errors: { 35140: 'bad pattern' },
  },
  'parse.int': {
    signatures: ['(str: string, base: int) -> int'],
    errors: { 33000: 'not an integer', 33001: 'base out of range' },
  },
  'parse.long': {
    signatures: ['(str: string, base: int) -> long'],
    errors: { 33010: 'not a long integer', 33011: 'base out of range' },
  },
  'parse.float': {
    signatures: ['(str: string) -> float'],
    errors: { 33020: 'not a single-precision float' },
  },
  'parse.double': {
    signatures: ['(str: string) -> double'],
    errors: { 33030: 'not a double-precision float' },
  },
  'cast.signed': {
    signatures: ['(x: long, bits: int) -> long'],
    errors: { 17000: 'unrepresentable unsigned number' },
  },
  'cast.unsigned': {
    signatures: ['(x: long, bits: int) -> long'],
    errors: { 17010: 'unrepresentable unsigned number' },
  },
  'cast.int': {
    signatures: ['(x: int) -> int', '(x: long) -> int', '(x: float) -> int', '(x: double) -> int'],
    errors: { 17020: 'int overflow' },
  },
  'cast.long': {
    signatures: ['(x: int) -> long', '(x: long) -> long', '(x: float) -> long', '(x: double) -> long'],
    errors: { 17030: 'long overflow' },
  },
  'cast.float': {
    signatures: ['(x: int) -> float', '(x: long) -> float', '(x: float) -> float', '(x: double) -> float'],
  },
  'cast.double': {
    signatures: ['(x: int) -> double', '(x: long) -> double', '(x: float) -> double', '(x: double) -> double'],
  },
  'cast.fanoutBoolean': {
    signatures: [
      '(x: enum A) -> array(boolean)',
      '(x: string, dictionary: array(string), outOfRange: boolean) -> array(boolean)',
      '(x: int, minimum: int, maximum: int, outOfRange: boolean) -> array(boolean)',
    ],
    errors: { 17060: 'non-distinct values in dictionary' },
  },
  'cast.fanoutInt': {
    signatures: [
      '(x: enum A) -> array(int)',
      '(x: string, dictionary: array(string), outOfRange: boolean) -> array(int)',
      '(x: int, minimum: int, maximum: int, outOfRange: boolean) -> array(int)',
    ],
    errors: { 17070: 'non-distinct values in dictionary' },
  },
  'cast.fanoutLong': {
    signatures: [
      '(x: enum A) -> array(long)',
      '(x: string, dictionary: array(string), outOfRange: boolean) -> array(long)',
      '(x: int, minimum: int, maximum: int, outOfRange: boolean) -> array(long)',
    ],
    errors: { 17080: 'non-distinct values in dictionary' },
  },
  'cast.fanoutFloat': {
    signatures: [
      '(x: enum A) -> array(float)',
      '(x: string, dictionary: array(string), outOfRange: boolean) -> array(float)',
      '(x: int, minimum: int, maximum: int, outOfRange: boolean) -> array(float)',
    ],
    errors: { 17090: 'non-distinct values in dictionary' },
  },
  'cast.fanoutDouble': {
    signatures: [
      '(x: enum A) -> array(double)',
      '(x: string, dictionary: array(string), outOfRange: boolean) -> array(double)',
      '(x: int, minimum: int, maximum: int, outOfRange: boolean) -> array(double)',
    ],
    errors: { 17100: 'non-distinct values in dictionary' },
  },
  'cast.avro': {
    signatures: ['(x: any A) -> bytes'],
  },
  'cast.json': {
    signatures: ['(x: any A) -> string'],
    nondeterministic: 'unstable',
  },
  'a.len': {
    signatures: ['(a: array(any A)) -> int'],
  },
  'a.subseq': {
    signatures: ['(a: array(any A), start: int, end: int) -> array(A)'],
  },
  'a.head': {
    signatures: ['(a: array(any A)) -> A'],
    errors: { 15020: 'empty array' },
  },
  'a.tail': {
    signatures: ['(a: array(any A)) -> array(A)'],
    errors: { 15030: 'empty array' },
  },
  'a.last': {
    signatures: ['(a: array(any A)) -> A'],
    errors: { 15040: 'empty array' },
  },
  'a.init': {
    signatures: ['(a: array(any A)) -> array(A)'],
    errors: { 15050: 'empty array' },
  },
  'a.subseqto': {
    signatures: ['(a: array(any A), start: int, end: int, replacement: array(A)) -> array(A)'],
  },
  'a.contains': {
    signatures: [
      '(haystack: array(any A), needle: array(A)) -> boolean',
      '(haystack: array(any A), needle: A) -> boolean',
      '(haystack: array(any A), needle: fcn(A -> boolean)) -> boolean',
    ],
  },
  'a.count': {
    signatures: [
      '(haystack: array(any A), needle: array(A)) -> int',
      '(haystack: array(any A), needle: A) -> int',
      '(haystack: array(any A), needle: fcn(A -> boolean)) -> int',
    ],
  },
  'a.index': {
    signatures: [
      '(haystack: array(any A), needle: array(A)) -> int',
      '(haystack: array(any A), needle: A) -> int',
      '(haystack: array(any A), needle: fcn(A -> boolean)) -> int',
    ],
  },
  'a.rindex': {
    signatures: [
      '(haystack: array(any A), needle: array(A)) -> int',
      '(haystack: array(any A), needle: A) -> int',
      '(haystack: array(any A), needle: fcn(A -> boolean)) -> int',
    ],
  },
  'a.startswith': {
    signatures: [
      '(haystack: array(any A), needle: array(A)) -> boolean',
      '(haystack: array(any A), needle: A) -> boolean',
    ],
  },
  'a.endswith': {
    signatures: [
      '(haystack: array(any A), needle: array(A)) -> boolean',
      '(haystack: array(any A), needle: A) -> boolean',
    ],
  },
  'a.concat': {
    signatures: ['(a: array(any A), b: array(A)) -> array(A)'],
  },
  'a.append': {
    signatures: ['(a: array(any A), item: A) -> array(A)'],
  },
  'a.cycle': {
    signatures: ['(a: array(any A), item: A, maxLength: int) -> array(A)'],
    errors: { 15150: 'maxLength out of range' },
  },
  'a.insert': {
    signatures: ['(a: array(any A), index: int, item: A) -> array(A)'],
    errors: { 15160: 'index out of range' },
  },
  'a.replace': {
    signatures: ['(a: array(any A), index: int, item: A) -> array(A)'],
    errors: { 15170: 'index out of range' },
  },
  'a.remove': {
    signatures: ['(a: array(any A), start: int, end: int) -> array(A)', '(a: array(any A), index: int) -> array(A)'],
    errors: { 15180: 'index out of range' },
  },
  'a.rotate': {
    signatures: ['(a: array(any A), steps: int) -> array(A)'],
    errors: { 15190: 'steps out of range' },
  },
  'a.sort': {
    signatures: ['(a: array(any A)) -> array(A)'],
  },
  'a.sortLT': {
    signatures: ['(a: array(any A), lessThan: fcn(A, A -> boolean)) -> array(A)'],
  },
  'a.shuffle': {
    signatures: ['(a: array(any A)) -> array(A)'],
    nondeterministic: 'pseudorandom',
  },
  'a.reverse': {
    signatures: ['(a: array(any A)) -> array(A)'],
  },
  'a.max': {
    signatures: ['(a: array(any A)) -> A'],
    errors: { 15240: 'empty array' },
  },
  'a.min': {
    signatures: ['(a: array(any A)) -> A'],
    errors: { 15250: 'empty array' },
  },
  'a.maxLT': {
    signatures: ['(a: array(any A), lessThan: fcn(A, A -> boolean)) -> A'],
    errors: { 15260: 'empty array' },
  },
  'a.minLT': {
    signatures: ['(a: array(any A), lessThan: fcn(A, A -> boolean)) -> A'],
    errors: { 15270: 'empty array' },
  },
  'a.maxN': {
    signatures: ['(a: array(any A), n: int) -> array(A)'],
    errors: { 15280: 'empty array', 15281: 'n < 0' },
  },
  'a.minN': {
    signatures: ['(a: array(any A), n: int) -> array(A)'],
    errors: { 15290: 'empty array', 15291: 'n < 0' },
  },
  'a.maxNLT': {
    signatures: ['(a: array(any A), n: int, lessThan: fcn(A, A -> boolean)) -> array(A)'],
    errors: { 15300: 'empty array', 15301: 'n < 0' },
  },
  'a.minNLT': {
    signatures: ['(a: array(any A), n: int, lessThan: fcn(A, A -> boolean)) -> array(A)'],
    errors: { 15310: 'empty array', 15311: 'n < 0' },
  },
  'a.argmax': {
    signatures: ['(a: array(any A)) -> int'],
    errors: { 15320: 'empty array' },
  },
  'a.argmin': {
    signatures: ['(a: array(any A)) -> int'],
    errors: { 15330: 'empty array' },
  },
  'a.argmaxLT': {
    signatures: ['(a: array(any A), lessThan: fcn(A, A -> boolean)) -> int'],
    errors: { 15340: 'empty array' },
  },
  'a.argminLT': {
    signatures: ['(a: array(any A), lessThan: fcn(A, A -> boolean)) -> int'],
    errors: { 15350: 'empty array' },
  },
  'a.argmaxN': {
    signatures: ['(a: array(any A), n: int) -> array(int)'],
    errors: { 15360: 'empty array', 15361: 'n < 0' },
  },
  'a.argminN': {
    signatures: ['(a: array(any A), n: int) -> array(int)'],
    errors: { 15370: 'empty array', 15371: 'n < 0' },
  },
  'a.argmaxNLT': {
    signatures: ['(a: array(any A), n: int, lessThan: fcn(A, A -> boolean)) -> array(int)'],
    errors: { 15380: 'empty array', 15381: 'n < 0' },
  },
  'a.argminNLT': {
    signatures: ['(a: array(any A), n: int, lessThan: fcn(A, A -> boolean)) -> array(int)'],
    errors: { 15390: 'empty array', 15391: 'n < 0' },
  },
  'a.sum': {
    signatures: ['(a: array(any A of {int, long, float, double})) -> A'],
    errors: { 15400: 'int overflow', 15401: 'long overflow' },
  },
  'a.product': {
    signatures: ['(a: array(any A of {int, long, float, double})) -> A'],
    errors: { 15410: 'int overflow', 15411: 'long overflow' },
  },
  'a.lnsum': {
    signatures: ['(a: array(double)) -> double'],
  },
  'a.mean': {
    signatures: ['(a: array(double)) -> double'],
  },
  'a.geomean': {
    signatures: ['(a: array(double)) -> double'],
  },
  'a.median': {
    signatures: ['(a: array(any A)) -> A'],
    errors: { 15450: 'empty array' },
  },
  'a.ntile': {
    signatures: ['(a: array(any A), p: double) -> A'],
    errors: { 15460: 'empty array', 15461: 'p not a number' },
  },
  'a.mode': {
    signatures: ['(a: array(any A)) -> A'],
    errors: { 15470: 'empty array' },
  },
  'a.logsumexp': {
    signatures: ['(a: array(double)) -> double'],
  },
  'a.distinct': {
    signatures: ['(a: array(any A)) -> array(A)'],
  },
  'a.seteq': {
    signatures: ['(a: array(any A), b: array(A)) -> boolean'],
  },
  'a.union': {
    signatures: ['(a: array(any A), b: array(A)) -> array(A)'],
  },
  'a.intersection': {
    signatures: ['(a: array(any A), b: array(A)) -> array(A)'],
  },
  'a.diff': {
    signatures: ['(a: array(any A), b: array(A)) -> array(A)'],
  },
  'a.symdiff': {
    signatures: ['(a: array(any A), b: array(A)) -> array(A)'],
  },
  'a.subset': {
    signatures: ['(little: array(any A), big: array(A)) -> boolean'],
  },
  'a.disjoint': {
    signatures: ['(a: array(any A), b: array(A)) -> boolean'],
  },
  'a.map': {
    signatures: ['(a: array(any A), fcn: fcn(A -> any B)) -> array(B)'],
  },
  'a.mapWithIndex': {
    signatures: ['(a: array(any A), fcn: fcn(int, A -> any B)) -> array(B)'],
  },
  'a.filter': {
    signatures: ['(a: array(any A), fcn: fcn(A -> boolean)) -> array(A)'],
  },
  'a.filterWithIndex': {
    signatures: ['(a: array(any A), fcn: fcn(int, A -> boolean)) -> array(A)'],
  },
  'a.filterMap': {
    signatures: ['(a: array(any A), fcn: fcn(A -> union(any B, null))) -> array(B)'],
  },
  'a.filterMapWithIndex': {
    signatures: ['(a: array(any A), fcn: fcn(int, A -> union(any B, null))) -> array(B)'],
  },
  'a.flatMap': {
    signatures: ['(a: array(any A), fcn: fcn(A -> array(any B))) -> array(B)'],
  },
  'a.flatMapWithIndex': {
    signatures: ['(a: array(any A), fcn: fcn(int, A -> array(any B))) -> array(B)'],
  },
  'a.zipmap': {
    signatures: [
      '(a: array(any A), b: array(any B), fcn: fcn(A, B -> any Z)) -> array(Z)',
      '(a: array(any A), b: array(any B), c: array(any C), fcn: fcn(A, B, C -> any Z)) -> array(Z)',
      '(a: array(any A), b: array(any B), c: array(any C), d: array(any D), fcn: fcn(A, B, C, D -> any Z)) -> array(Z)',
    ],
    errors: { 15650: 'misaligned arrays' },
  },
  'a.zipmapWithIndex': {
    signatures: [
      '(a: array(any A), b: array(any B), fcn: fcn(int, A, B -> any Z)) -> array(Z)',
      '(a: array(any A), b: array(any B), c: array(any C), fcn: fcn(int, A, B, C -> any Z)) -> array(Z)',
      '(a: array(any A), b: array(any B), c: array(any C), d: array(any D), fcn: fcn(int, A, B, C, D -> any Z)) -> array(Z)',
    ],
    errors: { 15660: 'misaligned arrays' },
  },
  'a.reduce': {
    signatures: ['(a: array(any A), fcn: fcn(A, A -> A)) -> A'],
    errors: { 15670: 'empty array' },
  },
  'a.reduceRight': {
    signatures: ['(a: array(any A), fcn: fcn(A, A -> A)) -> A'],
    errors: { 15680: 'empty array' },
  },
  'a.fold': {
    signatures: ['(a: array(any A), zero: any B, fcn: fcn(B, A -> B)) -> B'],
  },
  'a.foldRight': {
    signatures: ['(a: array(any A), zero: any B, fcn: fcn(A, B -> B)) -> B'],
  },
  'a.takeWhile': {
    signatures: ['(a: array(any A), fcn: fcn(A -> boolean)) -> array(A)'],
  },
  'a.dropWhile': {
    signatures: ['(a: array(any A), fcn: fcn(A -> boolean)) -> array(A)'],
  },
  'a.any': {
    signatures: ['(a: array(any A), fcn: fcn(A -> boolean)) -> boolean'],
  },
  'a.all': {
    signatures: ['(a: array(any A), fcn: fcn(A -> boolean)) -> boolean'],
  },
  'a.corresponds': {
    signatures: ['(a: array(any A), b: array(any B), fcn: fcn(A, B -> boolean)) -> boolean'],
  },
  'a.correspondsWithIndex': {
    signatures: ['(a: array(any A), b: array(any B), fcn: fcn(int, A, B -> boolean)) -> boolean'],
  },
  'a.slidingWindow': {
    signatures: ['(a: array(any A), size: int, step: int) -> array(array(A))'],
    errors: { 15770: 'size < 1', 15771: 'step < 1' },
  },
  'a.combinations': {
    signatures: ['(a: array(any A), size: int) -> array(array(A))'],
    errors: { 15780: 'size < 1' },
  },
  'a.permutations': {
    signatures: ['(a: array(any A)) -> array(array(A))'],
  },
  'a.flatten': {
    signatures: ['(a: array(array(any A))) -> array(A)'],
  },
  'a.groupby': {
    signatures: ['(a: array(any A), fcn: fcn(A -> string)) -> map(array(A))'],
  },
  'map.len': {
    signatures: ['(m: map(any A)) -> int'],
  },
  'map.keys': {
    signatures: ['(m: map(any A)) -> array(string)'],
    nondeterministic: 'unordered',
  },
  'map.values': {
    signatures: ['(m: map(any A)) -> array(A)'],
    nondeterministic: 'unordered',
  },
  'map.containsKey': {
    signatures: ['(m: map(any A), key: string) -> boolean', '(m: map(any A), fcn: fcn(string -> boolean)) -> boolean'],
  },
  'map.containsValue': {
    signatures: ['(m: map(any A), value: A) -> boolean', '(m: map(any A), fcn: fcn(A -> boolean)) -> boolean'],
  },
  'map.add': {
    signatures: ['(m: map(any A), key: string, value: A) -> map(A)', '(m: map(any A), item: A) -> map(A)'],
  },
  'map.remove': {
    signatures: ['(m: map(any A), key: string) -> map(A)'],
  },
  'map.only': {
    signatures: ['(m: map(any A), keys: array(string)) -> map(A)'],
  },
  'map.except': {
    signatures: ['(m: map(any A), keys: array(string)) -> map(A)'],
  },
  'map.update': {
    signatures: ['(base: map(any A), overlay: map(A)) -> map(A)'],
  },
  'map.split': {
    signatures: ['(m: map(any A)) -> array(map(A))'],
    nondeterministic: 'unordered',
  },
  'map.join': {
    signatures: ['(a: array(map(any A))) -> map(A)'],
  },
  'map.argmax': {
    signatures: ['(m: map(any A)) -> string'],
    errors: { 26120: 'empty map' },
  },
  'map.argmin': {
    signatures: ['(m: map(any A)) -> string'],
    errors: { 26130: 'empty map' },
  },
  'map.argmaxLT': {
    signatures: ['(m: map(any A), lessThan: fcn(A, A -> boolean)) -> string'],
    errors: { 26140: 'empty map' },
  },
  'map.argminLT': {
    signatures: ['(m: map(any A), lessThan: fcn(A, A -> boolean)) -> string'],
    errors: { 26150: 'empty map' },
  },
  'map.argmaxN': {
    signatures: ['(m: map(any A), n: int) -> array(string)'],
    errors: { 26160: 'empty map', 26161: 'n < 0' },
  },
  'map.argminN': {
    signatures: ['(m: map(any A), n: int) -> array(string)'],
    errors: { 26170: 'empty map', 26171: 'n < 0' },
  },
  'map.argmaxNLT': {
    signatures: ['(m: map(any A), n: int, lessThan: fcn(A, A -> boolean)) -> array(string)'],
    errors: { 26180: 'empty map', 26181: 'n < 0' },
  },
  'map.argminNLT': {
    signatures: ['(m: map(any A), n: int, lessThan: fcn(A, A -> boolean)) -> array(string)'],
    errors: { 26190: 'empty map', 26191: 'n < 0' },
  },
  'map.toset': {
    signatures: ['(a: array(any A)) -> map(A)'],
  },
  'map.fromset': {
    signatures: ['(s: map(any A)) -> array(A)'],
    nondeterministic: 'unordered',
  },
  'map.in': {
    signatures: ['(s: map(any A), x: A) -> boolean'],
  },
  'map.union': {
    signatures: ['(a: map(any A), b: map(A)) -> map(A)'],
  },
  'map.intersection': {
    signatures: ['(a: map(any A), b: map(A)) -> map(A)'],
  },
  'map.diff': {
    signatures: ['(a: map(any A), b: map(A)) -> map(A)'],
  },
  'map.symdiff': {
    signatures: ['(a: map(any A), b: map(A)) -> map(A)'],
  },
  'map.subset': {
    signatures: ['(little: map(any A), big: map(A)) -> boolean'],
  },
  'map.disjoint': {
    signatures: ['(a: map(any A), b: map(A)) -> boolean'],
  },
  'map.map': {
    signatures: ['(m: map(any A), fcn: fcn(A -> any B)) -> map(B)'],
  },
  'map.mapWithKey': {
    signatures: ['(m: map(any A), fcn: fcn(string, A -> any B)) -> map(B)'],
  },
  'map.filter': {
    signatures: ['(m: map(any A), fcn: fcn(A -> boolean)) -> map(A)'],
  },
  'map.filterWithKey': {
    signatures: ['(m: map(any A), fcn: fcn(string, A -> boolean)) -> map(A)'],
  },
  'map.filterMap': {
    signatures: ['(m: map(any A), fcn: fcn(A -> union(any B, null))) -> map(B)'],
  },
  'map.filterMapWithKey': {
    signatures: ['(m: map(any A), fcn: fcn(string, A -> union(any B, null))) -> map(B)'],
  },
  'map.flatMap': {
    signatures: ['(m: map(any A), fcn: fcn(A -> map(any B))) -> map(B)'],
  },
  'map.flatMapWithKey': {
    signatures: ['(m: map(any A), fcn: fcn(string, A -> map(any B))) -> map(B)'],
  },
  'map.zipmap': {
    signatures: [
      '(a: map(any A), b: map(any B), fcn: fcn(A, B -> any Z)) -> map(Z)',
      '(a: map(any A), b: map(any B), c: map(any C), fcn: fcn(A, B, C -> any Z)) -> map(Z)',
      '(a: map(any A), b: map(any B), c: map(any C), d: map(any D), fcn: fcn(A, B, C, D -> any Z)) -> map(Z)',
    ],
    errors: { 26370: 'misaligned maps' },
  },
  'map.zipmapWithKey': {
    signatures: [
      '(a: map(any A), b: map(any B), fcn: fcn(string, A, B -> any Z)) -> map(Z)',
      '(a: map(any A), b: map(any B), c: map(any C), fcn: fcn(string, A, B, C -> any Z)) -> map(Z)',
      '(a: map(any A), b: map(any B), c: map(any C), d: map(any D), fcn: fcn(string, A, B, C, D -> any Z)) -> map(Z)',
    ],
    errors: { 26380: 'misaligned maps' },
  },
  'map.corresponds': {
    signatures: ['(a: map(any A), b: map(any B), fcn: fcn(A, B -> boolean)) -> boolean'],
  },
  'map.correspondsWithKey': {
    signatures: ['(a: map(any A), b: map(any B), fcn: fcn(string, A, B -> boolean)) -> boolean'],
  },
  'bytes.len': {
    signatures: ['(x: bytes) -> int'],
  },
  'bytes.subseq': {
    signatures: ['(x: bytes, start: int, end: int) -> bytes'],
  },
  'bytes.subseqto': {
    signatures: ['(x: bytes, start: int, end: int, replacement: bytes) -> bytes'],
  },
  'bytes.isAscii': {
    signatures: ['(x: bytes) -> boolean', '(x: string) -> boolean'],
  },
  'bytes.isLatin1': {
    signatures: ['(x: bytes) -> boolean', '(x: string) -> boolean'],
  },
  'bytes.isUtf8': {
    signatures: ['(x: bytes) -> boolean', '(x: string) -> boolean'],
  },
  'bytes.isUtf16': {
    signatures: ['(x: bytes) -> boolean', '(x: string) -> boolean'],
  },
  'bytes.isUtf16be': {
    signatures: ['(x: bytes) -> boolean', '(x: string) -> boolean'],
  },
  'bytes.isUtf16le': {
    signatures: ['(x: bytes) -> boolean', '(x: string) -> boolean'],
  },
  'bytes.decodeAscii': {
    signatures: ['(x: bytes) -> string'],
    errors: { 16090: 'invalid bytes' },
  },
  'bytes.decodeLatin1': {
    signatures: ['(x: bytes) -> string'],
    errors: { 16100: 'invalid bytes' },
  },
  'bytes.decodeUtf8': {
    signatures: ['(x: bytes) -> string'],
    errors: { 16110: 'invalid bytes' },
  },
  'bytes.decodeUtf16': {
    signatures: ['(x: bytes) -> string'],
    errors: { 16120: 'invalid bytes' },
  },
  'bytes.decodeUtf16be': {
    signatures: ['(x: bytes) -> string'],
    errors: { 16130: 'invalid bytes' },
  },
  'bytes.decodeUtf16le': {
    signatures: ['(x: bytes) -> string'],
    errors: { 16140: 'invalid bytes' },
  },
  'bytes.encodeAscii': {
    signatures: ['(s: string) -> bytes'],
    errors: { 16150: 'invalid string' },
  },
  'bytes.encodeLatin1': {
    signatures: ['(s: string) -> bytes'],
    errors: { 16160: 'invalid string' },
  },
  'bytes.encodeUtf8': {
    signatures: ['(s: string) -> bytes'],
    errors: { 16170: 'invalid string' },
  },
  'bytes.encodeUtf16': {
    signatures: ['(s: string) -> bytes'],
    errors: { 16180: 'invalid string' },
    nondeterministic: 'unstable',
  },
  'bytes.encodeUtf16be': {
    signatures: ['(s: string) -> bytes'],
    errors: { 16190: 'invalid string' },
  },
  'bytes.encodeUtf16le': {
    signatures: ['(s: string) -> bytes'],
    errors: { 16200: 'invalid string' },
  },
  'bytes.toBase64': {
    signatures: ['(x: bytes) -> string'],
  },
  'bytes.fromBase64': {
    signatures: ['(s: string) -> bytes'],
    errors: { 16220: 'invalid base64' },
  },
  'fixed.toBytes': {
    signatures: ['(x: fixed A) -> bytes'],
  },
  'fixed.fromBytes': {
    signatures: ['(original: fixed A, replacement: bytes) -> A'],
  },
  'enum.toString': {
    signatures: ['(x: enum A) -> string'],
  },
  'enum.toInt': {
    signatures: ['(x: enum A) -> int'],
  },
  'enum.numSymbols': {
    signatures: ['(x: enum A) -> int'],
  },
  'time.year': {
    signatures: ['(ts: double, zone: string) -> int'],
    errors: { 40000: 'unrecognized timezone string', 40001: 'timestamp out of range' },
  },
  'time.monthOfYear': {
    signatures: ['(ts: double, zone: string) -> int'],
    errors: { 40010: 'unrecognized timezone string', 40011: 'timestamp out of range' },
  },
  'time.dayOfYear': {
    signatures: ['(ts: double, zone: string) -> int'],
    errors: { 40020: 'unrecognized timezone string', 40021: 'timestamp out of range' },
  },
  'time.dayOfMonth': {
    signatures: ['(ts: double, zone: string) -> int'],
    errors: { 40030: 'unrecognized timezone string', 40031: 'timestamp out of range' },
  },
  'time.dayOfWeek': {
    signatures: ['(ts: double, zone: string) -> int'],
    errors: { 40040: 'unrecognized timezone string', 40041: 'timestamp out of range' },
  },
  'time.hourOfDay': {
    signatures: ['(ts: double, zone: string) -> int'],
    errors: { 40050: 'unrecognized timezone string', 40051: 'timestamp out of range' },
  },
  'time.minuteOfHour': {
    signatures: ['(ts: double, zone: string) -> int'],
    errors: { 40060: 'unrecognized timezone string', 40061: 'timestamp out of range' },
  },
  'time.secondOfMinute': {
    signatures: ['(ts: double, zone: string) -> int'],
    errors: { 40070: 'unrecognized timezone string', 40071: 'timestamp out of range' },
  },
  'time.makeTimestamp': {
    signatures: [
      '(year: int, month: int, day: int, hour: int, minute: int, second: int, millisecond: int, zone: string) -> double',
    ],
    errors: { 40080: 'unrecognized timezone string', 40081: 'timestamp undefined for given parameters' },
  },
  'time.isSecondOfMinute': {
    signatures: ['(ts: double, zone: string, low: double, high: double) -> boolean'],
    errors: { 40090: 'bad time range', 40091: 'unrecognized timezone string', 40092: 'timestamp out of range' },
  },
  'time.isMinuteOfHour': {
    signatures: ['(ts: double, zone: string, low: double, high: double) -> boolean'],
    errors: { 40100: 'bad time range', 40101: 'unrecognized timezone string', 40102: 'timestamp out of range' },
  },
  'time.isHourOfDay': {
    signatures: ['(ts: double, zone: string, low: double, high: double) -> boolean'],
    errors: { 40110: 'bad time range', 40111: 'unrecognized timezone string', 40112: 'timestamp out of range' },
  },
  'time.isDayOfWeek': {
    signatures: ['(ts: double, zone: string, low: double, high: double) -> boolean'],
    errors: { 40120: 'bad time range', 40121: 'unrecognized timezone string', 40122: 'timestamp out of range' },
  },
  'time.isDayOfMonth': {
    signatures: ['(ts: double, zone: string, low: double, high: double) -> boolean'],
    errors: { 40130: 'bad time range', 40131: 'unrecognized timezone string', 40132: 'timestamp out of range' },
  },
  'time.isMonthOfYear': {
    signatures: ['(ts: double, zone: string, low: double, high: double) -> boolean'],
    errors: { 40140: 'bad time range', 40141: 'unrecognized timezone string', 40142: 'timestamp out of range' },
  },
  'time.isDayOfYear': {
    signatures: ['(ts: double, zone: string, low: double, high: double) -> boolean'],
    errors: { 40150: 'bad time range', 40151: 'unrecognized timezone string', 40152: 'timestamp out of range' },
  },
  'time.isWeekend': {
    signatures: ['(ts: double, zone: string) -> boolean'],
    errors: { 40160: 'unrecognized timezone string', 40161: 'timestamp out of range' },
  },
  'time.isWorkHours': {
    signatures: ['(ts: double, zone: string) -> boolean'],
    errors: { 40170: 'unrecognized timezone string', 40171: 'timestamp out of range' },
  },
  'impute.errorOnNull': {
    signatures: ['(x: union(any A, null)) -> A'],
    errors: { 21000: 'encountered null' },
  },
  'impute.defaultOnNull': {
    signatures: ['(x: union(any A, null), default: A) -> A'],
  },
  'impute.isnan': {
    signatures: ['(x: float) -> boolean', '(x: double) -> boolean'],
  },
  'impute.isinf': {
    signatures: ['(x: float) -> boolean', '(x: double) -> boolean'],
  },
  'impute.isnum': {
    signatures: ['(x: float) -> boolean', '(x: double) -> boolean'],
  },
  'impute.errorOnNonNum': {
    signatures: ['(x: float) -> float', '(x: double) -> double'],
    errors: { 21050: 'encountered nan', 21051: 'encountered +inf', 21052: 'encountered -inf' },
  },
  'impute.defaultOnNonNum': {
    signatures: ['(x: float, default: float) -> float', '(x: double, default: double) -> double'],
  },
  'interp.bin': {
    signatures: [
      '(x: double, numbins: int, low: double, high: double) -> int',
      '(x: double, origin: double, width: double) -> int',
    ],
    errors: { 22000: 'bad histogram range', 22001: 'bad histogram scale', 22002: 'x out of range' },
  },
  'interp.nearest': {
    signatures: [
      '(x: double, table: array(record R {x: double, to: any T})) -> T',
      '(x: array(double), table: array(record R {x: array(double), to: any T})) -> T',
      '(x: any X1, table: array(record R {x: any X2, to: any T}), metric: fcn(X1, X2 -> double)) -> T',
    ],
    errors: { 22010: 'table must have at least one entry', 22011: 'inconsistent dimensionality' },
  },
  'interp.linear': {
    signatures: [
      '(x: double, table: array(record R {x: double, to: double})) -> double',
      '(x: double, table: array(record R {x: double, to: array(double)})) -> array(double)',
    ],
    errors: { 22020: 'table must have at least two distinct x values', 22021: 'inconsistent dimensionality' },
  },
  'interp.linearFlat': {
    signatures: [
      '(x: double, table: array(record R {x: double, to: double})) -> double',
      '(x: double, table: array(record R {x: double, to: array(double)})) -> array(double)',
    ],
    errors: { 22030: 'table must have at least two distinct x values', 22031: 'inconsistent dimensionality' },
  },
  'interp.linearMissing': {
    signatures: [
      '(x: double, table: array(record R {x: double, to: double})) -> union(null, double)',
      '(x: double, table: array(record R {x: double, to: array(double)})) -> union(null, array(double))',
    ],
    errors: { 22040: 'table must have at least two distinct x values', 22041: 'inconsistent dimensionality' },
  },
  'prob.dist.gaussianLL': {
    signatures: [
      '(x: double, mu: double, sigma: double) -> double',
      '(x: double, params: record A {mean: double, variance: double}) -> double',
    ],
    errors: { 13000: 'invalid parameterization', 13001: 'invalid input' },
  },
  'prob.dist.gaussianCDF': {
    signatures: [
      '(x: double, mu: double, sigma: double) -> double',
      '(x: double, params: record A {mean: double, variance: double}) -> double',
    ],
    errors: { 13010: 'invalid parameterization', 13011: 'invalid input' },
  },
  'prob.dist.gaussianQF': {
    signatures: [
      '(p: double, mu: double, sigma: double) -> double',
      '(p: double, params: record A {mean: double, variance: double}) -> double',
    ],
    errors: { 13020: 'invalid parameterization', 13021: 'invalid input' },
  },
  'prob.dist.exponentialPDF': {
    signatures: ['(x: double, lambda: double) -> double'],
    errors: { 13030: 'invalid parameterization', 13031: 'invalid input' },
  },
  'prob.dist.exponentialCDF': {
    signatures: ['(x: double, lambda: double) -> double'],
    errors: { 13040: 'invalid parameterization', 13041: 'invalid input' },
  },
  'prob.dist.exponentialQF': {
    signatures: ['(p: double, lambda: double) -> double'],
    errors: { 13050: 'invalid parameterization', 13051: 'invalid input' },
  },
  'prob.dist.chi2PDF': {
    signatures: ['(x: double, dof: int) -> double'],
    errors: { 13060: 'invalid parameterization', 13061: 'invalid input' },
  },
  'prob.dist.chi2CDF': {
    signatures: ['(x: double, dof: int) -> double'],
    errors: { 13070: 'invalid parameterization', 13071: 'invalid input' },
  },
  'prob.dist.chi2QF': {
    signatures: ['(p: double, dof: int) -> double'],
    errors: { 13080: 'invalid parameterization', 13081: 'invalid input' },
  },
  'prob.dist.poissonPDF': {
    signatures: ['(x: int, lambda: double) -> double'],
    errors: { 13090: 'invalid parameterization' },
  },
  'prob.dist.poissonCDF': {
    signatures: ['(x: int, lambda: double) -> double'],
    errors: { 13100: 'invalid parameterization', 13101: 'invalid input' },
  },
  'prob.dist.poissonQF': {
    signatures: ['(p: double, lambda: double) -> double'],
    errors: { 13110: 'invalid parameterization', 13111: 'invalid input' },
  },
  'prob.dist.gammaPDF': {
    signatures: ['(x: double, shape: double, scale: double) -> double'],
    errors: { 13120: 'invalid parameterization', 13121: 'invalid input' },
  },
  'prob.dist.gammaCDF': {
    signatures: ['(x: double, shape: double, scale: double) -> double'],
    errors: { 13130: 'invalid parameterization', 13131: 'invalid input' },
  },
  'prob.dist.gammaQF': {
    signatures: ['(p: double, shape: double, scale: double) -> double'],
    errors: { 13140: 'invalid parameterization', 13141: 'invalid input' },
  },
  'prob.dist.betaPDF': {
    signatures: ['(x: double, a: double, b: double) -> double'],
    errors: { 13150: 'invalid parameterization', 13151: 'invalid input' },
  },
  'prob.dist.betaCDF': {
    signatures: ['(x: double, a: double, b: double) -> double'],
    errors: { 13160: 'invalid parameterization', 13161: 'invalid input' },
  },
  'prob.dist.betaQF': {
    signatures: ['(p: double, a: double, b: double) -> double'],
    errors: { 13170: 'invalid parameterization', 13171: 'invalid input' },
  },
  'prob.dist.cauchyPDF': {
    signatures: ['(x: double, location: double, scale: double) -> double'],
    errors: { 13180: 'invalid parameterization', 13181: 'invalid input' },
  },
  'prob.dist.cauchyCDF': {
    signatures: ['(x: double, location: double, scale: double) -> double'],
    errors: { 13190: 'invalid parameterization', 13191: 'invalid input' },
  },
  'prob.dist.cauchyQF': {
    signatures: ['(p: double, location: double, scale: double) -> double'],
    errors: { 13200: 'invalid parameterization', 13201: 'invalid input' },
  },
  'prob.dist.fPDF': {
    signatures: ['(x: double, d1: int, d2: int) -> double'],
    errors: { 13210: 'invalid parameterization', 13211: 'invalid input' },
  },
  'prob.dist.fCDF': {
    signatures: ['(x: double, d1: int, d2: int) -> double'],
    errors: { 13220: 'invalid parameterization', 13221: 'invalid input' },
  },
  'prob.dist.fQF': {
    signatures: ['(p: double, d1: int, d2: int) -> double'],
    errors: { 13230: 'invalid parameterization', 13231: 'invalid input' },
  },
  'prob.dist.lognormalPDF': {
    signatures: ['(x: double, meanlog: double, sdlog: double) -> double'],
    errors: { 13240: 'invalid parameterization', 13241: 'invalid input' },
  },
  'prob.dist.lognormalCDF': {
    signatures: ['(x: double, meanlog: double, sdlog: double) -> double'],
    errors: { 13250: 'invalid parameterization', 13251: 'invalid input' },
  },
  'prob.dist.lognormalQF': {
    signatures: ['(p: double, meanlog: double, sdlog: double) -> double'],
    errors: { 13260: 'invalid parameterization', 13261: 'invalid input' },
  },
  'prob.dist.tPDF': {
    signatures: ['(x: double, dof: int) -> double'],
    errors: { 13270: 'invalid parameterization', 13271: 'invalid input' },
  },
  'prob.dist.tCDF': {
    signatures: ['(x: double, dof: int) -> double'],
    errors: { 13280: 'invalid parameterization', 13281: 'invalid input' },
  },
  'prob.dist.tQF': {
    signatures: ['(p: double, dof: int) -> double'],
    errors: { 13290: 'invalid parameterization', 13291: 'invalid input' },
  },
  'prob.dist.binomialPDF': {
    signatures: ['(x: int, size: int, prob: double) -> double'],
    errors: { 13300: 'invalid parameterization', 13301: 'invalid input' },
  },
  'prob.dist.binomialCDF': {
    signatures: ['(x: double, size: int, prob: double) -> double'],
    errors: { 13310: 'invalid parameterization', 13311: 'invalid input' },
  },
  'prob.dist.binomialQF': {
    signatures: ['(p: double, size: int, prob: double) -> double'],
    errors: { 13320: 'invalid parameterization', 13321: 'invalid input' },
  },
  'prob.dist.uniformPDF': {
    signatures: ['(x: double, min: double, max: double) -> double'],
    errors: { 13330: 'invalid parameterization', 13331: 'invalid input' },
  },
  'prob.dist.uniformCDF': {
    signatures: ['(x: double, min: double, max: double) -> double'],
    errors: { 13340: 'invalid parameterization', 13341: 'invalid input' },
  },
  'prob.dist.uniformQF': {
    signatures: ['(p: double, min: double, max: double) -> double'],
    errors: { 13350: 'invalid parameterization', 13351: 'invalid input' },
  },
  'prob.dist.geometricPDF': {
    signatures: ['(x: int, prob: double) -> double'],
    errors: { 13360: 'invalid parameterization', 13361: 'invalid input' },
  },
  'prob.dist.geometricCDF': {
    signatures: ['(x: double, prob: double) -> double'],
    errors: { 13370: 'invalid parameterization', 13371: 'invalid input' },
  },
  'prob.dist.geometricQF': {
    signatures: ['(p: double, prob: double) -> double'],
    errors: { 13380: 'invalid parameterization', 13381: 'invalid input' },
  },
  'prob.dist.hypergeometricPDF': {
    signatures: ['(x: int, m: int, n: int, k: int) -> double'],
    errors: { 13390: 'invalid parameterization' },
  },
  'prob.dist.hypergeometricCDF': {
    signatures: ['(x: int, m: int, n: int, k: int) -> double'],
    errors: { 13400: 'invalid parameterization', 13401: 'invalid input' },
  },
  'prob.dist.hypergeometricQF': {
    signatures: ['(p: double, m: int, n: int, k: int) -> double'],
    errors: { 13410: 'invalid parameterization', 13411: 'invalid input' },
  },
  'prob.dist.weibullPDF': {
    signatures: ['(x: double, shape: double, scale: double) -> double'],
    errors: { 13420: 'invalid parameterization', 13421: 'invalid input' },
  },
  'prob.dist.weibullCDF': {
    signatures: ['(x: double, shape: double, scale: double) -> double'],
    errors: { 13430: 'invalid parameterization', 13431: 'invalid input' },
  },
  'prob.dist.weibullQF': {
    signatures: ['(p: double, shape: double, scale: double) -> double'],
    errors: { 13440: 'invalid parameterization', 13441: 'invalid input' },
  },
  'prob.dist.negativeBinomialPDF': {
    signatures: ['(x: int, size: int, prob: double) -> double'],
    errors: { 13450: 'invalid parameterization', 13451: 'invalid input' },
  },
  'prob.dist.negativeBinomialCDF': {
    signatures: ['(x: double, size: int, prob: double) -> double'],
    errors: { 13460: 'invalid parameterization', 13461: 'invalid input' },
  },
  'prob.dist.negativeBinomialQF': {
    signatures: ['(p: double, size: int, prob: double) -> double'],
    errors: { 13470: 'invalid parameterization', 13471: 'invalid input' },
  },
  'stat.test.kolmogorov': {
    signatures: ['(x: array(double), y: array(double)) -> double'],
  },
  'stat.test.residual': {
    signatures: [
      '(observation: double, prediciton: double) -> double',
      '(observation: array(double), prediciton: array(double)) -> array(double)',
      '(observation: map(double), prediciton: map(double)) -> map(double)',
    ],
    errors: { 38010: 'misaligned prediction' },
  },
  'stat.test.pull': {
    signatures: [
      '(observation: double, prediciton: double, uncertainty: double) -> double',
      '(observation: array(double), prediciton: array(double), uncertainty: array(double)) -> array(double)',
      '(observation: map(double), prediciton: map(double), uncertainty: map(double)) -> map(double)',
    ],
    errors: { 38020: 'misaligned prediction', 38021: 'misaligned uncertainty' },
  },
  'stat.test.mahalanobis': {
    signatures: [
      '(observation: array(double), prediction: array(double), covariance: array(array(double))) -> double',
      '(observation: map(double), prediction: map(double), covariance: map(map(double))) -> double',
    ],
    errors: { 38030: 'too few rows/cols', 38031: 'misaligned prediction', 38032: 'misaligned covariance' },
  },
  'stat.test.updateChi2': {
    signatures: [
      '(pull: double, state: record A {chi2: double, dof: int}) -> A',
      '(pull: array(double), state: record A {chi2: double, dof: int}) -> A',
      '(pull: map(double), state: record A {chi2: double, dof: int}) -> A',
    ],
  },
  'stat.test.reducedChi2': {
    signatures: ['(state: record A {chi2: double, dof: int}) -> double'],
  },
  'stat.test.chi2Prob': {
    signatures: ['(state: record A {chi2: double, dof: int}) -> double'],
    errors: { 38060: 'invalid parameterization' },
  },
  'stat.sample.update': {
    signatures: ['(x: double, w: double, state: record A {count: double}) -> A'],
  },
  'stat.sample.updateCovariance': {
    signatures: [
      '(x: array(double), w: double, state: record A {count: double, mean: array(double), covariance: array(array(double))}) -> A',
      '(x: map(double), w: double, state: record A {count: map(map(double)), mean: map(double), covariance: map(map(double))}) -> A',
    ],
    errors: { 14011: 'too few components', 14012: 'unequal length arrays' },
  },
  'stat.sample.updateWindow': {
    signatures: [
      '(x: double, w: double, state: array(record A {x: double, w: double, count: double}), windowSize: int) -> array(A)',
    ],
    errors: { 14020: 'windowSize must be at least 2', 14021: 'cannot initialize unrecognized fields' },
  },
  'stat.sample.updateEWMA': {
    signatures: ['(x: double, alpha: double, state: record A {mean: double}) -> A'],
    errors: { 14030: 'alpha out of range' },
  },
  'stat.sample.updateHoltWinters': {
    signatures: ['(x: double, alpha: double, beta: double, state: record A {level: double, trend: double}) -> A'],
    errors: { 14040: 'alpha out of range', 14041: 'beta out of range' },
  },
  'stat.sample.updateHoltWintersPeriodic': {
    signatures: [
      '(x: double, alpha: double, beta: double, gamma: double, state: record A {level: double, trend: double, cycle: array(double), multiplicative: boolean}) -> A',
    ],
    errors: {
      14050: 'alpha out of range',
      14051: 'beta out of range',
      14052: 'gamma out of range',
      14053: 'empty cycle',
    },
  },
  'stat.sample.forecast1HoltWinters': {
    signatures: ['(state: record A {level: double, trend: double}) -> double'],
    errors: { 14060: 'empty cycle' },
  },
  'stat.sample.forecastHoltWinters': {
    signatures: ['(n: int, state: record A {level: double, trend: double}) -> array(double)'],
    errors: { 14070: 'empty cycle' },
  },
  'stat.sample.fillHistogram': {
    signatures: [
      '(x: double, w: double, histogram: record A {numbins: int, low: double, high: double, values: array(double)}) -> A',
      '(x: double, w: double, histogram: record A {low: double, binsize: double, values: array(double)}) -> A',
      '(x: double, w: double, histogram: record A {ranges: array(array(double)), values: array(double)}) -> A',
    ],
    errors: {
      14080: 'wrong histogram size',
      14081: 'bad histogram range',
      14082: 'bad histogram scale',
      14083: 'bad histogram ranges',
    },
  },
  'stat.sample.fillHistogram2d': {
    signatures: [
      '(x: double, y: double, w: double, histogram: record A {xnumbins: int, xlow: double, xhigh: double, ynumbins: int, ylow: double, yhigh: double, values: array(array(double))}) -> A',
    ],
    errors: { 14090: 'wrong histogram size', 14091: 'bad histogram range', 14092: 'bad histogram scale' },
  },
  'stat.sample.fillCounter': {
    signatures: ['(x: string, w: double, counter: record A {values: map(double)}) -> A'],
  },
  'stat.sample.topN': {
    signatures: ['(x: any A, top: array(A), n: int, lessThan: fcn(A, A -> boolean)) -> array(A)'],
  },
  'stat.change.updateTrigger': {
    signatures: [
      '(predicate: boolean, history: record A {numEvents: int, numRuns: int, currentRun: int, longestRun: int}) -> A',
    ],
    errors: { 37000: 'counter out of range' },
  },
  'stat.change.zValue': {
    signatures: [
      '(x: double, meanVariance: record A {mean: double, variance: double}) -> double',
      '(x: double, meanVariance: record A {count: double, mean: double, variance: double}, unbiased: boolean) -> double',
    ],
  },
  'stat.change.updateCUSUM': {
    signatures: ['(logLikelihoodRatio: double, last: double, reset: double) -> double'],
  },
  'model.reg.linear': {
    signatures: [
      '(datum: array(double), model: record M {coeff: array(double), const: double}) -> double',
      '(datum: array(double), model: record M {coeff: array(array(double)), const: array(double)}) -> array(double)',
      '(datum: map(double), model: record M {coeff: map(double), const: double}) -> double',
      '(datum: map(double), model: record M {coeff: map(map(double)), const: map(double)}) -> map(double)',
    ],
    errors: { 31000: 'misaligned coeff', 31001: 'misaligned const' },
  },
  'model.reg.linearVariance': {
    signatures: [
      '(datum: array(double), model: record M {covar: array(array(double))}) -> double',
      '(datum: array(double), model: record M {covar: array(array(array(double)))}) -> array(double)',
      '(datum: map(double), model: record M {covar: map(map(double))}) -> double',
      '(datum: map(double), model: record M {covar: map(map(map(double)))}) -> map(double)',
    ],
    errors: { 31010: 'misaligned covariance' },
  },
  'model.reg.gaussianProcess': {
    signatures: [
      '(x: double, table: array(record R {x: double, to: double}), krigingWeight: union(null, double), kernel: fcn(array(double), array(double) -> double)) -> double',
      '(x: double, table: array(record R {x: double, to: array(double)}), krigingWeight: union(null, double), kernel: fcn(array(double), array(double) -> double)) -> array(double)',
      '(x: array(double), table: array(record R {x: array(double), to: double}), krigingWeight: union(null, double), kernel: fcn(array(double), array(double) -> double)) -> double',
      '(x: array(double), table: array(record R {x: array(double), to: array(double)}), krigingWeight: union(null, double), kernel: fcn(array(double), array(double) -> double)) -> array(double)',
    ],
    errors: {
      31080: 'table must have at least 1 entry',
      31081: 'x must have at least 1 feature',
      31082: 'table must have the same number of features as x',
      31083: 'table outputs must have at least 1 dimension',
      31084: 'table outputs must all have the same number of dimensions',
      31085: 'x is not finite',
      31086: 'table value is not finite',
      31087: 'krigingWeight is not finite',
      31088: 'matrix of kernel results is not positive definite',
    },
    nondeterministic: 'unstable',
  },
  'model.reg.residual': {
    signatures: [
      '(observation: double, prediciton: double) -> double',
      '(observation: array(double), prediciton: array(double)) -> array(double)',
      '(observation: map(double), prediciton: map(double)) -> map(double)',
    ],
    errors: { 31020: 'misaligned prediction' },
  },
  'model.reg.pull': {
    signatures: [
      '(observation: double, prediciton: double, uncertainty: double) -> double',
      '(observation: array(double), prediciton: array(double), uncertainty: array(double)) -> array(double)',
      '(observation: map(double), prediciton: map(double), uncertainty: map(double)) -> map(double)',
    ],
    errors: { 31030: 'misaligned prediction', 31031: 'misaligned uncertainty' },
  },
  'model.reg.mahalanobis': {
    signatures: [
      '(observation: array(double), prediction: array(double), covariance: array(array(double))) -> double',
      '(observation: map(double), prediction: map(double), covariance: map(map(double))) -> double',
    ],
    errors: { 31040: 'too few rows/cols', 31041: 'misaligned prediction', 31042: 'misaligned covariance' },
  },
  'model.reg.updateChi2': {
    signatures: [
      '(pull: double, state: record A {chi2: double, DOF: int}) -> A',
      '(pull: array(double), state: record A {chi2: double, DOF: int}) -> A',
      '(pull: map(double), state: record A {chi2: double, DOF: int}) -> A',
    ],
  },
  'model.reg.reducedChi2': {
    signatures: ['(state: record A {chi2: double, DOF: int}) -> double'],
  },
  'model.reg.chi2Prob': {
    signatures: ['(state: record A {chi2: double, DOF: int}) -> double'],
    errors: { 31070: 'invalid parameterization' },
  },
  'model.tree.simpleTest': {
    signatures: [
      '(datum: record D, comparison: record T {field: enum F of D, operator: string, value: any V}) -> boolean',
    ],
    errors: { 32000: 'invalid comparison operator', 32001: 'bad value type' },
  },
  'model.tree.missingTest': {
    signatures: [
      '(datum: record D, comparison: record T {field: enum F of D, operator: string, value: any V}) -> union(null, boolean)',
    ],
    errors: { 32010: 'invalid comparison operator', 32011: 'bad value type' },
  },
  'model.tree.compoundTest': {
    signatures: [
      '(datum: record D, operator: string, comparisons: array(record T), test: fcn(D, T -> boolean)) -> boolean',
    ],
    errors: { 32020: 'unrecognized logical operator' },
  },
  'model.tree.surrogateTest': {
    signatures: [
      '(datum: record D, comparisons: array(record T), missingTest: fcn(D, T -> union(null, boolean))) -> boolean',
    ],
    errors: { 32030: 'no successful surrogate' },
  },
  'model.tree.simpleWalk': {
    signatures: [
      '(datum: record D, treeNode: record T {pass: union(T, any S), fail: union(T, S)}, test: fcn(D, T -> boolean)) -> S',
    ],
  },
  'model.tree.missingWalk': {
    signatures: [
      '(datum: record D, treeNode: record T {pass: union(T, any S), fail: union(T, S), missing: union(T, S)}, test: fcn(D, T -> union(null, boolean))) -> S',
    ],
  },
  'model.tree.simpleTree': {
    signatures: [
      '(datum: record D, treeNode: record T {field: enum F of D, operator: string, value: any V, pass: union(T, any S), fail: union(T, S)}) -> S',
    ],
    errors: { 32060: 'invalid comparison operator', 32061: 'bad value type' },
  },
  'model.cluster.closest': {
    signatures: [
      '(datum: array(double), clusters: array(record C {center: array(double)})) -> C',
      '(datum: any A, clusters: array(record C {center: any B}), metric: fcn(A, B -> double)) -> C',
    ],
    errors: { 29000: 'no clusters' },
  },
  'model.cluster.closestN': {
    signatures: [
      '(n: int, datum: array(double), clusters: array(record C {center: array(double)})) -> array(C)',
      '(n: int, datum: any A, clusters: array(record C {center: any B}), metric: fcn(A, B -> double)) -> array(C)',
    ],
    errors: { 29010: 'n must be nonnegative' },
  },
  'model.cluster.randomSeeds': {
    signatures: [
      '(data: array(array(any A)), k: int, newCluster: fcn(int, array(A) -> record C {center: array(any B)})) -> array(C)',
    ],
    errors: {
      29020: 'k must be greater than zero',
      29021: 'not enough unique points',
      29022: 'dimensions of vectors do not match',
    },
    nondeterministic: 'pseudorandom',
  },
  'model.cluster.kmeansIteration': {
    signatures: [
      '(data: array(array(any A)), clusters: array(record C {center: array(any B)}), metric: fcn(array(A), array(B) -> double), update: fcn(array(array(A)), C -> C)) -> array(C)',
    ],
    errors: { 29030: 'no data', 29031: 'no clusters' },
  },
  'model.cluster.updateMean': {
    signatures: ['(data: array(array(double)), cluster: record C {center: array(double)}, weight: double) -> C'],
    errors: { 29040: 'no data', 29041: 'dimensions of vectors do not match' },
  },
  'model.neighbor.mean': {
    signatures: [
      '(points: array(array(double))) -> array(double)',
      '(points: array(array(double)), weight: fcn(array(double) -> double)) -> array(double)',
    ],
    errors: { 30000: 'not enough points', 30001: 'inconsistent dimensionality' },
  },
  'model.neighbor.nearestK': {
    signatures: [
      '(k: int, datum: array(double), codebook: array(array(double))) -> array(array(double))',
      '(k: int, datum: any A, codebook: array(any B), metric: fcn(A, B -> double)) -> array(B)',
    ],
    errors: { 30010: 'k must be nonnegative', 30011: 'inconsistent dimensionality' },
  },
  'model.neighbor.ballR': {
    signatures: [
      '(r: double, datum: array(double), codebook: array(array(double))) -> array(array(double))',
      '(r: double, datum: any A, codebook: array(any B), metric: fcn(A, B -> double)) -> array(B)',
    ],
  },
  'model.naive.gaussian': {
    signatures: [
      '(datum: array(double), classModel: array(record A {mean: double, variance: double})) -> double',
      '(datum: map(double), classModel: map(record A {mean: double, variance: double})) -> double',
    ],
    errors: { 10000: 'datum and classModel misaligned', 10001: 'variance less than or equal to zero' },
  },
  'model.naive.multinomial': {
    signatures: [
      '(datum: array(double), classModel: array(double)) -> double',
      '(datum: map(double), classModel: map(double)) -> double',
      '(datum: array(double), classModel: record C {values: array(double)}) -> double',
      '(datum: map(double), classModel: record C {values: map(double)}) -> double',
    ],
    errors: { 10010: 'datum and classModel misaligned', 10011: 'classModel must be non-empty and strictly positive' },
  },
  'model.naive.bernoulli': {
    signatures: [
      '(datum: array(string), classModel: map(double)) -> double',
      '(datum: array(string), classModel: record C {values: map(double)}) -> double',
    ],
    errors: { 10020: 'probability in classModel must be strictly between 0 and 1' },
  },
  'model.neural.simpleLayers': {
    signatures: [
      '(datum: array(double), model: array(record M {weights: array(array(double)), bias: array(double)}), activation: fcn(double -> double)) -> array(double)',
    ],
    errors: { 11000: 'no layers', 11001: 'weights, bias, or datum misaligned' },
  },
  'model.svm.score': {
    signatures: [
      '(datum: array(double), model: record L {const: double, posClass: array(record M {supVec: array(double), coeff: double}), negClass: array(record N {supVec: array(double), coeff: double})}, kernel: fcn(array(double), array(double) -> double)) -> double',
    ],
    errors: { 12000: 'no support vectors', 12001: 'support vectors must have same length as datum' },
  },
} as const satisfies LibrarySignatures
