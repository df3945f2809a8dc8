// What is wrong with a sensor descriptor: everything at once, each with its place, what was found, and what is allowed.
import { didYouMean } from '@pitot/api'

/** Thrown once, with all that was found. */
export class SensorDescriptorError extends Error {
  override readonly name = 'SensorDescriptorError'
}

export class Problems {
  readonly #sentences: string[] = []

  /** `pointer` is a JSON pointer into the descriptor; empty for all of it. */
  add(pointer: string, sentence: string): undefined {
    this.#sentences.push(pointer === '' ? sentence : `${pointer}: ${sentence}`)
  }

  notAllowed(pointer: string, found: unknown, allowed: string, known: readonly string[] = []): undefined {
    const near = typeof found === 'string' ? didYouMean(found, known) : ''
    return this.add(pointer, `${shown(found)} is not allowed, it must be ${allowed}${near}`)
  }

  throwIfAny(): void {
    if (this.#sentences.length > 0) throw new SensorDescriptorError(this.#sentences.join('; '))
  }
}

const longestShown = 80

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
