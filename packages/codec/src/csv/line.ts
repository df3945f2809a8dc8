// One line of comma-separated values: text goes in, cells come out, and the other way round (RFC 4180).

export interface CsvFormat {
  readonly delimiter: string
  readonly quote: string
}

/** Throws when a quote is not closed, or something stands behind a closed one. */
export function splitLine(line: string, { delimiter, quote }: CsvFormat): string[] {
  if (!line.includes(quote)) return line.split(delimiter)
  const cells: string[] = []
  for (let at = 0; at <= line.length; ) {
    if (!line.startsWith(quote, at)) {
      const end = line.indexOf(delimiter, at)
      cells.push(line.slice(at, end < 0 ? line.length : end))
      at = end < 0 ? line.length + 1 : end + delimiter.length
      continue
    }
    const end = closingQuote(line, at + quote.length, quote)
    cells.push(line.slice(at + quote.length, end).replaceAll(quote + quote, quote))
    at = end + quote.length
    if (at < line.length && !line.startsWith(delimiter, at)) {
      throw new SyntaxError(
        `expected ${JSON.stringify(delimiter)} behind a quoted cell, found ${JSON.stringify(line[at])} at character ${at}`,
      )
    }
    at = at === line.length ? at + 1 : at + delimiter.length
  }
  return cells
}

/** A quote written twice is one inside the cell. */
function closingQuote(line: string, from: number, quote: string): number {
  let at = line.indexOf(quote, from)
  while (at >= 0 && line.startsWith(quote, at + quote.length)) at = line.indexOf(quote, at + 2 * quote.length)
  if (at < 0) throw new SyntaxError(`expected a closing ${quote}, found the end of the line`)
  return at
}

export function joinCells(cells: readonly string[], { delimiter, quote }: CsvFormat): string {
  const quoted = cells.map((cell) => {
    const plain = !cell.includes(delimiter) && !cell.includes(quote) && !/[\r\n]/.test(cell)
    return plain ? cell : quote + cell.replaceAll(quote, quote + quote) + quote
  })
  return quoted.join(delimiter)
}
