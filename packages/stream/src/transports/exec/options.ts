// The fields of an exec transport.
import { type Fields, required, text, textList, withDefault } from '../../field.ts'

export interface ExecOptions {
  /** A path, or a name to be looked for as a shell would. */
  readonly Run: string
  readonly Args: readonly string[]
}

export const execFields: Fields = { Run: required(text), Args: withDefault(textList, []) }
