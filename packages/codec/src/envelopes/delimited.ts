// delimited: records end with a separator of one or more bytes.
import type { Envelope } from '../envelope.ts'
import { SeparatedUnwrapper } from '../separated.ts'
import { trailingWrapper } from '../trailing.ts'

export interface DelimitedOptions {
  /** `\n` by default. */
  readonly separator?: string
}

export const delimited: Envelope<DelimitedOptions> = {
  name: 'delimited',
  unwrapper: (options, context) =>
    new SeparatedUnwrapper({ separator: separatorOf(options.separator ?? '\n') }, context),
  wrapper: (options) => trailingWrapper(separatorOf(options.separator ?? '\n')),
}

export function separatorOf(text: string): Uint8Array {
  if (text === '') throw new RangeError('a separator has at least one byte')
  return new TextEncoder().encode(text)
}
