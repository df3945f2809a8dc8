// Random numbers of one instance: a seed comes in, a function that gives uniform numbers in [0, 1) goes out.

/** The generator sfc32, started from a 64-bit seed: the same seed gives the same numbers everywhere. */
export function generator(seed: number | bigint): () => number {
  const bits = BigInt.asUintN(64, BigInt(seed))
  let a = Number(bits & 0xffffffffn) | 0
  let b = Number(bits >> 32n) | 0
  let c = 0x9e3779b9 | 0
  let counter = 1
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  for (let i = 0; i < 20; i++) next()
  // 53 bits: 27 from one number, 26 from the next.
  return () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992
}

/** A seed for documents without one. */
export const randomSeed = (): bigint => crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n
