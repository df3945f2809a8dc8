// The whole library: a function's name comes in, its signatures, error codes and implementation go out.
import { array } from './array.ts'
import { bytes } from './bytes.ts'
import { core } from './core.ts'
import type { Implementation, LibraryModule } from './library.ts'
import { map } from './map.ts'
import { signatures } from './signatures.generated.ts'
import { type LibraryEntry, type LibrarySignatures, readSignature, type Signature } from './signatures.ts'
import { string } from './string.ts'

export type FunctionName = keyof typeof signatures

const modules: readonly LibraryModule[] = [core, array, bytes, map, string]

/** Every implementation there is, under its full name. */
export const implementations: ReadonlyMap<string, Implementation> = new Map(modules.flatMap((module) => Object.entries(module)))

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
