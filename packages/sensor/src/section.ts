// One section of a descriptor: a JSON object and the fields it may have come in, the values that are right go out.
import { didYouMean } from '@pitot/api'
import { type Problems, shown } from './problems.ts'
import { readQuantity } from './quantity.ts'

type Json = Readonly<Record<string, unknown>>

export interface Field<Value> {
  /** Ends the sentence "must be …". */
  readonly allowed: string
  /** The words among which the nearest is looked for. */
  readonly words?: readonly string[]
  /** Undefined for a value that is not allowed. */
  read(value: unknown): Value | undefined
}

export type Fields = Readonly<Record<string, Field<unknown>>>

export type Values<Table extends Fields> = {
  readonly [Name in keyof Table]?: Table[Name] extends Field<infer Value> ? Value : never
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The values by name; absent where a field is not written or not right. Fields are known in any letter case. */
export function readSection<Table extends Fields>(
  given: Json,
  pointer: string,
  fields: Table,
  problems: Problems,
): Values<Table> {
  const known = Object.keys(fields)
  const values: Record<string, unknown> = {}
  for (const [spelled, value] of Object.entries(given)) {
    const name = known.find((candidate) => candidate.toLowerCase() === spelled.toLowerCase())
    const place = `${pointer}/${spelled.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (name === undefined) {
      problems.add(
        place,
        `there is no field '${spelled}' here; known: ${known.join(', ') || 'none'}${didYouMean(spelled, known)}`,
      )
      continue
    }
    if (Object.hasOwn(values, name)) {
      problems.add(place, `'${spelled}' says again what '${name}' says already`)
      continue
    }
    const field = fields[name]!
    const read = field.read(value)
    if (read === undefined) problems.notAllowed(place, value, field.allowed, field.words)
    else values[name] = read
  }
  return values as Values<Table>
}

/** Whether a field is written, right or wrong. */
export function hasField(given: Json, name: string): boolean {
  return Object.keys(given).some((key) => key.toLowerCase() === name.toLowerCase())
}

/** For sections that may be a word instead of an object: `"regular"` is `{"Type": "regular"}`. */
export function asSection(value: unknown, pointer: string, problems: Problems): Json | undefined {
  if (typeof value === 'string') return { Type: value }
  if (isObject(value)) return value
  return problems.add(pointer, `${shown(value)} is not allowed, it must be a word or an object with a Type`)
}

export const text: Field<string> = {
  allowed: 'a text',
  read: (value) => (typeof value === 'string' ? value : undefined),
}

export const name: Field<string> = {
  allowed: 'the name of a tapping point',
  read: (value) => (typeof value === 'string' && value !== '' && value.length <= 1000 ? value : undefined),
}

export const anything: Field<unknown> = {
  allowed: 'anything',
  read: (value) => value,
}

export const flag: Field<boolean> = {
  allowed: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
}

/** `"1G"` is a number too. */
export const quantity: Field<number> = {
  allowed: 'a number, or a text such as "1G" with K, M or G for powers of 1024',
  read: readQuantity,
}

export function between(minimum: number, maximum: number, what = 'a number'): Field<number> {
  return {
    allowed: `${what} from ${minimum} to ${maximum}`,
    read(value) {
      const number = readQuantity(value)
      return number !== undefined && number >= minimum && number <= maximum ? number : undefined
    },
  }
}

export function zeroOr({ allowed, read }: Field<number>): Field<number> {
  return { allowed: `0 or ${allowed}`, read: (value) => (readQuantity(value) === 0 ? 0 : read(value)) }
}

export function whole(minimum: number, maximum: number): Field<number> {
  const { allowed, read } = between(minimum, maximum, 'a whole number')
  return {
    allowed,
    read(value) {
      const number = read(value)
      return Number.isSafeInteger(number) ? number : undefined
    },
  }
}

/** One of a few words, in any letter case. */
export function oneOf<const Word extends string>(words: readonly Word[]): Field<Word> {
  return {
    allowed: `one of ${words.join(', ')}`,
    words,
    read: (value) =>
      typeof value === 'string' ? words.find((word) => word.toLowerCase() === value.trim().toLowerCase()) : undefined,
  }
}

/** Numbers that only rise, within their limits. */
export function rising(minimum: number, maximum: number, most: number): Field<readonly number[]> {
  return {
    allowed: `a list of 1 to ${most} rising numbers${Number.isFinite(maximum) ? ` from ${minimum} to ${maximum}` : ''}`,
    read(value) {
      if (!Array.isArray(value) || value.length < 1 || value.length > most) return undefined
      const numbers = value.map(readQuantity)
      const good = numbers.every(
        (number, index) =>
          number !== undefined &&
          number >= minimum &&
          number <= maximum &&
          (index === 0 || number > (numbers[index - 1] as number)),
      )
      return good ? (numbers as number[]) : undefined
    },
  }
}
