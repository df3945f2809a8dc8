// A copy of the outer containers of a value: what belongs to one instance alone, so that it may be changed in place.

/** `depth` 1 copies the outermost container, 2 also those inside it, and so on; what is deeper is shared. */
export function cloneContainers(value: unknown, depth: number): unknown {
  if (depth === 0 || typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map((item) => cloneContainers(item, depth - 1))
  if (value instanceof Map) return new Map(Array.from(value, ([key, item]) => [key, cloneContainers(item, depth - 1)]))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cloneContainers(item, depth - 1)]))
}
