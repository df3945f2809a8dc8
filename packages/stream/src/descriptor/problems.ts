// What is wrong with a descriptor: everything at once, each with its place, what was found, and what is allowed.
import { didYouMean } from '@pitot/api'

export interface Remark {
  /** JSON pointer into the descriptor as it was written. */
  readonly pointer: string
  readonly sentence: string
}

/** Thrown once, with all that was found. */
export class DescriptorError extends Error {
  override readonly name = 'DescriptorError'
  readonly problems: readonly Remark[]

  constructor(problems: readonly Remark[]) {
    super(problems.map(({ pointer, sentence }) => `${pointer === '' ? '' : `${pointer}: `}${sentence}`).join('; '))
    this.problems = problems
  }
}

/** Collects problems, which stop the descriptor, and warnings, which do not. */
export class Remarks {
  readonly problems: Remark[] = []
  readonly warnings: Remark[] = []
  #places: Readonly<Record<string, string>> = {}

  /** From now on, pointers lead into another form of the descriptor: to the places given here in the one that was written. */
  translate(places: Readonly<Record<string, string>>): void {
    this.#places = places
  }

  problem(pointer: string, sentence: string): undefined {
    this.problems.push({ pointer: this.#place(pointer), sentence })
  }

  warning(pointer: string, sentence: string): void {
    this.warnings.push({ pointer: this.#place(pointer), sentence })
  }

  #place(pointer: string): string {
    return Object.hasOwn(this.#places, pointer) ? this.#places[pointer]! : pointer
  }

  notAllowed(pointer: string, found: unknown, allowed: string, known: readonly string[] = []): undefined {
    const near = typeof found === 'string' ? didYouMean(found, known) : ''
    return this.problem(pointer, `${shown(found)} is not allowed, it must be ${allowed}${near}`)
  }

  unknownField(pointer: string, name: string, known: readonly string[]): void {
    this.problem(
      `${pointer}/${pointerPart(name)}`,
      `there is no field '${name}' here; known: ${known.join(', ') || 'none'}${didYouMean(name, known)}`,
    )
  }
}

/** RFC 6901. */
export function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

const longestShown = 80

export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  let text: string
  try {
    text = JSON.stringify(value)
  } catch {
    return 'something nested too deeply to be shown'
  }
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
}
