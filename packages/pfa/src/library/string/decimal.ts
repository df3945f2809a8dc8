// Numbers as decimal text: a number and a precision come in, text rounded exactly (half to even) goes out.

/** No double has more digits than this after its point, nor in all: what follows are zeros. */
const MOST_PLACES = 1100

/** With `places` digits after the point, as C's `%f` does it. The number is finite. */
export function fixed(x: number, places: number): string {
  if (places > MOST_PLACES) return fixed(x, MOST_PLACES) + '0'.repeat(places - MOST_PLACES)
  const magnitude = Math.abs(x)
  const sign = x < 0 ? '-' : ''
  // JavaScript's own is exact but for ties, which it rounds up. A tie has few binary digits after the point.
  const isTie = Number.isInteger(magnitude * 2 ** (places + 1))
  if (places <= 100 && magnitude < 1e21 && !isTie) return sign + magnitude.toFixed(places)
  const digits = scaled(magnitude, places)
    .toString()
    .padStart(places + 1, '0')
  if (places === 0) return sign + digits
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}

/** With one digit before the point, `places` after it and an exponent of two digits or more, as C's `%e` does it. */
export function exponential(x: number, places: number): string {
  if (places > MOST_PLACES) return exponential(x, MOST_PLACES).replace('e', `${'0'.repeat(places - MOST_PLACES)}e`)
  const magnitude = Math.abs(x)
  let exponent = 0
  let digits = '0'.repeat(places + 1)
  if (magnitude > 0) {
    // The shortest text of a number may round up to the next power of ten: correct the guess by counting digits.
    exponent = Number(magnitude.toExponential().split('e')[1])
    digits = scaled(magnitude, places - exponent).toString()
    while (digits.length !== places + 1) {
      exponent += digits.length - places - 1
      digits = scaled(magnitude, places - exponent).toString()
    }
  }
  const power = `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  return `${x < 0 ? '-' : ''}${digits[0]}${places > 0 ? '.' : ''}${digits.slice(1)}e${power}`
}

/** x times a power of ten as a whole number, half to even. */
function scaled(x: number, power: number): bigint {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, x)
  const bits = view.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n
  const exponent = Math.max(biased, 1) - 1075
  const numerator = mantissa * 2n ** BigInt(Math.max(exponent, 0)) * 10n ** BigInt(Math.max(power, 0))
  const denominator = 2n ** BigInt(Math.max(-exponent, 0)) * 10n ** BigInt(Math.max(-power, 0))
  const quotient = numerator / denominator
  const twice = 2n * (numerator % denominator)
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n
  return quotient
}
