// Distances come in; the places of the smallest go out, the first of equals first.

/** The places of the `wanted` smallest distances, the smallest first. */
export function nearestPlaces(distances: ArrayLike<number>, wanted: number): number[] {
  const places: number[] = []
  if (wanted <= 0) return places
  for (let i = 0; i < distances.length; i++) {
    const distance = distances[i]!
    let at = places.findIndex((place) => distance < distances[place]!)
    if (at < 0) at = places.length
    if (at >= wanted) continue
    places.splice(at, 0, i)
    if (places.length > wanted) places.pop()
  }
  return places
}
