export function action(days) {
  const instant = days * 86_400_000
  const midnight = new Date(instant)
  return {
    day: midnight,
    millis: new Date(instant + 1),
    // A Date has no microseconds: the number beneath is as good.
    micros: instant * 1000 + 1500,
    midnight,
    day_text: midnight.toISOString().slice(0, 10),
    empty: null,
  }
}
