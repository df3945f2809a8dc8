// Content negotiation: an Accept header and what can be offered come in, the best offer goes out.

interface Wish {
  readonly range: string
  readonly quality: number
}

/**
 * The offer that the header likes best, the first of `offers` among equals (and when there is no header); undefined when
 * it likes none. Only names count: parameters other than `q` are passed over.
 */
export function bestOffer<Offer extends string>(
  accept: string | undefined,
  offers: readonly Offer[],
): Offer | undefined {
  if (accept === undefined || accept.trim() === '') return offers[0]
  const wishes = accept.split(',').map(readWish)
  let best: Offer | undefined
  let bestQuality = 0
  for (const offer of offers) {
    const quality = qualityOf(offer.split(';', 1)[0]!.trim().toLowerCase(), wishes)
    if (quality > bestQuality) {
      best = offer
      bestQuality = quality
    }
  }
  return best
}

function readWish(text: string): Wish {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = q === undefined ? 1 : Number(q.slice(2))
  return { range, quality: Number.isFinite(quality) ? quality : 0 }
}

/** The most exact range decides, as RFC 9110 says. */
function qualityOf(type: string, wishes: readonly Wish[]): number {
  const ranges = [type, `${type.split('/', 1)[0]}/*`, '*/*']
  for (const range of ranges) {
    const wish = wishes.find((candidate) => candidate.range === range)
    if (wish !== undefined) return wish.quality
  }
  return 0
}
