// The named types that several schemas share: definitions and uses go in, in any order if allowed; one object per name comes out.
import { AvroError, oneOf } from '../error.ts'
import type { NamedType } from '../type.ts'
import { didYouMean } from './nearest.ts'
import { sameType } from './same-type.ts'

export interface NameTableOptions {
  /** A name may stand before its definition; `finish` then reports the names that never got one. Default false. */
  readonly usedBeforeDefined?: boolean
  /** A name may be defined again in the same words. Default false. */
  readonly definedAgain?: boolean
}

/**
 * Order of calls: any number of `parseSchema(schema, { names })`, then `finish()` once, before any of the types is
 * compiled. A table that allows neither option needs no `finish()`: `parseSchema` has checked everything.
 */
export class NameTable {
  readonly options: NameTableOptions
  readonly #types = new Map<string, NamedType>()
  /** Names that were used but not defined yet, with the first place of use. */
  readonly #awaited = new Map<string, { type: NamedType; pointer: string }>()
  #later: (() => void)[] = []
  #unnamed = 0

  constructor(options: NameTableOptions = {}) {
    this.options = options
  }

  /** The type that has been defined under this full name. */
  get(name: string): NamedType | undefined {
    return this.#types.get(name)
  }

  names(): IterableIterator<string> {
    return this.#types.keys()
  }

  /**
   * The object that stands for a name in the schema at `pointer`. A name written without a namespace means the one in the
   * enclosing namespace, or else the one without namespace.
   */
  use(name: string, namespace: string, pointer: string): NamedType | undefined {
    const full = qualify(name, namespace)
    const known = this.#types.get(full) ?? this.#types.get(name)
    if (known !== undefined || !this.options.usedBeforeDefined) return known
    let awaited = this.#awaited.get(full)
    if (awaited === undefined) {
      awaited = { type: { kind: 'record', name: full, fields: [] }, pointer }
      this.#awaited.set(full, awaited)
    }
    return awaited.type
  }

  /**
   * Enters a definition whose fields may still be missing, and gives the object to use for it from now on. The same
   * definition given again is compared at the end, when all names are known.
   */
  define(type: NamedType, pointer: string): NamedType {
    const defined = this.#types.get(type.name)
    if (defined !== undefined) {
      if (!this.options.definedAgain) throw redefined(type, pointer, 'a name that is not taken')
      this.later(() => {
        if (!sameType(defined, type)) throw redefined(type, pointer, 'the same definition as before')
      })
      return type
    }
    const awaited = this.#awaited.get(type.name)
    this.#awaited.delete(type.name)
    const entered = awaited === undefined ? type : become(awaited.type, type)
    this.#types.set(type.name, entered)
    return entered
  }

  /** A name for a record that has none, the same in every run. */
  unnamed(): string {
    let name: string
    do name = `Unnamed_${++this.#unnamed}`
    while (this.#types.has(name))
    return name
  }

  /** What can only be checked when all names are known. */
  later(check: () => void): void {
    this.#later.push(check)
  }

  /** Throws when a used name has no definition, a definition differs from an earlier one, or a default does not fit. */
  finish(): void {
    for (const [full, { type, pointer }] of this.#awaited) {
      const bare = this.#types.get(full.slice(full.lastIndexOf('.') + 1))
      if (bare === undefined) throw unknownName(full, pointer, this.names())
      become(type, bare)
    }
    this.#awaited.clear()
    const checks = this.#later
    this.#later = []
    for (const check of checks) check()
  }
}

export function qualify(name: string, namespace: string): string {
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`
}

export function unknownName(name: string, pointer: string, known: Iterable<string>, expected?: string): AvroError {
  const names = [...known]
  return new AvroError({
    pointer,
    found: `the name ${JSON.stringify(name)}, which nothing defines`,
    expected: expected ?? (names.length === 0 ? 'a defined name' : `a defined name (${oneOf(names)})`),
    ...didYouMean(name, names),
  })
}

function redefined(type: NamedType, pointer: string, expected: string): AvroError {
  return new AvroError({ pointer, found: `another definition of ${JSON.stringify(type.name)}`, expected })
}

/** A use that came first already holds `placeholder`, so the definition is moved into that object. */
function become(placeholder: NamedType, definition: NamedType): NamedType {
  delete (placeholder as { fields?: unknown }).fields
  return Object.assign(placeholder, definition)
}
