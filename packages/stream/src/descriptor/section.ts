// One section of a descriptor: a JSON object and the fields it may have come in, the values go out, remarks on the side.
import type { Fields } from '../field.ts'
import { pointerPart, type Remarks, shown } from './problems.ts'
import { fieldSpelling } from './spellings.ts'

export type Json = Readonly<Record<string, unknown>>

export interface SectionPlace {
  /** For other spellings: `Envelope`, `Transport.UDP`, empty at the top. */
  readonly section: string
  readonly pointer: string
  readonly isInput: boolean
}

export interface SectionValues {
  readonly values: Json
  /** Our names of the fields that were written down, with the pointers to where they stand. */
  readonly written: ReadonlyMap<string, string>
}

export function readSection(given: Json, fields: Fields, place: SectionPlace, remarks: Remarks): SectionValues {
  const known = Object.keys(fields)
  const written = new Map<string, string>()
  const values: Record<string, unknown> = {}
  for (const [spelled, value] of Object.entries(given)) {
    // Without a value it stands for nothing else: so it is when a resolved descriptor is read again.
    const isPlain = value === null && known.includes(spelled)
    const name = isPlain ? spelled : fieldSpelling(place.section, spelled, known, place.isInput)
    const pointer = `${place.pointer}/${pointerPart(spelled)}`
    const field = Object.hasOwn(fields, name) ? fields[name]! : undefined
    if (field === undefined) {
      remarks.unknownField(place.pointer, spelled, known)
      continue
    }
    if (written.has(name)) {
      remarks.problem(pointer, `'${spelled}' says again what '${name}' says already`)
      continue
    }
    if (name !== spelled) remarks.warning(pointer, `'${spelled}' is taken for '${name}'`)
    written.set(name, pointer)
    const read = field.read(value)
    if (read === undefined) remarks.notAllowed(pointer, value, field.allowed)
    else values[name] = read
  }
  for (const [name, field] of Object.entries(fields)) {
    if (written.has(name)) continue
    if (field.required) remarks.problem(place.pointer, `the field '${name}' is missing; it must be ${field.allowed}`)
    else values[name] = field.default ?? null
  }
  return { values, written }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** For sections that may be a word instead of an object: `"discard"` is `{"Type": "discard"}`. */
export function asSection(value: unknown, pointer: string, what: string, remarks: Remarks): Json | undefined {
  if (typeof value === 'string') return { Type: value }
  if (isObject(value)) return value
  return remarks.problem(pointer, `${what} must be a word or an object with a Type, but is ${shown(value)}`)
}
