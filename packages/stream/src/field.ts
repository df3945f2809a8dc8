// Fields of a descriptor as data: what is allowed, what it reads to, what it is when it is left out.

/** One field. `read` gives undefined for a value that is not allowed; null is a value like any other. */
export interface Field {
  readonly required?: boolean
  /** The value when the field is left out; `null` when nothing else is said. */
  readonly default?: unknown
  /** Ends the sentence "must be …". */
  readonly allowed: string
  read(value: unknown): unknown
}

export type Fields = Readonly<Record<string, Field>>

export const text: Field = {
  allowed: 'a text that is not empty',
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
}

export const anyText: Field = {
  allowed: 'a text',
  read: (value) => (typeof value === 'string' ? value : undefined),
}

export const flag: Field = {
  allowed: 'true or false',
  read: (value) => (typeof value === 'boolean' ? value : undefined),
}

/** Whole numbers; also written as texts, because some clients write every value as a text. */
export function whole(minimum: number, maximum = Number.MAX_SAFE_INTEGER): Field {
  const upper = maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`
  return {
    allowed: `a whole number from ${minimum}${upper}`,
    read(value) {
      const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
      const fits = typeof number === 'number' && Number.isSafeInteger(number) && number >= minimum && number <= maximum
      return fits ? number : undefined
    },
  }
}

export const port = whole(1, 65535)

/** One of a few words, in any letter case; read to the spelling given here. */
export function oneOf(...words: readonly string[]): Field {
  return {
    allowed: `one of ${words.join(', ')}`,
    read: (value) =>
      typeof value === 'string' ? words.find((word) => word.toLowerCase() === value.toLowerCase()) : undefined,
  }
}

export const textList: Field = {
  allowed: 'a list of texts',
  read: (value) => (isTextList(value) ? value : undefined),
}

/** A list, or one text that stands for a list of one; or a text with commas where `commas` says so. */
export function textOrList(commas: boolean): Field {
  return {
    allowed: commas ? 'a list of texts, or one text with commas' : 'a text or a list of texts',
    read(value) {
      if (isTextList(value)) return value.length > 0 ? value : undefined
      if (typeof value !== 'string' || value === '') return undefined
      return commas ? value.split(',').map((part) => part.trim()) : [value]
    },
  }
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

export function nullable(field: Field): Field {
  return {
    ...field,
    allowed: `${field.allowed}, or null`,
    read: (value) => (value === null ? null : field.read(value)),
  }
}

export function required(field: Field): Field {
  return { ...field, required: true }
}

export function withDefault(field: Field, value: unknown): Field {
  return { ...field, default: value }
}
