// 64 bits of hash, in two halves: a value comes in, `hash[HIGH]` and `hash[LOW]` hold its hash until the next call.
// The same value gives the same hash in every process: sketches of different jets are merged.

export type Hashable = number | bigint | string | boolean

/** Written in place: a pair per value would be garbage per value. Signed, because that is what stays in registers. */
export const hash = new Int32Array(2)
export const HIGH = 0
export const LOW = 1

const double = new Float64Array(1)
const words = new Int32Array(double.buffer)

/** Numbers are hashed by their value (0 and -0 alike), everything else by its text and its kind. */
export function hashValue(value: Hashable): void {
  if (typeof value === 'number') hashNumber(value)
  else if (typeof value === 'string') hashText(value, 0)
  else if (typeof value === 'boolean') hashText(value ? 'true' : 'false', 1)
  else if (value >= -(2n ** 53n) && value <= 2n ** 53n) hashNumber(Number(value))
  else hashText(String(value), 2)
}

function hashNumber(value: number): void {
  double[0] = value + 0
  const low = words[0]!
  const high = words[1]!
  const mixed = mix((low + Math.imul(mix(high ^ 0x5bd1e995), 0x9e3779b1)) | 0)
  hash[HIGH] = mixed
  hash[LOW] = mix((high + Math.imul(mix(low ^ 0x1b873593), 0x85ebca77) + mixed) | 0)
}

function hashText(text: string, kind: number): void {
  let high = 0x3c6ef372 ^ kind
  let low = 0x510e527f ^ text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 0x9e3779b1)
    low = Math.imul(low ^ unit, 0x5f356495)
    // Without this the high bits of a unit would never reach the low bits of the state.
    high ^= high >>> 15
    low ^= low >>> 13
  }
  const mixed = mix((high + Math.imul(low, 0x85ebca77)) | 0)
  hash[HIGH] = mixed
  hash[LOW] = mix((low + Math.imul(mixed, 0xc2b2ae3d)) | 0)
}

/** Every bit of the input changes about half of the bits of the output. */
function mix(word: number): number {
  let mixed = word
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
