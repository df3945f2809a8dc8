// In JavaScript the values beneath are what a model gives.
export function action(days) {
  const instant = days * 86_400_000
  const text = new Date(instant).toISOString().slice(0, 10)
  return {
    day: days,
    millis: instant + 1,
    micros: instant * 1000 + 1500,
    midnight: instant,
    day_text: text,
    empty: null,
  }
}
