// Numbers as people write them in descriptors: `1073741824` and `"1G"` come in, the number goes out.

const units: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 }
const written = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)([KMG]?)$/i

/** Undefined for what is no finite number. */
export function readQuantity(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || value.length > 40) return undefined
  const [, number, unit] = written.exec(value.trim()) ?? []
  if (number === undefined) return undefined
  const quantity = Number(number) * units[unit!.toUpperCase()]!
  return Number.isFinite(quantity) ? quantity : undefined
}
