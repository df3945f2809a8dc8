// Guesses a schema: sample records as JSON.parse gives them go in, the narrowest type that holds them all comes out.
import type { AvroType, Field } from './type.ts'
import { toDouble } from './value/number.ts'

export interface InferOptions {
  /** Name of the record type, and beginning of the names inside it; `Record` by default. */
  readonly name?: string
  /** An object with more different keys than this is taken for a map; 200 by default. */
  readonly maximumFields?: number
}

/** Fields that some samples lack, or have as null, become unions with null and get the default null. */
export function inferSchema(samples: Iterable<unknown>, options: InferOptions = {}): AvroType {
  const seen = new Sightings()
  for (const sample of samples) seen.add(sample, 0)
  return seen.toType(options.name ?? 'Record', options.maximumFields ?? 200, new Set())
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const NUMBERS = ['int', 'long', 'double'] as const
const MAXIMUM_DEPTH = 100

/** What has been seen at one place of the samples. */
class Sightings {
  readonly #simple = new Set<'null' | 'boolean' | 'bytes'>()
  /** Index into NUMBERS of the widest number; -1 while there was none. */
  #number = -1
  #texts = 0
  /** How many of the texts spell a number that JSON does not have. */
  #spelled = 0
  #items: Sightings | undefined
  #objects = 0
  readonly #fields = new Map<string, Sightings>()
  #times = 0

  add(value: unknown, depth: number): void {
    if (depth > MAXIMUM_DEPTH) throw new RangeError(`samples may nest ${MAXIMUM_DEPTH} levels deep`)
    this.#times++
    if (value === null || value === undefined) this.#simple.add('null')
    else if (typeof value === 'boolean') this.#simple.add('boolean')
    else if (typeof value === 'number') this.#widen((value | 0) === value ? 0 : Number.isSafeInteger(value) ? 1 : 2)
    else if (typeof value === 'bigint') this.#widen(1)
    else if (typeof value === 'string') {
      this.#texts++
      if (toDouble(value) !== undefined) this.#spelled++
    } else if (Array.isArray(value)) {
      this.#items ??= new Sightings()
      for (const item of value) this.#items.add(item, depth + 1)
    } else if (value instanceof Uint8Array) this.#simple.add('bytes')
    else this.#addObject(value instanceof Map ? value : Object.entries(value as object), depth)
  }

  #widen(to: number): void {
    this.#number = Math.max(this.#number, to)
  }

  #addObject(entries: Iterable<[string, unknown]>, depth: number): void {
    this.#objects++
    for (const [key, member] of entries) {
      this.#field(key).add(member, depth + 1)
    }
  }

  #field(key: string): Sightings {
    const field = this.#fields.get(key) ?? new Sightings()
    this.#fields.set(key, field)
    return field
  }

  toType(name: string, maximumFields: number, taken: Set<string>): AvroType {
    const branches: AvroType[] = []
    for (const kind of ['null', 'boolean', 'bytes'] as const) if (this.#simple.has(kind)) branches.push({ kind })
    // Strings that all spell NaN or an infinity, beside numbers, are numbers.
    const spelledNumbers = this.#texts > 0 && this.#spelled === this.#texts && this.#number >= 0
    if (this.#number >= 0) branches.push({ kind: spelledNumbers ? 'double' : NUMBERS[this.#number]! })
    if (this.#texts > 0 && !spelledNumbers) branches.push({ kind: 'string' })
    if (this.#items !== undefined) {
      branches.push({ kind: 'array', items: this.#items.toType(`${name}_item`, maximumFields, taken) })
    }
    if (this.#objects > 0) branches.push(this.#objectType(name, maximumFields, taken))
    if (branches.length === 0) return { kind: 'null' }
    return branches.length === 1 ? branches[0]! : { kind: 'union', branches }
  }

  #objectType(name: string, maximumFields: number, taken: Set<string>): AvroType {
    const keys = [...this.#fields.keys()]
    if (keys.length > maximumFields || !keys.every((key) => NAME.test(key))) {
      const values = new Sightings()
      for (const field of this.#fields.values()) values.#merge(field)
      return { kind: 'map', values: values.toType(`${name}_value`, maximumFields, taken) }
    }
    const own = unique(name, taken)
    const fields = [...this.#fields].map(([key, seen]): Field => {
      if (seen.#times < this.#objects) seen.#simple.add('null')
      const type = seen.toType(`${own}_${key}`, maximumFields, taken)
      const nullable = type.kind === 'null' || (type.kind === 'union' && seen.#simple.has('null'))
      return nullable ? { name: key, type, default: null } : { name: key, type }
    })
    return { kind: 'record', name: own, fields }
  }

  #merge(other: Sightings): void {
    for (const kind of other.#simple) this.#simple.add(kind)
    this.#widen(other.#number)
    this.#texts += other.#texts
    this.#spelled += other.#spelled
    this.#objects += other.#objects
    this.#times += other.#times
    if (other.#items !== undefined) {
      this.#items ??= new Sightings()
      this.#items.#merge(other.#items)
    }
    for (const [key, field] of other.#fields) this.#field(key).#merge(field)
  }
}

function unique(name: string, taken: Set<string>): string {
  let candidate = name
  for (let count = 2; taken.has(candidate); count++) candidate = `${name}_${count}`
  taken.add(candidate)
  return candidate
}
