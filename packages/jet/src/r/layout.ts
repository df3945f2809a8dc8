// R's serialised form, as `serialize(x, NULL, xdr = FALSE, version = 2)` writes it on little-endian machines: the numbers that
// both the writer and the reader know.
//
//   "B\n", i32 version, i32 R that wrote it, i32 oldest R that can read it, then one item
//
//   item      i32 flags, then by kind; attributes stand behind a vector's data and before a pair's tag
//   flags     kind | object | attributes | tag | levels
//   vector    i32 length, then i32 or f64 each, or an item each, or raw bytes
//   text      i32 length in bytes, -1 for NA, then the bytes
//   pair      attributes where the flags say so, tag where the flags say so, value, and then the next item
//   symbol    the item of its name; numbered from 1 in the order of appearance, for references

export const MAGIC = 0x0a42
export const VERSION = 2
/** R 4.0.0 and R 2.3.0: nobody looks at the first, and every R is newer than the second. */
export const WRITER = 0x00040000
export const OLDEST_READER = 0x00020300

export const KIND = {
  symbol: 1,
  pairs: 2,
  closure: 3,
  environment: 4,
  promise: 5,
  language: 6,
  special: 7,
  builtin: 8,
  text: 9,
  logical: 10,
  integer: 13,
  double: 14,
  complex: 15,
  character: 16,
  dots: 17,
  list: 19,
  expression: 20,
  bytecode: 21,
  pointer: 22,
  weak: 23,
  raw: 24,
  s4: 25,
  // Not of R's memory but of this form alone.
  attributedPairs: 239,
  attributedLanguage: 240,
  baseEnvironment: 241,
  emptyEnvironment: 242,
  bytecodeReference: 243,
  bytecodeDefinition: 244,
  hooked: 247,
  package: 248,
  namespace: 249,
  baseNamespace: 250,
  missingArgument: 251,
  unbound: 252,
  globalEnvironment: 253,
  null: 254,
  reference: 255,
} as const

export const IS_OBJECT = 1 << 8
export const HAS_ATTRIBUTES = 1 << 9
export const HAS_TAG = 1 << 10
/** In the levels of a text. */
export const IS_UTF8 = 1 << 15
export const IS_LATIN1 = 1 << 14

/** NA of integers and truth values. */
export const NA_INTEGER = -(2 ** 31)
/** NA of doubles is the NaN with this lower half. */
export const NA_LOWER = 1954
export const NA_UPPER = 0x7ff00000

/** Class of a whole number beyond 2^53, which no number of R holds: its digits are kept as text. */
export const LONG_CLASS = 'long'
