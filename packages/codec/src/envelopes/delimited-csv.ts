// delimited-csv: lines of comma-separated values, in which quoted fields may hold separators.
import type { Envelope, Wrapper } from '../envelope.ts'
import { SeparatedUnwrapper } from '../separated.ts'
import { trailingWrapper } from '../trailing.ts'
import { separatorOf } from './delimited.ts'

export interface DelimitedCsvOptions {
  /** `\r\n` by default, and then a line feed alone ends a line too. */
  readonly separator?: string
  /** The first line names the columns and is no record; true by default. */
  readonly skipHeader?: boolean
  /** True by default. */
  readonly skipBlankLines?: boolean
  /** `"` by default; one ASCII character. */
  readonly quote?: string
  /** The line to write first. */
  readonly header?: string
}

export const delimitedCsv: Envelope<DelimitedCsvOptions> = {
  name: 'delimited-csv',
  unwrapper({ separator = '\r\n', skipHeader = true, skipBlankLines = true, quote = '"' }, context) {
    const anyLine = separator === '\r\n'
    const options = {
      separator: separatorOf(anyLine ? '\n' : separator),
      quote: quote.charCodeAt(0),
      dropReturn: anyLine,
      skipEmpty: skipBlankLines,
      hasHeader: skipHeader,
    }
    return new SeparatedUnwrapper(options, context)
  },
  wrapper({ separator = '\r\n', header }): Wrapper {
    const start = header === undefined ? undefined : new TextEncoder().encode(header + separator)
    return trailingWrapper(separatorOf(separator), start)
  },
}
