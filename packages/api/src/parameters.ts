// Query and path parameters as data: text comes in, the typed value or a description of what is allowed goes out.

/** One kind of parameter. `read` gives undefined for a text that it does not allow. */
export interface Parameter<Value> {
  readonly summary: string
  /** Ends the sentence "must be …". */
  readonly allowed: string
  readonly required?: boolean
  readonly schema: ParameterSchema
  read(text: string): Value | undefined
}

/** The part of JSON Schema that Swagger 2.0 and OpenAPI 3.1 agree on for parameters. */
export interface ParameterSchema {
  readonly type: 'string' | 'integer' | 'boolean' | 'number'
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly string[]
}

export function text(summary: string): Parameter<string> {
  return { summary, allowed: 'a text', schema: { type: 'string' }, read: (given) => given }
}

interface Range {
  readonly minimum?: number
  readonly maximum?: number
}

const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }

/** A 32-bit integer, within narrower bounds where given. */
export function integer(summary: string, range: Range = {}): Parameter<number> {
  const { minimum = int32.minimum, maximum = int32.maximum } = range
  const upper = maximum === int32.maximum ? '' : ` to ${maximum}`
  return {
    summary,
    allowed: minimum === int32.minimum ? 'a whole number' : `a whole number from ${minimum}${upper}`,
    schema: { type: 'integer', format: 'int32', minimum, maximum },
    read(given) {
      if (!/^-?\d{1,10}$/.test(given)) return undefined
      const value = Number(given)
      return value >= minimum && value <= maximum ? value : undefined
    },
  }
}

export function seconds(summary: string, range: Required<Range>): Parameter<number> {
  const { minimum, maximum } = range
  return {
    summary,
    allowed: `a number of seconds from ${minimum} to ${maximum}`,
    schema: { type: 'number', minimum, maximum },
    read(given) {
      if (!/^\d{1,9}(\.\d{1,9})?$/.test(given)) return undefined
      const value = Number(given)
      return value >= minimum && value <= maximum ? value : undefined
    },
  }
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
])

export function flag(summary: string): Parameter<boolean> {
  return {
    summary,
    allowed: "'true' or 'false'",
    schema: { type: 'boolean' },
    read: (given) => truths.get(given.toLowerCase()),
  }
}

/** One of a few words. */
export function word<const Word extends string>(summary: string, words: readonly Word[]): Parameter<Word> {
  return {
    summary,
    allowed: `one of ${words.join(', ')}`,
    schema: { type: 'string', enum: words },
    read: (given) => words.find((known) => known === given),
  }
}

/** A comma-separated list of known words. */
export function words<const Word extends string>(summary: string, known: readonly Word[]): Parameter<readonly Word[]> {
  const set: ReadonlySet<string> = new Set(known)
  return {
    summary: `${summary}; a comma-separated list of: ${known.join(', ')}`,
    allowed: `a comma-separated list of ${known.join(', ')}`,
    schema: { type: 'string' },
    read(given) {
      const parts = listed(given)
      return parts.every((part): part is Word => set.has(part)) ? parts : undefined
    },
  }
}

/** A comma-separated list of any words, for places where unknown ones have to be passed over. */
export function anyWords(summary: string): Parameter<readonly string[]> {
  return { summary, allowed: 'a comma-separated list', schema: { type: 'string' }, read: listed }
}

function listed(given: string): string[] {
  return given
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

export interface TimeRange {
  /** Milliseconds since 1970, both included. */
  readonly from: number
  readonly to: number
}

/** `A--B`: two dates or times (ISO 8601), either of which may be left out. A date at the end means all of that day. */
export function timeRange(summary: string): Parameter<TimeRange> {
  return {
    summary,
    allowed: "two ISO 8601 dates or times with '--' between them",
    schema: { type: 'string' },
    read(given) {
      const [start, end, ...more] = given.split('--')
      if (end === undefined || more.length > 0) return undefined
      const from = start === '' ? 0 : moment(start!, '00:00:00')
      const to = end === '' ? Number.MAX_SAFE_INTEGER : moment(end, '23:59:59.999')
      return from === undefined || to === undefined ? undefined : { from, to }
    },
  }
}

/** Times without a zone are UTC; undefined for what is none, such as the 30th of February. */
function moment(text: string, timeOfDay: string): number | undefined {
  const found = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)([Zz]|[+-]\d\d:\d\d)?)?$/.exec(text)
  if (found === null) return undefined
  const [, day, time = timeOfDay, zone = 'Z'] = found
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const value = Date.parse(`${day}T${time}${zone.toUpperCase()}`)
  if (Number.isNaN(midnight) || Number.isNaN(value)) return undefined
  return new Date(midnight).toISOString().startsWith(day!) ? value : undefined
}

export function required<Value>(parameter: Parameter<Value>): Parameter<Value> & { readonly required: true } {
  return { ...parameter, required: true }
}
