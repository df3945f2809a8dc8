// Helps sentences along: a word that is not known comes in, the known word its writer probably meant goes out.

/** Longer ones are not looked at: comparing takes the product of two lengths, and both may come from outside. */
const LONGEST_WORD = 100

/** The nearest of `known` when it is near enough to be a slip of the pen: at most a third of the letters differ. */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  if (word === '' || word.length > LONGEST_WORD) return undefined
  const wanted = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.floor(Math.max(wanted.length, 3) / 3) + 1
  for (const candidate of known) {
    // A length that differs by more than the best distance cannot win.
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** `: did you mean 'x'?`, or nothing when no known word is near. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = nearestWord(word, known)
  return near === undefined ? '' : `; did you mean '${near}'?`
}

/** Insertions, deletions, replacements and swaps of neighbours each count one. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (same ? 0 : 1))
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) cost = Math.min(cost, beforePrevious[column - 2]! + 1)
      current.push(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length]!
}
