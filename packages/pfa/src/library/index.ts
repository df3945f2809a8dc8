// The whole library: a function's name comes in, its signatures, error codes and implementation go out.
import { array } from './array.ts'
import { bytes } from './bytes.ts'
import { cast } from './cast.ts'
import { core } from './core.ts'
import { distributions } from './distributions.ts'
import { enumeration } from './enum.ts'
import { fixed } from './fixed.ts'
import { impute } from './impute.ts'
import { interpolation } from './interpolation.ts'
import { kernel } from './kernel.ts'
import type { Implementation, LibraryModule } from './library.ts'
import { linearAlgebra } from './linear-algebra.ts'
import { link } from './link.ts'
import { map } from './map.ts'
import { math } from './math.ts'
import { metric } from './metric.ts'
import { model } from './model.ts'
import { parse } from './parse.ts'
import { random } from './random.ts'
import { regex } from './regex.ts'
import { signatures } from './signatures.generated.ts'
import { type LibraryEntry, type LibrarySignatures, readSignature, type Signature } from './signatures.ts'
import { special } from './special.ts'
import { statistics } from './statistics.ts'
import { string } from './string.ts'
import { time } from './time.ts'

const modules: readonly LibraryModule[] = [
  array,
  bytes,
  cast,
  core,
  distributions,
  enumeration,
  fixed,
  impute,
  interpolation,
  kernel,
  linearAlgebra,
  link,
  map,
  math,
  metric,
  model,
  parse,
  random,
  regex,
  special,
  statistics,
  string,
  time,
]

/** Every implementation there is, under its full name. */
export const implementations: ReadonlyMap<string, Implementation> = new Map(
  modules.flatMap((module) => Object.entries(module)),
)

export interface LibraryFunction {
  readonly name: string
  readonly entry: LibraryEntry
  readonly signatures: readonly Signature[]
  readonly implementation: Implementation | undefined
}

const entries: LibrarySignatures = signatures
export const libraryNames: readonly string[] = Object.keys(entries)

const found = new Map<string, LibraryFunction>()

/** Signatures are read when a document first uses the function. */
export function findFunction(name: string): LibraryFunction | undefined {
  const known = found.get(name)
  if (known !== undefined) return known
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
  if (entry === undefined) return undefined
  const made: LibraryFunction = {
    name,
    entry,
    signatures: entry.signatures.map(readSignature),
    implementation: implementations.get(name),
  }
  found.set(name, made)
  return made
}
