// The word that was probably meant: what was written and the known words go in, the nearest one or nothing comes out.

/** Words further apart than a third of their length are not taken for misspellings. */
export function nearestWord(written: string, known: Iterable<string>): string | undefined {
  if (written.length > 100) return undefined
  const wanted = written.toLowerCase()
  let nearest: string | undefined
  let least = Math.max(1, Math.floor(written.length / 3)) + 1
  for (const word of known) {
    if (Math.abs(word.length - written.length) >= least) continue
    const distance = editDistance(wanted, word.toLowerCase())
    if (distance < least) {
      least = distance
      nearest = word
    }
  }
  return nearest
}

export function didYouMean(written: string, known: Iterable<string>): { hint?: string } {
  const nearest = nearestWord(written, known)
  return nearest === undefined ? {} : { hint: `did you mean ${JSON.stringify(nearest)}?` }
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      let best = Math.min(replaced, last[j]! + 1, row[j - 1]! + 1)
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, beforeLast[j - 2]! + 1)
      }
      row.push(best)
    }
    beforeLast = last
    last = row
  }
  return last[to.length]!
}
