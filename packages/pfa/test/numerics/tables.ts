// A table's file name comes in; its rows go out: the function, the numbers it was given and its value, as R computed them.
import { readFileSync } from 'node:fs'

export interface Row {
  readonly name: string
  readonly numbers: readonly number[]
}

/** The tables are made by `scripts/r-tables.R`. */
export function table(file: string): Row[] {
  const text = readFileSync(new URL(`tables/${file}`, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name, ...numbers] = line.split(',')
      return { name: name!, numbers: numbers.map(Number) }
    })
}

/** How far apart two numbers are, relative to the second; nothing below the smallest normal number is asked for. */
export function relativeError(value: number, expected: number): number {
  return value === expected ? 0 : Math.abs(value - expected) / Math.max(Math.abs(expected), 1e-307)
}
