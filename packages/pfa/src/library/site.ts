// The place a library function is called from: name, types and the running instance come in, a `CallSite` goes out.
import { PfaError } from '../errors.ts'
import type { CallSite, Host, PfaType } from './library.ts'
import { signatures } from './signatures.generated.ts'
import type { LibrarySignatures } from './signatures.ts'

const entries: LibrarySignatures = signatures

class Site implements CallSite {
  readonly name: string
  readonly params: readonly PfaType[]
  readonly result: PfaType
  readonly host: Host
  private readonly at: string

  constructor(name: string, params: readonly PfaType[], result: PfaType, at: string, host: Host) {
    this.name = name
    this.params = params
    this.result = result
    this.at = at
    this.host = host
  }

  error(code: number): PfaError {
    const message = entries[this.name]?.errors?.[code] ?? 'error'
    return new PfaError('runtime', `${this.name}: ${message}`, { code, at: { pointer: this.at } })
  }
}

export const callSite = (name: string, params: readonly PfaType[], result: PfaType, at: string, host: Host): CallSite =>
  new Site(name, params, result, at, host)

/** A host that never runs: for asking an implementation whether it takes these types. */
const idleHost: Host = { random: () => 0, now: () => 0, tick: () => {} }

export const probeSite = (name: string, params: readonly PfaType[], result: PfaType, at: string): CallSite =>
  callSite(name, params, result, at, idleHost)
